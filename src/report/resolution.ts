import type { ResolutionDocument } from '../domain/documents.ts';
import type { RequestState, RunState } from '../domain/run-state.ts';

/** escalation/stufe-2/resolution.json; undefined while nobody has answered. */
export function resolution(state: RunState, requestId: string): ResolutionDocument | undefined {
  const request = state.requests.get(requestId);
  if (request?.answer === undefined) return undefined;
  const { at, decision, actor } = request.answer;
  return { timestamp: at, request: request.id, decision, actor, applied: true, outcome: outcomeOf(state, request) };
}

function outcomeOf(state: RunState, request: RequestState): ResolutionDocument['outcome'] {
  if (request.answer?.decision.action === 'abort') return 'aborted';
  const ids = [...state.requests.values()].filter((other) => other.phase === request.phase).map((other) => other.id);
  if (ids.at(-1) !== request.id) return 'asked_again';
  const status = state.phases.get(request.phase)?.status;
  return status === 'passed' || status === 'skipped' || status === 'failed' ? status : 'in_progress';
}
