import type { InputFile } from '../../../domain/facts/run-event.ts';
import type { Snapshot } from '../../../ports/tree.ts';
import { isCopied, PinnedCopy } from '../../trees/pinned-copy.ts';
import { readObjects } from '../git/read-objects.ts';
import type { GitTree } from './git-tree.ts';
import type { OwnRepository } from './own-repository.ts';

type Wanted = {
  readonly tree: GitTree;
  readonly inputs: readonly InputFile[];
  /** Opens a tree that inputs come from. */
  readonly open: (id: string) => Promise<GitTree>;
  readonly repository: OwnRepository;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Pins a tree of a repository with its inputs in an empty, private directory, as git has stored it; where both have a path,
 * it is what was made that is judged.
 */
export function pinGitTree(place: string, { tree, inputs, open, repository, signal }: Wanted): Promise<Snapshot> {
  return PinnedCopy.make(place, async (copy) => {
    const files = tree.files.filter(({ path }) => isCopied(path));
    const { git, dir } = repository;
    await readObjects(
      files.map(({ digest }) => digest.replace(/^git:/, '')),
      (at) => copy.open(files[at]?.path ?? ''),
      { git, place: { gitDir: dir }, signal },
    );
    for (const { path, from } of inputs.filter((input) => isCopied(input.path) && copy.isFree(input.path))) {
      const source = await open(from.tree);
      const content = await source.read(from.path, Number.POSITIVE_INFINITY);
      if (content !== undefined) copy.put(path, content);
    }
  });
}
