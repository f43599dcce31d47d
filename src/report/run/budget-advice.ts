import type { RunState } from '../../domain/facts/run-state.ts';
import { phaseLimit } from '../../domain/ladder/budget.ts';

/** How to go on with a run that is parked for its budget; `at` is what a printed command needs to find the project. */
export function budgetAdvice(state: RunState, at: string): string {
  const limited = state.plan.phases
    .filter((phase) => state.phases.get(phase.id)?.status === 'parked' && phaseLimit(phase, state) !== undefined)
    .map(({ id }) => id);
  if (limited.length > 0) {
    const raise = `Raise the budget of ${limited.join(', ')} in phases.yaml`;
    return `${raise}, then go on with: helix resume ${state.run} --replan${at}`;
  }
  const more = moreBudget(state);
  return `Go on with more: helix resume ${state.run}${more === '' ? '' : ` --budget ${more}`}${at}`;
}

/** Twice of what is spent, for every limit that is used up, as `--budget` takes it. */
function moreBudget(state: RunState): string {
  const { budget, spent } = state;
  const usd = spent.usd + spent.kept;
  const used = [
    ...(budget.usd !== undefined && usd >= budget.usd ? [`${Math.ceil(usd * 2) || 1}`] : []),
    ...(budget.minutes !== undefined && spent.ms >= budget.minutes * 60_000
      ? [`${Math.ceil(spent.ms / 30_000)}min`]
      : []),
    ...(budget.attempts !== undefined && spent.attempts >= budget.attempts ? [`${spent.attempts * 2}attempts`] : []),
  ];
  if (used.length > 0) return used.join(',');
  // An attempt has used up its share; twice the whole is twice the share.
  if (budget.minutes !== undefined && hasTakenItsTime(state)) return `${Math.ceil(budget.minutes * 2)}min`;
  return budget.usd === undefined ? '' : String(Math.ceil(budget.usd * 2));
}

function hasTakenItsTime({ phases }: RunState): boolean {
  return [...phases].some(({ status, current }) => {
    const { reservedMs, durationMs } = current ?? {};
    return status === 'parked' && reservedMs !== undefined && durationMs !== undefined && durationMs >= reservedMs;
  });
}
