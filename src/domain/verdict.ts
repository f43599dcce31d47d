import { z } from 'zod';
import { Finding } from './finding.ts';
import { PlanGrowth } from './plan-growth.ts';

/** How many tests ran, and the names of those that failed; where any did, also how the command ended. */
export const Tests = z.strictObject({
  total: z.int().nonnegative(),
  skipped: z.int().nonnegative().optional(),
  failed: z.array(z.string()),
  /** Of those that had failed before, the ones that were seen to pass; absent where the runner does not name what passes. */
  passed: z.array(z.string()).optional(),
  exitCode: z.int().optional(),
  /** The steps of the command that its output says have failed. */
  steps: z.array(z.string()).optional(),
});
export type Tests = z.infer<typeof Tests>;

/** What became of the tests when lines that a phase changed were broken on purpose, one place at a time. */
export const Probe = z.strictObject({
  mutants: z.array(
    z.strictObject({
      file: z.string(),
      line: z.int().positive(),
      /** What was changed there. */
      change: z.string(),
      /** `unbuilt`: nothing could be tested with it; `untried`: another one was noticed first, or the time was up. */
      result: z.enum(['noticed', 'missed', 'unbuilt', 'untried']),
    }),
  ),
  /** The gate's time was up before all of them were tried. */
  outOfTime: z.boolean().optional(),
});
export type Probe = z.infer<typeof Probe>;

/** Tests that fail because of a bug, seen before it is mended. */
export const Reproduction = z.strictObject({
  /** The names of what fails; none where the runner's output names no test. */
  tests: z.array(z.string()),
  /** The files that show the bug: no later phase may change them. */
  files: z.array(z.string()),
});
export type Reproduction = z.infer<typeof Reproduction>;

/** What a gate makes of an output; it belongs to exactly the tree it names. */
export const Verdict = z.strictObject({
  gate: z.string(),
  outcome: z.enum(['pass', 'revise', 'reject']),
  findings: z.array(Finding),
  tree: z.string(),
  durationMs: z.number(),
  /** What a gate that ran tests counted. */
  tests: Tests.optional(),
  /** What a gate that probed its tests found out. */
  probe: Probe.optional(),
  /** The bug that a gate saw in a failing test. */
  reproduced: Reproduction.optional(),
  /** The last words of the test command where a bug was reproduced, and where it is gone. */
  said: z.string().optional(),
  /** Files whose change a human has to see before what passed is accepted. */
  asks: z.array(z.string()).optional(),
  /** A judge would let it pass but is not sure: a human is asked. */
  unsure: z.boolean().optional(),
  /** What a plan that was written would make of that of the run. */
  growth: PlanGrowth.optional(),
});
export type Verdict = z.infer<typeof Verdict>;

/** Why an attempt or a judgement was cut short; none of these is ever an opinion about the work. */
export const FailureClass = z.enum([
  'timeout_wall',
  'timeout_idle',
  'cancelled',
  'orchestrator',
  'crash',
  'spawn',
  'protocol',
  'setup',
  'inputs',
  'workspace',
  'max_turns',
  'budget',
  'schema',
  'refusal',
  'context_too_long',
  'output_limit',
  'resource_limit',
  'network',
  'billing',
  'auth',
  'model_unavailable',
  'rate_limit',
  'overloaded',
  'unknown',
]);
export type FailureClass = z.infer<typeof FailureClass>;

/** How an interruption is met: tried again (up to a cap), waited out, shown to a human at once, or simply continued on resume. */
export type FailurePolicy = 'retry' | 'park' | 'human' | 'free';

const POLICY: Partial<Record<FailureClass, FailurePolicy>> = {
  cancelled: 'free',
  orchestrator: 'free',
  rate_limit: 'park',
  overloaded: 'park',
  budget: 'park',
  setup: 'human',
  inputs: 'human',
  workspace: 'human',
  billing: 'human',
  auth: 'human',
  model_unavailable: 'human',
  spawn: 'human',
  refusal: 'human',
  context_too_long: 'human',
  max_turns: 'human',
  unknown: 'human',
};

/** The policy for a failure class; whatever is not listed is retried up to the cap. */
export function failurePolicy(failure: FailureClass): FailurePolicy {
  return POLICY[failure] ?? 'retry';
}
