import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Tells whether the folders above a path are there and none of them is a link: what lies behind one is not in this tree. */
export function hasRealFolders(root: string, path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.every((_, at) =>
    lstatSync(join(root, ...folders.slice(0, at + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
}
