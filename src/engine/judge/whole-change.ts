import type { RunState } from '../../domain/facts/run-state.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { reproducedBefore } from '../step/reproduced.ts';

/** The tree with which the change began that a judge of a phase sees whole; earlier than the phase, where it goes on from what was accepted. */
export function changeBegan(phase: Phase, state: RunState): string | undefined {
  if (phase.type === 'approval') return state.base?.tree;
  if (state.continues !== undefined) return state.continues.tree;
  // A bug and its mending are one change: who judges the one has to see the test that shows the other.
  if (reproducedBefore(phase.id, state) !== undefined) return state.base?.tree;
  return state.phases.get(phase.id)?.baseTree;
}
