import type { Budget } from './plan.ts';
import type { RunState } from './run-state.ts';

/** What a run may spend when nobody said otherwise. */
export const DEFAULT_BUDGET: Budget = { usd: 10, minutes: 120 };

/** Says which limit of the run is used up, if any. */
export function spentLimit(state: Pick<RunState, 'budget' | 'spent'>): string | undefined {
  const { budget, spent } = state;
  if (budget.usd !== undefined && spent.usd >= budget.usd && spent.usd > 0) {
    return `${spent.usd.toFixed(2)} of ${budget.usd.toFixed(2)} USD are spent`;
  }
  if (budget.minutes !== undefined && spent.ms >= budget.minutes * 60_000) {
    return `${budget.minutes} agent minutes are used up`;
  }
  if (budget.attempts !== undefined && spent.attempts >= budget.attempts) {
    return `${budget.attempts} attempts are used up`;
  }
  return undefined;
}
