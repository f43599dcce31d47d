import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import { indexPaths } from '../git/index-paths.ts';

/**
 * Throws HelixError `config` where git tracks what lies below a project's `.helix`: a journal, objects and settings that
 * came with a clone were made by somebody else, and HELIX believes what lies there.
 */
export function refuseTrackedState(projectDir: string): void {
  if (!existsSync(join(projectDir, '.helix'))) return;
  const top = topAbove(projectDir);
  const gitDir = top === undefined ? undefined : gitDirIn(top);
  if (top === undefined || gitDir === undefined) return;
  const state = posix.join(relative(top, projectDir).split(sep).join('/'), '.helix');
  const tracked = indexFiles(gitDir).flatMap((file) => pathsBelow(file, state))[0];
  if (tracked === undefined) return;
  throw new HelixError(
    'config',
    `git tracks ${tracked}, but what lies in .helix/ is believed only if HELIX made it here`,
    {
      hint: 'It came with the repository. Take it out of git and off the disk: git rm -r -f .helix && git commit',
    },
  );
}

function pathsBelow(file: string, folder: string): string[] {
  const bytes = readFileSync(file);
  // Version 4 leaves out what a name has in common with the one before it.
  if (bytes[7] !== 4 && !bytes.includes('.helix')) return [];
  const paths = indexPaths(bytes);
  // What replaces entries of a split index has no names; what is added to it has.
  if (paths === undefined) return bytes.includes(`${folder}/`) ? [`${folder}/`] : [];
  return paths.filter((path) => path === folder || path.startsWith(`${folder}/`));
}

/** The index, and what it is split into. */
function indexFiles(gitDir: string): string[] {
  return readdirSync(gitDir)
    .filter((name) => name === 'index' || name.startsWith('sharedindex.'))
    .map((name) => join(gitDir, name))
    .filter((path) => lstatSync(path).isFile());
}

function topAbove(dir: string): string | undefined {
  if (existsSync(join(dir, '.git'))) return dir;
  return dirname(dir) === dir ? undefined : topAbove(dirname(dir));
}

function gitDirIn(top: string): string | undefined {
  const dot = join(top, '.git');
  if (statSync(dot).isDirectory()) return dot;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(dot, 'utf8'))?.[1];
  const dir = target === undefined ? undefined : resolve(top, target);
  return dir !== undefined && existsSync(dir) ? dir : undefined;
}
