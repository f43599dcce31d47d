import { type Changes, mergeChanges } from '../facts/consultation.ts';
import type { PhaseHistory, PhaseState } from '../facts/run-state.ts';
import { type DraftState, phaseOf, update } from '../facts/state-draft.ts';
import { addressees } from '../ladder/authors.ts';

/** What somebody decided about a phase, for whoever does the work. */
type Words = {
  readonly changes?: Changes | undefined;
  /** A revert follows, which brings the changes to all that are done again. */
  readonly reverts?: boolean;
};

/** Tells those what was decided whom it is for, and gives what the phase itself then knows: of a rejecting review, its authors are told. */
export function deliver(state: DraftState, phase: PhaseState, words: Words): PhaseHistory {
  const to = addressees(phase, state);
  const worker = workerOf(phase, state);
  for (const id of to) {
    if (id === phase.id) continue;
    const at = phaseOf(state, id);
    const isMeant = agentOf(at, state) === worker;
    const changes = words.reverts === true ? {} : isMeant ? words.changes : wordsOf(words.changes);
    update(state, id, { history: told(at.history, { ...words, changes }) });
  }
  return to.includes(phase.id) ? told(phase.history, words) : phase.history;
}

function told(history: PhaseHistory, { changes = {} }: Words): PhaseHistory {
  return { ...history, changes: mergeChanges(history.changes, changes) };
}

/** A model or another agent is chosen for one agent, and means nothing to the others. */
export function wordsOf({ model: _model, agent: _agent, ...words }: Changes = {}): Changes {
  return words;
}

/** The agent that does the work a decision about a phase is for. */
export function workerOf(phase: PhaseState, state: DraftState): string {
  const [first = phase.id] = addressees(phase, state);
  return agentOf(phaseOf(state, first), state);
}

/** Who works on a phase. */
export function agentOf({ id, history }: PhaseState, { plan, creator }: DraftState): string {
  return history.changes.agent ?? plan.phases.find((phase) => phase.id === id)?.agent ?? creator;
}
