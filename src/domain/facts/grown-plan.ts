import { z } from 'zod';
import { Plan } from '../plan/plan.ts';
import { PlanGrowth } from '../plan-growth.ts';

/** What a phase wrote has become part of the plan, or has not: `kept` says why. */
export const GrownPlan = z.strictObject({
  ...PlanGrowth.pick({ added: true, changed: true, dropped: true }).shape,
  phase: z.string(),
  tree: z.string(),
  /** Absent where the plan stays as it was. */
  plan: Plan.optional(),
  source: z.strictObject({ path: z.string(), sha256: z.string() }).optional(),
  kept: z.string().optional(),
});

/** What became of the plan by what one phase wrote; `kept` says why it stays as it was. */
export type Growth = {
  readonly phase: string;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly dropped: readonly string[];
  readonly kept?: string;
};
