import { z } from 'zod';

/** What a plan that an agent wrote makes of the plan of its run; paths and commands are told as they would be to whoever trusts them. */
export const PlanGrowth = z.strictObject({
  /** The phases it adds, those it changes, and those it leaves out, of all that have not begun. */
  added: z.array(z.string()),
  changed: z.array(z.string()),
  dropped: z.array(z.string()),
  /** What its phases could do that the phases of the run so far could not. */
  powers: z.array(z.string()),
  /** The reviews, approvals and gates that would no longer look at the work. */
  lost: z.array(z.string()),
  /** The phases that would be worked on then, in short. */
  phases: z
    .array(z.strictObject({ id: z.string(), type: z.string(), gates: z.array(z.string()), judged: z.boolean() }))
    .optional(),
});
export type PlanGrowth = z.infer<typeof PlanGrowth>;

/** Tells whether a human has to agree before a plan grows like that. */
export function needsConsent({ powers, lost }: PlanGrowth): boolean {
  return powers.length + lost.length > 0;
}

/** The gate of a phase whose output becomes part of the plan; nobody writes it into a plan. */
export const PLAN_GATE = 'plan_valid';

/** Tells whether the plan of a run grows by the output of a phase: plans of before there was such a gate never do. */
export function growsPlan({ gates }: { readonly gates: readonly { readonly type: string }[] }): boolean {
  return gates.some(({ type }) => type === PLAN_GATE);
}
