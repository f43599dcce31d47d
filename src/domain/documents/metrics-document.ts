import { z } from 'zod';
import { FailureClass } from '../verdict.ts';

const Count = z.int().nonnegative();
const Dollars = z.number().nonnegative();
const Share = z.number().min(0).max(1);

/** Dollars by how sure they are; `unknown` counts what nobody knows the price of. */
export const Costs = z.strictObject({
  reportedUsd: Dollars,
  /** Paid by a subscription: what the same work would have cost by the token. */
  equivalentUsd: Dollars,
  estimatedUsd: Dollars,
  simulatedUsd: Dollars,
  unknown: Count,
  tokens: Count,
});
export type Costs = z.infer<typeof Costs>;

/** Seconds from the question to the verdict. */
const Seconds = z.strictObject({ median: z.number().nonnegative(), p95: z.number().nonnegative() });
export type Seconds = z.infer<typeof Seconds>;

const figures = {
  /** Verdicts, also those of the cache and of the free checks. */
  approvals: Count,
  approved: Count,
  needsRevision: Count,
  rejected: Count,
  /** What was asked about: the same files of the same phase, however often. */
  subjects: Count,
  /** The share of subjects that were approved at once, and in the end. */
  firstPass: Share.optional(),
  final: Share.optional(),
  /** Of verdicts that a judge was asked for. */
  seconds: Seconds.optional(),
  /** Of all judges that were asked, also of those that were cut short. */
  cost: Costs,
  cached: Count,
  /** Rejected by the free checks, at no cost. */
  preCheckRejections: Count,
  interruptions: Count,
};

/** The figures of some approvals. */
const Figures = z.strictObject(figures);
export type Figures = z.infer<typeof Figures>;

/** One aim, and how near the project comes to it. */
const Target = z.strictObject({
  name: z.enum(['time', 'cost', 'coverage', 'pre_checks', 'false_positives', 'false_negatives']),
  /** What is compared. */
  of: z.string(),
  target: z.string(),
  value: z.number().optional(),
  /** Of a rate: what it is made from, and its 95 % interval (Wilson). */
  happened: Count.optional(),
  trials: Count.optional(),
  low: Share.optional(),
  high: Share.optional(),
  outcome: z.enum(['met', 'not met', 'not known yet', 'no data']),
});
export type Target = z.infer<typeof Target>;

/** How far up the ladder work had to go. */
const Ladder = z.strictObject({
  /** Consultants that decided how to go on. */
  interventions: Count,
  reverts: Count,
  /** Questions to a human about work that got stuck. */
  questions: Count,
  /** Humans' own changes that were judged. */
  ownChanges: Count,
  /** Work that was accepted although a gate rejected it. */
  overrides: Count,
});
export type Ladder = z.infer<typeof Ladder>;

/** `helix metrics --format json`: how approvals of this project go, what they take, and what they cost. */
export const MetricsDocument = z.strictObject({
  schema: z.literal('helix.metrics/1'),
  /** Only what happened from then on is counted; the coverage is that of today. */
  since: z.iso.datetime().optional(),
  runs: Count,
  /** True when there is nothing but what simulated agents did. */
  simulated: z.boolean(),
  /** Simulated verdicts and interruptions that are not counted, because there are real ones. */
  simulatedLeftOut: Count,
  total: Figures,
  types: z.array(z.strictObject({ type: z.string(), ...figures })),
  models: z.array(z.strictObject({ model: z.string(), approvals: Count, cost: Costs })),
  phases: z.array(
    z.strictObject({
      phase: z.string(),
      approvals: Count,
      cost: Costs,
      /** Attempts at the work itself, and what they cost. */
      attempts: Count,
      work: Costs,
    }),
  ),
  /** The ADRs there are, and those whose present content was approved. */
  adrs: z
    .strictObject({
      directory: z.string(),
      total: Count,
      approved: Count,
      share: Share.optional(),
      unapproved: z.array(z.string()),
    })
    .optional(),
  ladder: Ladder,
  interruptions: z.array(z.strictObject({ failure: FailureClass, count: Count })),
  /** Findings that outlived two attempts to mend them. */
  stuck: z.array(
    z.strictObject({
      type: z.string(),
      check: z.string(),
      message: z.string(),
      location: z.string().optional(),
      fingerprint: z.string(),
      /** In how many verdicts in a row it stood. */
      verdicts: Count,
    }),
  ),
  targets: z.array(Target),
  /** Runs and files that could not be read, and why. */
  unreadable: z.array(z.strictObject({ name: z.string(), why: z.string() })),
});
export type MetricsDocument = z.infer<typeof MetricsDocument>;
