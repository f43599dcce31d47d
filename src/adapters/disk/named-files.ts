import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, posix, relative } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Project } from '../../ports/project.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { globMatcher, isGlob } from '../../text/glob.ts';
import { oneLine } from '../../text/sanitise.ts';

const HIDDEN = new Set(['.git', '.helix']);

/** Where the files lie that somebody named, by the path they are known by; a link stands for what it leads to. */
export async function findNamed(
  names: readonly string[],
  { project, listed }: { readonly project: Project; readonly listed: readonly string[] },
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const path = pathOf(name, project.dir);
    const here = standing(path, name, project.dir);
    if (here?.kind === 'file') {
      found.set(path, here.real);
      continue;
    }
    const matches = await filesOf(path, here !== undefined, { project, listed });
    if (matches.length === 0) throw nothing(name, { path, isFolder: here !== undefined, listed });
    for (const each of matches) found.set(each, each);
  }
  return found;
}

function pathOf(name: string, dir: string): string {
  const path = posix.normalize(isAbsolute(name) ? relative(dir, name) || '.' : name).replace(/\/$/, '');
  if (name.trim() === '' || name.includes('\0'))
    throw usage('a file without a name was given', 'Name a file of the project.');
  if (path === '..' || path.startsWith('../') || isAbsolute(path)) {
    throw usage(
      `${shown(name)} lies outside the project ${dir}`,
      'Name files of the project; another one is chosen with -C.',
    );
  }
  if (path.split('/').some((part) => HIDDEN.has(part))) {
    throw usage(`${shown(name)} is not a file of the project's own`, 'Name what was written by people or agents.');
  }
  return path;
}

/** What lies at a path, and where that really is; refused where a link leads out. */
function standing(path: string, name: string, dir: string): { kind: 'file' | 'folder'; real: string } | undefined {
  const full = join(dir, path);
  if (!isThere(full)) return undefined;
  const real = realPath(full, name);
  const below = relative(dir, real);
  if (below === '..' || below.startsWith('../')) {
    throw usage(`${shown(name)} leads out of the project, to ${real}`, 'Replace the link by the file itself.');
  }
  const stat = lstatSync(real);
  if (stat.isFile()) return { kind: 'file', real: below };
  if (stat.isDirectory()) return { kind: 'folder', real: below };
  throw usage(`${shown(name)} is not a regular file`, 'Name plain files.');
}

/** A path through a file, or too long for one, names nothing. */
function isThere(full: string): boolean {
  try {
    return lstatSync(full, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function realPath(full: string, name: string): string {
  try {
    return realpathSync(full);
  } catch (error) {
    throw usage(`${shown(name)} is a link that leads nowhere`, 'Name the file itself.', error);
  }
}

type Around = { readonly project: Project; readonly listed: readonly string[] };

/** What a folder or a pattern stands for; what git ignores only where there is nothing else. */
async function filesOf(path: string, isFolder: boolean, { project, listed }: Around): Promise<readonly string[]> {
  if (isFolder) {
    const inside = listed.filter((each) => path === '.' || each.startsWith(`${path}/`));
    return inside.length > 0 || isGlob(path) ? inside : project.match(posix.join(path, '**'));
  }
  if (!isGlob(path)) return [];
  const matching = listed.filter(globMatcher(path));
  return matching.length > 0 ? matching : project.match(path);
}

function nothing(
  name: string,
  { path, isFolder, listed }: { path: string; isFolder: boolean; listed: readonly string[] },
): HelixError {
  if (isFolder) return usage(`there are no files in ${shown(name)}`, 'Name a file, or a folder that has some.');
  if (isGlob(path)) return usage(`no file matches ${shown(name)}`, 'See which files there are, and mend the pattern.');
  const near = didYouMean(path, listed) ?? listed.find((each) => posix.basename(each) === posix.basename(path));
  const hint = near === undefined ? 'Name a file of the project.' : `Did you mean ${shown(near)}?`;
  return usage(`there is no file ${shown(name)}`, hint);
}

function shown(name: string): string {
  return oneLine(name, 200);
}

function usage(message: string, hint: string, cause?: unknown): HelixError {
  return new HelixError('usage', message, { hint, cause });
}
