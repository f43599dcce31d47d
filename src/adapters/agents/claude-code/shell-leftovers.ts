import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const OWN = '.claude';
const NAMELESS = join(OWN, '.cc-writes');
const READ_ONLY = 0o444;

/**
 * Remembers what lies where the walls of the program's shell hang: they need something to be mounted on, and what they made
 * for that stays behind when the shell is ended from outside. The result clears it away: empty, read-only, and new.
 */
export function watchShell(dir: string): () => void {
  const folders = ['.', OWN];
  const before = new Set(folders.flatMap((folder) => mountPoints(dir, folder)));
  const madeBefore = new Set([OWN, NAMELESS].filter((folder) => existsSync(join(dir, folder))));
  return () => {
    for (const path of folders.flatMap((folder) => mountPoints(dir, folder))) {
      if (!before.has(path)) rmSync(join(dir, path));
    }
    for (const folder of [NAMELESS, OWN]) {
      if (!madeBefore.has(folder) && isEmpty(join(dir, folder))) rmdirSync(join(dir, folder));
    }
  };
}

function mountPoints(dir: string, folder: string): string[] {
  const at = join(dir, folder);
  if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(at)
    .map((name) => join(folder, name))
    .filter((path) => {
      const stat = lstatSync(join(dir, path), { throwIfNoEntry: false });
      return stat?.isFile() === true && stat.size === 0 && (stat.mode & 0o777) === READ_ONLY;
    });
}

function isEmpty(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(path).length === 0;
}
