import type { RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import type { PlanGrowth } from '../../domain/plan-growth.ts';

/** A plan that a phase wrote: the file, and the tree it lies in. */
export type WrittenPlan = { readonly phase: Phase; readonly tree: string; readonly state: RunState };

/** What the plan of a run would be with what a phase wrote, or what is wrong with that. */
export type ExaminedGrowth = {
  readonly findings: readonly Finding[];
  /** Absent where the plan stays as it is. */
  readonly plan?: Plan;
  readonly growth?: PlanGrowth;
  readonly source?: { readonly path: string; readonly sha256: string };
};
