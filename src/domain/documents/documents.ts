import { z } from 'zod';
import { Option } from '../facts/consultation.ts';
import { KeptFile } from '../facts/result-branch.ts';
import { Cost } from '../facts/run-event.ts';
import type { PhaseStatus, RunStatus } from '../facts/run-state.ts';
import { Finding } from '../finding.ts';
import { DRIVERS } from '../plan/driver.ts';
import { Sandbox } from '../plan/sandbox.ts';
import { FailureClass, Verdict } from '../verdict.ts';
import { CriterionTrace } from './criterion-trace.ts';
import { Level } from './escalation-documents.ts';

const Timestamp = z.iso.datetime();
const Outcome = Verdict.shape.outcome;

const RunStatusName = z.enum([
  'running',
  'passed',
  'failed',
  'waiting',
  'parked',
  'interrupted',
  'cancelled',
]) satisfies z.ZodType<RunStatus>;

const PhaseStatusName = z.enum([
  'pending',
  'running',
  'passed',
  'failed',
  'waiting',
  'parked',
  'skipped',
  'voided',
]) satisfies z.ZodType<PhaseStatus>;

const GarbageKind = z.enum([
  'process',
  'group',
  'worktree',
  'copy',
  'index',
  'lock',
  'temporary',
  'set-up',
  'run',
  'tree',
  'object',
  'branch',
  'files',
]);

const Choice = Option.omit({ decision: true });

/**
 * What a run cost, as sure as its least sure part: with basis `unknown`, `usd` is the part that is known, and absent when none
 * is. `equivalent`: a subscription pays, and `usd` is what the API would have charged; `mixed`: it pays for a part.
 */
const RunCost = z.strictObject({
  ...Cost.omit({ equivalent: true }).shape,
  basis: z.enum([...Cost.shape.basis.options, 'equivalent', 'mixed']),
});
export type RunCost = z.infer<typeof RunCost>;

/** Work that a human accepted although a gate rejects it, and why. */
const Override = z.strictObject({
  phase: z.string(),
  request: z.string(),
  actor: z.string(),
  at: Timestamp,
  reason: z.string(),
});
export type Override = z.infer<typeof Override>;

/** What one phase of a run made of its plan; `kept` says why the plan stays as it was. */
const PlanGrown = z.strictObject({
  phase: z.string(),
  added: z.array(z.string()),
  changed: z.array(z.string()),
  dropped: z.array(z.string()),
  kept: z.string().optional(),
});

/** `helix plan --format json`: the phases as far as they could be read, and what is wrong with them. */
export const PlanDocument = z.strictObject({
  schema: z.literal('helix.plan/1'),
  project: z.string(),
  phases: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      dependsOn: z.array(z.string()),
      gates: z.array(z.string()),
      /** Its tests are probed by breaking what it changed. */
      probed: z.boolean().optional(),
      /** It shows a bug: a test that it adds has to fail. */
      reproduces: z.boolean().optional(),
      agent: z.string().optional(),
      model: z.string().optional(),
      /** What follows when it fails. */
      ladder: z.string().optional(),
      /** What `auto` in its settings is now, and why. */
      auto: z
        .array(z.strictObject({ setting: z.string(), name: z.string().optional(), reason: z.string() }))
        .optional(),
    }),
  ),
  findings: z.array(Finding),
  /** Of a run: how its plan has grown, oldest first. */
  growths: z.array(PlanGrown).optional(),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

