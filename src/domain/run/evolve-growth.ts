import type { Decision } from '../facts/consultation.ts';
import type { PhaseState } from '../facts/run-state.ts';
import { type DraftState, NEW_RUNG, phaseOf, put, update } from '../facts/state-draft.ts';
import { ANY_SIZE, roomBeyond, withoutProposal } from '../ladder/growth.ts';
import { present } from '../present.ts';
import { deliver } from './deliver.ts';

/** A human said how to go on with a change that is larger than one should be; false where that is an answer like any other. */
export function settleGrowth(state: DraftState, phase: PhaseState, decision: Decision): boolean {
  const { current, rulings } = phase;
  const proceeds = decision.action === 'proceed';
  if (current?.stage === 'judged') {
    // What is wanted has changed, so the same work is another question to its judge.
    if (proceeds)
      put(state, { ...phase, status: 'running', current: { ...current, stage: 'finished' }, rung: NEW_RUNG });
    return proceeds;
  }
  if (current?.stage !== 'finished' || state.growth === undefined) return false;
  if (!proceeds) again(state, phase, decision);
  else if (current.split !== undefined) again(state, { ...phase, rulings: { ...rulings, room: ANY_SIZE } }, decision);
  else {
    const room = roomBeyond(current.size ?? state.growth, state.growth);
    put(state, { ...phase, status: 'running', rulings: { ...rulings, room } });
  }
  return true;
}

/** Whoever answers about the size anew wants no proposal any more, unless they ask for one again. */
export function forgetProposal(state: DraftState, id: string): void {
  const { history } = phaseOf(state, id);
  const guidance = withoutProposal(history.guidance);
  const told = Math.max(0, history.told - (history.guidance.length - guidance.length));
  update(state, id, { history: { ...history, guidance, told } });
}

/** Work that is not judged as it lies there, though nothing is wrong with it: the next attempt goes on from it. */
function again(state: DraftState, phase: PhaseState, { changes }: Decision): void {
  const { current } = phase;
  if (current?.tree === undefined) return;
  const { tree } = current;
  const history = deliver(state, phase, present({ changes }));
  put(state, {
    ...phase,
    status: 'pending',
    rung: NEW_RUNG,
    current: { ...current, stage: 'interrupted', start: tree },
    lastVerdicts: [],
    ...{ mended: [], unasked: [] },
    judgedTree: tree,
    history: { ...history, judged: history.judged + 1 },
  });
}
