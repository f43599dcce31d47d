import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { suggestion } from '../../text/did-you-mean.ts';

/** A phase of a plan by its id; throws with a guess where there is none. */
export function phaseOf(plan: Plan, id: string): Plan['phases'][number] {
  const phase = plan.phases.find((each) => each.id === id);
  if (phase !== undefined) return phase;
  throw new HelixError('not_found', `the plan has no phase ${JSON.stringify(id)}`, {
    hint: suggestion(
      id,
      plan.phases.map((each) => each.id),
    ),
  });
}

/** What a run knows of a phase. */
export function phaseStateOf(state: RunState, id: string): PhaseState {
  phaseOf(state.plan, id);
  const phase = state.phases.get(id);
  if (phase === undefined) throw new TypeError(`the state has no phase ${id}`);
  return phase;
}
