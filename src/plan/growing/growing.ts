import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';

/** A file that an agent wrote, by the path it has there. */
export type WrittenFile = { readonly path: string; readonly text: string };

/** The run whose plan grows. */
export type Growing = {
  readonly plan: Plan;
  /** The phase that wrote the new plan. */
  readonly from: Phase;
  /** The phases that stay as they are, `from` among them, in the order of the plan. */
  readonly fixed: readonly Phase[];
  /** How many phases agents may add to the plan, and those they have added so far. */
  readonly most: number;
  readonly grown: ReadonlySet<string>;
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly creator: string;
};
