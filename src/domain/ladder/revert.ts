import { isBegun, type PhaseState, type RunState } from '../facts/run-state.ts';
import { isJudge } from '../plan/judging-phase.ts';
import type { Plan } from '../plan/plan.ts';
import { followersOf, phasesBefore } from './plan-graph.ts';

/**
 * The phases a run can go back to from one of its phases: accepted work that it builds on, nearest first. No judge is asked again about
 * work that stays as it is. What a run in a repository took over from another one is part of where it began.
 */
export function revertTargets(id: string, { plan, phases, tip, line }: RunState): string[] {
  const own = new Set(line.map(({ phase }) => phase));
  return phasesBefore({ id }, plan)
    .filter(({ id: each, type }) => !isJudge({ type }) && (tip === undefined || own.has(each)))
    .map(({ id: each }) => each)
    .filter((each) => phases.get(each)?.accepted !== undefined)
    .toReversed();
}

/**
 * All that is void when a run goes back to before a phase: what depends on it and, in a repository, where every phase sees what was
 * accepted before it, all that was begun or accepted since that phase was first accepted.
 */
export function revertReach(target: string, state: RunState): string[] {
  const { plan, phases, tip, line } = state;
  const followers = followersOf(target, plan);
  const after = new Set(line.slice(lineBefore(target, state)).map(({ phase }) => phase));
  const since = (id: string) => tip !== undefined && (after.has(id) || phases.get(id)?.accepted === undefined);
  return plan.phases.map(({ id }) => id).filter((id) => concerns(phases.get(id)) && (followers.has(id) || since(id)));
}

/** Also a phase that was only let start, or asks whether it may: that was said about what is void now. */
function concerns(at: PhaseState | undefined): boolean {
  return hasWork(at) || at?.cleared === true || at?.status === 'waiting';
}

/** Work that was sent back is still what its phase would begin with. */
function hasWork(at: PhaseState | undefined): boolean {
  return isBegun(at) || at?.judgedTree !== undefined;
}

/** How much of what was accepted comes before anything of a phase, and of all that are void with it. */
export function lineBefore(target: string, { line, plan, phases }: RunState): number {
  const gone = followersOf(target, plan);
  for (const at of phases) if (concerns(at) && at.accepted === undefined) gone.add(at.id);
  for (let before = line.length; ; ) {
    const first = line.findIndex(({ phase }) => gone.has(phase));
    if (first === -1 || first === before) return before;
    before = first;
    for (const { phase } of line.slice(first)) gone.add(phase);
  }
}

/** The phase a task is called by: its id, or its place in the plan, counted from 1. */
export function phaseOfTask(task: string | number, { phases }: Plan): string | undefined {
  const named = phases.find(({ id }) => id === String(task));
  return named?.id ?? (/^\d+$/.test(String(task)) ? phases[Number(task) - 1]?.id : undefined);
}
