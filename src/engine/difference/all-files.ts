import type { Tree, TreeFile } from '../../ports/tree.ts';

/** All files of a commit, also those outside the directory that is worked on. */
export function allFiles({ files, outside = [] }: Tree): TreeFile[] {
  return [...files, ...outside];
}