/** `helix status --json`: where a run stands and what it waits for. */
export const RunDocument = z.strictObject({
  schema: z.literal('helix.run/1'),
  run: z.string(),
  project: z.string().optional(),
  status: RunStatusName,
  reason: z.string().optional(),
  simulated: z.boolean().optional(),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
  /** When a parked run is worth another try. */
  until: z.string().optional(),
  cost: RunCost,
  phases: z.array(
    z.strictObject({
      id: z.string(),
      status: PhaseStatusName,
      attempts: z.int().nonnegative(),
      verdict: Outcome.optional(),
      findings: z.array(Finding),
    }),
  ),
  /** How its plan has grown, oldest first. */
  growths: z.array(PlanGrown).optional(),
  /** With `--trace`: its acceptance criteria, each with what has proven it. */
  criteria: z.array(CriterionTrace).optional(),
  overrides: z.array(Override).optional(),
  waitingFor: z.strictObject({ request: z.string(), question: z.string(), options: z.array(Choice) }).optional(),
  /** In a repository: the branch with what was accepted, and its newest commit. */
  result: z.strictObject({ branch: z.string(), commit: z.string() }).optional(),
  /** Parts of the request that a human put off: they are not in the result. */
  putOff: z.array(z.string()).optional(),
  /** What was accepted and is kept off the branch, with the phase that changed it last. */
  keptOut: z.array(KeptFile).optional(),
});
export type RunDocument = z.infer<typeof RunDocument>;

/** `helix inbox --json`: every question that waits for a human. */
export const InboxDocument = z.strictObject({
  schema: z.literal('helix.inbox/1'),
  requests: z.array(
    z.strictObject({
      id: z.string(),
      run: z.string(),
      phase: z.string(),
      level: Level,
      question: z.string(),
      options: z.array(Choice),
      deadline: z.string().optional(),
    }),
  ),
});
export type InboxDocument = z.infer<typeof InboxDocument>;

/** `helix list --json`: the runs there are, newest first. */
export const ListDocument = z.strictObject({
  schema: z.literal('helix.list/1'),
  runs: z.array(
    z.strictObject({
      run: z.string(),
      project: z.string(),
      status: RunStatusName,
      startedAt: Timestamp,
      updatedAt: Timestamp,
      openRequests: z.int().nonnegative(),
      /** Of a `helix do`: what was asked for, in a line, and the branch it works for. */
      task: z.string().optional(),
      branch: z.string().optional(),
    }),
  ),
});
export type ListDocument = z.infer<typeof ListDocument>;

/** `helix gate --json`: what the gates of a phase say of its newest tree; `unjudged` when one could not be asked. */
export const GateDocument = z.strictObject({
  schema: z.literal('helix.gate/1'),
  phase: z.string(),
  run: z.string().optional(),
  attempt: z.int().nonnegative().optional(),
  tree: z.string(),
  outcome: z.enum(['passed', 'failed', 'unjudged']),
  verdicts: z.array(Verdict),
  /** Gates that come after the first one that did not pass. */
  unasked: z.array(z.string()),
  interrupted: z.strictObject({ gate: z.string(), failure: FailureClass, message: z.string() }).optional(),
});
export type GateDocument = z.infer<typeof GateDocument>;

/** `helix brief --json`: what would be sent now, and where each part of it comes from; a judge may be asked by several gates. */
export const BriefDocument = z.strictObject({
  schema: z.literal('helix.brief/1'),
  phase: z.string(),
  role: z.enum(['creator', 'reviewer', 'verifier', 'consultant', 'expert', 'questions', 'criteria']),
  /** The run it would be sent in; absent where one would have to be started. */
  run: z.string().optional(),
  briefs: z.array(
    z.strictObject({
      brief: z.string(),
      /** What a judge or consultant is told of itself. */
      instructions: z.string().optional(),
      parts: z.array(z.strictObject({ part: z.string(), from: z.string() })),
    }),
  ),
  /** Inputs that nobody has made yet. */
  missing: z.array(z.string()),
});
export type BriefDocument = z.infer<typeof BriefDocument>;

/** `helix diff --json`: the files that differ; `only` says why one has no lines to count, `note` where a link leads. */
export const DiffDocument = z.strictObject({
  schema: z.literal('helix.diff/1'),
  run: z.string(),
  phase: z.string().optional(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      status: z.enum(['added', 'removed', 'changed']),
      added: z.int().nonnegative(),
      removed: z.int().nonnegative(),
      only: z.enum(['binary', 'large', 'link']).optional(),
      note: z.string().optional(),
    }),
  ),
});
export type DiffDocument = z.infer<typeof DiffDocument>;

