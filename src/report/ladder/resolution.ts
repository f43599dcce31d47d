import type { ResolutionDocument } from '../../domain/documents/escalation-documents.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';

/** escalation/stufe-2/resolution.json; undefined while nobody has answered. */
export function resolution(state: RunState, request: RequestState): ResolutionDocument | undefined {
  if (request.answer === undefined) return undefined;
  const { at, decision, actor } = request.answer;
  const applied = isApplied(state, request);
  const outcome = applied ? outcomeOf(state, request) : 'in_progress';
  return { timestamp: at, request: request.id, decision, actor, applied, outcome };
}

/** Going back and taking a change wait until nothing is under way any more. */
function isApplied({ reverting, phases }: RunState, { id, phase }: RequestState): boolean {
  const goesBack = reverting.some((wish) => wish.by === 'human' && wish.phase === phase);
  return !goesBack && phases.get(phase)?.rung.taking?.request !== id;
}

function outcomeOf(state: RunState, request: RequestState): ResolutionDocument['outcome'] {
  const action = request.answer?.decision.action;
  if (action === 'abort') return 'aborted';
  if (action === 'revert') return 'reverted';
  const at = state.phases.get(request.phase);
  // What a revert made void was no pass of the gate, whatever the phase has come to since.
  if (action === 'accept') return 'overridden';
  const ids = [...state.requests.values()].filter((other) => other.phase === request.phase).map((other) => other.id);
  if (ids.at(-1) !== request.id) return 'asked_again';
  const status = at?.status;
  return status === 'passed' || status === 'skipped' || status === 'failed' ? status : 'in_progress';
}
