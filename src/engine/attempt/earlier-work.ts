import type { EarlierWork } from '../../brief/brief-facts.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Workspace } from '../../ports/workspace.ts';

type Around = { readonly workspace: Pick<Workspace, 'changed'>; readonly state: RunState };

/** In a repository: what the run had changed by the commit an attempt builds on, without what the attempts before it did. */
export async function earlierWork(
  commit: string | undefined,
  { workspace, state }: Around,
): Promise<EarlierWork | undefined> {
  const { base, tip, line, order, phases } = state;
  if (base === undefined || tip === undefined) return undefined;
  const tree = (commit === base.commit ? base.tree : line.findLast((each) => each.commit === commit)?.tree) ?? tip.tree;
  // A run that took over the work of another begins where that one had come to.
  const first = phases.get(order[0] ?? '')?.baseTree ?? base.tree;
  if (tree === first) return { files: [] };
  const files = await workspace.changed(first, tree);
  return { files, to: commit, ...(first === base.tree && { from: base.commit }) };
}
