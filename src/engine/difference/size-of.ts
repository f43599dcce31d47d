import type { Size } from '../../domain/facts/change-size.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Tree } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { allFiles } from './all-files.ts';
import { changedFiles } from './changed-files.ts';
import { linesWithin, type UnshownSide, unshownLines } from './unshown-lines.ts';

const READ_LIMIT = 32 * 1024 * 1024;

/** How much the run has changed with a tree; undefined where nobody asks. */
export async function sizeOf(
  tree: Tree,
  { growth, base }: Pick<RunState, 'growth' | 'base'>,
  workspace: Workspace,
): Promise<Size | undefined> {
  if (growth === undefined || base === undefined) return undefined;
  const size = { files: 0, lines: 0 };
  let before: Sides | undefined;
  let after: Sides | undefined;
  const spans = [{ from: base.tree, to: tree.id, below: '' }];
  for await (const { path, added, removed, patch, only } of changedFiles(spans, { workspace, top: '' })) {
    size.files += 1;
    size.lines += added + removed + (patch === undefined ? 0 : linesWithin(patch));
    if (only !== 'large' && only !== 'binary') continue;
    before ??= sidesOf(await workspace.tree(base.tree));
    after ??= sidesOf(tree);
    size.lines += unshownLines(path, await before(path), await after(path));
  }
  return size;
}

type Sides = (path: string) => Promise<UnshownSide | undefined>;

function sidesOf(tree: Tree): Sides {
  const files = new Map(allFiles(tree).map((file) => [file.path, file]));
  return async (path) => {
    const file = files.get(path);
    const content = file && (await tree.read(path, READ_LIMIT));
    return content && { content, size: file.size };
  };
}
