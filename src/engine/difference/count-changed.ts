import type { Tree } from '../../ports/tree.ts';
import { allFiles } from './all-files.ts';

/** How many files differ between two trees, told by their digests alone; `but` names a file that does not count. */
export function countChanged(before: Tree | undefined, after: Tree, but?: string): number {
  const [old, now] = [contents(before), contents(after)];
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths].filter((path) => path !== but && old.get(path) !== now.get(path)).length;
}

function contents(tree: Tree | undefined): Map<string, string> {
  const files = tree === undefined ? [] : allFiles(tree);
  return new Map(files.map(({ path, digest, executable }) => [path, `${digest}${executable ? ' executable' : ''}`]));
}
