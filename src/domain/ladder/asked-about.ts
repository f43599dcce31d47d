import type { RequestState, RunState } from '../facts/run-state.ts';
import { isJudge } from '../plan/judging-phase.ts';
import { nearestCreator } from './authors.ts';
import { addresseesOf } from './direction.ts';

/** The phase whose work a question is about: of one about a judgement the one that made what was judged. */
export function askedAbout(request: Pick<RequestState, 'phase'>, state: RunState): string {
  const asking = state.plan.phases.find(({ id }) => id === request.phase);
  if (asking === undefined || !isJudge(asking)) return request.phase;
  const [target = request.phase] = addresseesOf({ action: 'retry' }, request, state);
  const author = target === request.phase ? nearestCreator(asking, state.plan) : target;
  return author !== undefined && state.phases.has(author) ? author : request.phase;
}
