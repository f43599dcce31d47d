import type { RunState } from '../../domain/facts/run-state.ts';
import { type Phase, TASK_SOURCE } from '../../domain/plan/plan.ts';
import { reproducedBefore } from '../words/reproduced.ts';

/** The tree with which the change began that a judge of a phase sees whole; earlier than the phase, where it goes on from what was accepted. */
export function changeBegan(phase: Phase, state: RunState): string | undefined {
  if (phase.type === 'approval') return state.base?.tree;
  const planned = plannedFrom(phase, state);
  if (planned !== undefined) return planned;
  if (state.continues !== undefined) return state.continues.tree;
  // A bug and its mending are one change: who judges the one has to see the test that shows the other.
  if (reproducedBefore(phase.id, state) !== undefined) return state.base?.tree;
  return state.phases.get(phase.id)?.baseTree;
}

/**
 * The tree with the plan of a task, before the first of its phases began: what comes last is held against it, so that all of them
 * together are one change. Undefined for any other phase.
 */
export function plannedFrom(
  { afterDynamic }: Pick<Phase, 'afterDynamic'>,
  { plan, phases, source }: Pick<RunState, 'plan' | 'phases' | 'source'>,
): string | undefined {
  if (afterDynamic !== true || source.path !== TASK_SOURCE) return undefined;
  const planning = plan.phases.find(({ generatesPhases }) => generatesPhases);
  return planning && phases.get(planning.id)?.accepted?.tree;
}
