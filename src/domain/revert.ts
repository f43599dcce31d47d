import { followersOf } from './amend.ts';
import type { Plan } from './plan.ts';
import { isBegun, type RunState } from './run-state.ts';

/** The phases a run can go back to from one of its phases: accepted work that it builds on, nearest first. */
export function revertTargets(id: string, { plan, phases }: RunState): string[] {
  const before = ancestorsOf(id, plan);
  return plan.phases
    .filter(({ id: each, type }) => before.has(each) && type !== 'approval' && phases.get(each)?.accepted !== undefined)
    .map(({ id: each }) => each)
    .toReversed();
}

function ancestorsOf(id: string, plan: Plan): Set<string> {
  const by = new Map(plan.phases.map((phase) => [phase.id, phase.dependsOn]));
  const found = new Set<string>();
  const open = [...(by.get(id) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(by.get(next) ?? []));
  }
  return found;
}

/**
 * All that is void when a run goes back to before a phase: what depends on it and, in a repository, where every phase sees what was
 * accepted before it, all that was begun or accepted since.
 */
export function revertReach(target: string, { plan, phases, order, tip }: RunState): string[] {
  const followers = followersOf(target, plan);
  const before = order.indexOf(target);
  const kept = new Set(before === -1 ? order : order.slice(0, before));
  const since = (id: string) => tip !== undefined && !kept.has(id);
  return plan.phases.map(({ id }) => id).filter((id) => isBegun(phases.get(id)) && (followers.has(id) || since(id)));
}

/** The phase a task is called by: its id, or its place in the plan, counted from 1. */
export function phaseOfTask(task: string | number, { phases }: Plan): string | undefined {
  const named = phases.find(({ id }) => id === String(task));
  return named?.id ?? (/^\d+$/.test(String(task)) ? phases[Number(task) - 1]?.id : undefined);
}
