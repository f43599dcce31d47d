import { isBegun, type RunState } from '../facts/run-state.ts';
import type { Phase } from '../plan/plan.ts';
import { objects, returnTargets } from './authors.ts';
import { followersOf } from './plan-graph.ts';

/** What goes back: the phases that get it, and all that it takes with it. */
export type Return = { readonly targets: readonly string[]; readonly reach: ReadonlySet<string> };

/**
 * What goes back when a phase sends it. Judges that become void with it and object, too, have their objections delivered: whoever
 * made what they object to gets it back as well.
 */
export function returnOf(phase: string, first: readonly string[], state: RunState): Return {
  const targets = new Set(first);
  for (;;) {
    const reach = reachOf(phase, targets, state);
    const others = state.plan.phases.filter(({ id }) => id !== phase && reach.has(id));
    const before = targets.size;
    for (const judge of others.filter((each) => objects(each, state.phases.get(each.id)) && hasAuthors(each))) {
      for (const target of returnTargets(judge, state.phases.get(judge.id), state)) targets.add(target);
    }
    if (targets.size === before) return { targets: [...targets], reach };
  }
}

/** An approval whose plan sends nothing back has nobody of its own to send it to. */
function hasAuthors({ type, onRejection }: Phase): boolean {
  return type !== 'approval' || onRejection?.action === 'retry_phase';
}

/**
 * All that work takes with it when a phase sends it back: what depends on it and, in a repository, where every phase sees what was
 * accepted before it, whoever had the very content approved that was rejected.
 */
function reachOf(phase: string, targets: ReadonlySet<string>, { plan, approvals, tip }: RunState): Set<string> {
  const reach = new Set([...targets].flatMap((target) => [...followersOf(target, plan)]));
  if (tip === undefined) return reach;
  const content = ({ path, sha256 }: { path: string; sha256: string }) => `${sha256} ${path}`;
  const rejected = new Set(approvals.findLast((given) => given.phase === phase)?.result.inputs.map(content));
  for (const { phase: other, result, void: gone } of approvals) {
    if (gone === true || other === phase || !result.inputs.some((input) => rejected.has(content(input)))) continue;
    for (const id of followersOf(other, plan)) reach.add(id);
  }
  return reach;
}

/** What becomes void when a phase sends work back, in the order of the plan. */
export function voidedBy({ reach }: Return, { plan, phases }: RunState): string[] {
  return plan.phases.map(({ id }) => id).filter((id) => reach.has(id) && isBegun(phases.get(id)));
}
