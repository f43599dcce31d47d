import type { Tree, TreeFile } from '../../ports/tree.ts';
import { allFiles } from '../difference/all-files.ts';

type Comparison = {
  /** The files that the base does not have with the same content, also those outside the project. */
  readonly changed: readonly TreeFile[];
  /** The paths of files the base has. */
  readonly before: { has(path: string): boolean };
};

const compared = new WeakMap<Tree, Comparison & { readonly base: Tree }>();

/** What a tree has that its base has not; found once, because trees can be large. */
export function compareTrees(tree: Tree, base: Tree): Comparison {
  const known = compared.get(tree);
  if (known?.base === base) return known;
  const before = new Map<string, string>();
  for (const { path, digest } of allFiles(base)) before.set(path, digest);
  const changed = allFiles(tree).filter(({ path, digest }) => before.get(path) !== digest);
  const comparison = { base, changed, before };
  compared.set(tree, comparison);
  return comparison;
}
