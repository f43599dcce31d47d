import type { PhaseState, RunState } from '../facts/run-state.ts';
import { isBegun } from '../facts/run-state.ts';
import type { Phase } from '../plan/plan.ts';
import { growsPlan, needsConsent, type PlanGrowth } from '../plan-growth.ts';

/** What a growth may not touch: phases somebody has worked on, and those that are done or failed. */
function isFixed(at: PhaseState | undefined): boolean {
  if (at === undefined) return false;
  const { status, rung } = at;
  const tried = rung.interruptions > 0 || rung.blocked !== undefined || rung.taking !== undefined;
  return isBegun(at) || tried || !OPEN.has(status);
}

const OPEN: ReadonlySet<PhaseState['status']> = new Set(['pending', 'voided', 'waiting', 'parked']);

/** The phases that stay as they are when the plan grows by the output of `from`: what has begun, and what that builds on. */
export function fixedPhases({ plan, phases }: Pick<RunState, 'plan' | 'phases'>, from: string): Phase[] {
  const begun = plan.phases.filter(({ id }) => id === from || isFixed(phases.get(id)));
  const stays = new Set(begun.map(({ id }) => id));
  // A phase in its meeting can wait for work that came back: without that it could never go on.
  const missing = (phase: Phase) => phase.dependsOn.filter((id) => !stays.has(id));
  for (let open = begun.flatMap(missing); open.length > 0; ) {
    for (const id of open) stays.add(id);
    const added = new Set(open);
    open = plan.phases.filter(({ id }) => added.has(id)).flatMap(missing);
  }
  return plan.phases.filter(({ id }) => stays.has(id));
}

/** Tells whether nothing follows any more from what a phase is to add to the plan. */
export function isSettled(phase: Phase, at: PhaseState): boolean {
  if (!growsPlan(phase) || at.status === 'skipped' || at.status === 'failed') return true;
  return at.accepted !== undefined && at.status === 'passed' && at.grown === at.accepted.tree;
}

/** What the judged plan makes of that of the run, where a human has to agree to it, or sits there and wants to see it first. */
export function growthToAsk(
  { lastVerdicts }: Pick<PhaseState, 'lastVerdicts'>,
  { showsPlans }: Pick<RunState, 'showsPlans'>,
): PlanGrowth | undefined {
  const growth = lastVerdicts.find((verdict) => verdict.growth !== undefined)?.growth;
  if (growth === undefined || needsConsent(growth)) return growth;
  const { added, changed, dropped, phases } = growth;
  const isNews = added.length + changed.length + dropped.length > 0 && phases !== undefined;
  return showsPlans === true && isNews ? growth : undefined;
}

/** Tells whether an agent wrote a phase, or wrote it anew. */
export function isGrown(id: string, { growths = [] }: Pick<RunState, 'growths'>): boolean {
  return growths.some(({ added, changed }) => added.includes(id) || changed.includes(id));
}