/** `helix gc --json`: what was cleared away (in a dry run: would be), and what was kept for which reason. */
export const GcDocument = z.strictObject({
  schema: z.literal('helix.gc/1'),
  dryRun: z.boolean(),
  freedBytes: z.int().nonnegative(),
  removed: z.array(z.strictObject({ kind: GarbageKind, name: z.string(), bytes: z.int().nonnegative() })),
  kept: z.array(z.strictObject({ kind: GarbageKind, name: z.string(), why: z.string() })),
});
export type GcDocument = z.infer<typeof GcDocument>;

/** `helix run --detach --json`: the run, the process that carries it, and the file of what that says. */
export const DetachedDocument = z.strictObject({
  schema: z.literal('helix.detached/1'),
  run: z.string(),
  pid: z.int().positive(),
  log: z.string(),
});
export type DetachedDocument = z.infer<typeof DetachedDocument>;

/** `helix doctor --json`: what of the machine HELIX can use; `git` is its version, null when there is none. */
export const DoctorDocument = z.strictObject({
  schema: z.literal('helix.doctor/1'),
  agents: z.array(
    z.strictObject({
      driver: z.enum(DRIVERS),
      found: z.boolean(),
      version: z.string().optional(),
      /** Why a run would refuse the program that was found. */
      problem: z.string().optional(),
      /** How it would be let in, as far as that can be known; false where nothing says that it would. */
      login: z.union([z.string(), z.literal(false)]).optional(),
      /** The agents of helix.yaml that use it. */
      named: z.array(z.string()).optional(),
      /** The programs that helix.yaml names for them; one that is not trusted is not looked at. */
      programs: z
        .array(
          z.strictObject({
            agent: z.string(),
            command: z.array(z.string()),
            trusted: z.boolean(),
            version: z.string().optional(),
            problem: z.string().optional(),
          }),
        )
        .optional(),
    }),
  ),
  sandbox: Sandbox,
  git: z.string().nullable(),
  node: z.string(),
  /** What a run of this project would be refused for. */
  refused: z.array(z.string()).optional(),
  /** What came of the one call of `--live`. */
  live: z
    .strictObject({
      agent: z.string(),
      driver: z.enum(DRIVERS),
      works: z.boolean(),
      seconds: z.number().nonnegative(),
      model: z.string().optional(),
      version: z.string().optional(),
      cost: Cost.optional(),
      failure: FailureClass.optional(),
      message: z.string().optional(),
    })
    .optional(),
});
export type DoctorDocument = z.infer<typeof DoctorDocument>;

/** final/summary.json: how a run went, in numbers, tied to the journal by its head. */
export const SummaryDocument = z.strictObject({
  schema: z.literal('helix.summary/1'),
  run: z.string(),
  project: z.string(),
  status: RunStatusName,
  reason: z.string().optional(),
  simulated: z.boolean(),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
  durationMs: z.number().nonnegative(),
  cost: RunCost,
  phases: z.array(
    z.strictObject({
      id: z.string(),
      status: PhaseStatusName,
      attempts: z.int().nonnegative(),
      verdict: Outcome.optional(),
      findings: z.strictObject({ error: z.int(), warning: z.int(), info: z.int() }),
    }),
  ),
  overrides: z.array(Override),
  /** What is to be said of the whole of it: acceptance criteria that nothing has proven. */
  findings: z.array(Finding).optional(),
  requests: z.array(
    z.strictObject({
      id: z.string(),
      phase: z.string(),
      level: Level,
      askedAt: Timestamp,
      option: z.string().optional(),
      actor: z.string().optional(),
      answeredAt: Timestamp.optional(),
    }),
  ),
  result: z.strictObject({ branch: z.string(), commit: z.string() }).optional(),
  keptOut: z.array(KeptFile).optional(),
  journal: z.strictObject({ seq: z.int().nonnegative(), hash: z.string() }),
  report: z.string(),
});
export type SummaryDocument = z.infer<typeof SummaryDocument>;

/** logs/attempt-N/verdicts.json: what the gates made of one attempt. */
export const VerdictsDocument = z.strictObject({
  phase: z.string(),
  attempt: z.int().positive(),
  outcome: Outcome,
  verdicts: z.array(Verdict),
});
export type VerdictsDocument = z.infer<typeof VerdictsDocument>;
