import type { RunState } from '../../domain/facts/run-state.ts';
import { isGrown } from '../../domain/growing/growth-state.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { guardedOutputs } from '../attempt/protected.ts';

/**
 * Whose settings of test runners hold for a phase in a repository: those of the last accepted work that was judged by tests,
 * else of where the run began. What has been changed since without being declared is not taken on trust.
 */
export async function settingsOrigin(
  phase: Phase,
  state: RunState,
  workspace: Pick<Workspace, 'tree'>,
): Promise<GateContext['settings']> {
  if (state.tip === undefined) return undefined;
  const accepted = state.order.map((id) => state.plan.phases.find((each) => each.id === id));
  const last = accepted.findLast((each) => each?.gates.some(({ type }) => type === 'tests_pass'));
  const tree = last === undefined ? state.base?.tree : state.phases.get(last.id)?.accepted?.tree;
  if (tree === undefined) return undefined;
  const origin = await workspace.tree(tree);
  const there = new Set(origin.files.map(({ path }) => path));
  const declaring = [phase, ...accepted.filter((each) => each !== undefined)];
  const isDeclared = declaring.map((each) => {
    const guarded = new Set(guardedOutputs(each, state.plan));
    // What an agent declared for a phase gives it leave to write such settings, not to change those there are.
    return (path: string) => guarded.has(path) && !(isGrown(each.id, state) && there.has(path));
  });
  return { origin, declared: (path) => isDeclared.some((declares) => declares(path)) };
}
