import { publishedOf } from '../../../domain/facts/accepted-state.ts';
import type { Published } from '../../../domain/facts/result-branch.ts';
import { present } from '../../../domain/present.ts';
import type { KeptOut, RunCommits, Tip } from '../../../ports/workspace.ts';
import { commitTree } from './commit.ts';
import type { OwnRepository } from './own-repository.ts';
import { publishBranch } from './publish-branch.ts';
import { treeWithout } from './tree-without.ts';

type Accepted = {
  readonly tree: string;
  readonly message: string;
  readonly tip?: Tip;
  readonly keptOut?: KeptOut;
  readonly to: { readonly run: string; readonly branch: string; readonly commits: RunCommits };
};

/**
 * Makes a tree the newest commit of a run and moves the run's branch. From the first file on that is kept off the branch there are
 * two lines of commits: one with everything, for the phases to come, and the published one, whose history never held such a file.
 */
export async function acceptTree(
  repository: OwnRepository,
  { tree, message, tip, keptOut, to }: Accepted,
): Promise<{ commit: string; published?: Published; note?: string }> {
  const parent = tip?.commit;
  if (keptOut !== undefined) {
    const { id } = await commitTree(repository, { tree, parent, message, sign: false });
    const part = await treeWithout(repository, tree, keptOut);
    const { commit, note } = await publishTree(repository, { tree: part, message, to, ...present({ tip }) });
    const published = { tree: part, keptOut: [...keptOut.files], ...present({ commit }) };
    return { commit: id, published, ...present({ note }) };
  }
  const { id, note } = await commitTree(repository, { tree, parent, message, sign: true });
  await publishBranch(repository, { ...to, commit: id, from: parent });
  return { commit: id, ...present({ note }) };
}

/** A phase of which nothing is published adds no commit to the branch. */
async function publishTree(
  repository: OwnRepository,
  { tree, message, tip, to }: Accepted,
): Promise<{ commit?: string; note?: string }> {
  const before = tip && publishedOf(tip);
  const from = before?.commit;
  const made =
    tree === before?.tree ? undefined : await commitTree(repository, { tree, parent: from, message, sign: true });
  const commit = made?.id ?? from;
  if (commit !== undefined) await publishBranch(repository, { ...to, commit, from });
  return present({ commit, note: made?.note });
}
