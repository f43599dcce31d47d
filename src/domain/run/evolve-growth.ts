import type { Decision } from '../facts/consultation.ts';
import type { PhaseState } from '../facts/run-state.ts';
import { type DraftState, NEW_RUNG, put } from '../facts/state-draft.ts';
import { ANY_SIZE, growthWords, roomBeyond } from '../ladder/growth.ts';
import { present } from '../present.ts';
import type { Verdict } from '../verdict.ts';
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

/** Work that is not judged as it lies there: the next attempt goes on from it. */
function again(state: DraftState, phase: PhaseState, { changes }: Decision): void {
  const { current } = phase;
  if (current?.tree === undefined) return;
  const { tree } = current;
  const finding = { severity: 'error', check: 'growth', message: growthWords(phase, state) } as const;
  const verdict: Verdict = { gate: 'growth', outcome: 'reject', findings: [finding], tree, durationMs: 0 };
  const history = deliver(state, phase, present({ changes }));
  put(state, {
    ...phase,
    status: 'pending',
    rung: NEW_RUNG,
    current: { ...current, stage: 'judged' },
    lastVerdicts: [verdict],
    judgedTree: tree,
    history: { ...history, judged: history.judged + 1 },
  });
}
