import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { isAdrFileName } from './adr-file-names.ts';
import { type AdrFile, readAdrFile, reasonOf } from './read-adr-file.ts';
import { realPath, walkAdrFolder } from './walk-adr-folder.ts';

/** ADRs that are looked at together. */
export type AdrSet = {
  readonly directory: string;
  /** True when it is all ADRs of its directory. */
  readonly whole: boolean;
  readonly files: readonly AdrFile[];
  /** The other ADRs in the directories of the files, those whose path is wanted; read when they are asked for. */
  readonly beside: (wanted: (path: string) => boolean) => readonly AdrFile[];
};

/** Reads files given by name as one set and each directory below a given folder as one; throws `not_found` where there is nothing. */
export function readAdrSets(paths: readonly string[], { cwd }: { cwd: string }): AdrSet[] {
  const seen = new Set<string>();
  const folders = paths.filter((path) => kindOf(path, cwd) === 'folder');
  const sets = folders.flatMap((path) => folderSets(resolve(cwd, path), seen, cwd));
  const named = [...new Set(paths.filter((path) => !folders.includes(path)).map((path) => resolve(cwd, path)))];
  const files = named.filter((file) => !seen.has(realPath(file)));
  return files.length === 0 ? sets : [namedSet(files, cwd), ...sets];
}

const PLACES = [
  'docs/adr',
  'doc/adr',
  'docs/adrs',
  'docs/ADR',
  'docs/decisions',
  'doc/decisions',
  'docs/architecture/decisions',
  'doc/architecture/decisions',
  'docs/architecture/adr',
  'architecture/decisions',
  'adr',
  'adrs',
  'decisions',
];

/** Where a repository keeps its ADRs, as seen from a directory in it: what `.adr-dir` names, or one of the usual places. */
export function findAdrDirectory(cwd: string): string | undefined {
  for (const directory of upward(cwd)) {
    const places = [adrToolsPlace(directory), ...PLACES].filter((place) => place !== undefined);
    const found = places
      .map((place) => join(directory, place))
      .find((path) => isDirectory(path) && isInRepository(path, cwd));
    if (found !== undefined) return shown(found, cwd);
  }
  return undefined;
}

/**
 * Tells whether a path, whether or not it is there yet, lies in the repository around a directory. Links and what `.adr-dir` says may have
 * come with a clone, and must not make HELIX write elsewhere.
 */
export function isInRepository(path: string, cwd: string): boolean {
  const top = realPath(upward(cwd).at(-1) ?? cwd);
  let at = path;
  while (lstatSync(at, { throwIfNoEntry: false }) === undefined && dirname(at) !== at) at = dirname(at);
  const real = realPath(at);
  return existsSync(at) && (real === top || real.startsWith(top.endsWith(sep) ? top : `${top}${sep}`));
}

/** A directory and those around it up to the root of its repository; outside of one, only itself. */
export function upward(directory: string): string[] {
  const all = [directory];
  for (let at = directory; !existsSync(join(at, '.git')); at = dirname(at)) {
    if (dirname(at) === at) return [directory];
    all.push(dirname(at));
  }
  return all;
}

function adrToolsPlace(directory: string): string | undefined {
  const file = join(directory, '.adr-dir');
  if (!isFile(file)) return undefined;
  return readFileSync(file, 'utf8').split('\n')[0]?.trim() || undefined;
}

function isFile(path: string): boolean {
  return kind(path) === 'file';
}

function isDirectory(path: string): boolean {
  return kind(path) === 'folder';
}

/** What a path leads to, where that can be told. */
function kind(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : undefined;
  } catch {
    return undefined;
  }
}

/** Throws when there is nothing of that name; a link to nothing is something, and is reported as a finding. */
function kindOf(path: string, cwd: string): 'folder' | 'file' {
  const file = resolve(cwd, path);
  try {
    if (lstatSync(file).isSymbolicLink() && !existsSync(file)) return 'file';
    return statSync(file).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') return 'file';
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const near = nearby(file);
      throw new HelixError('not_found', `there is no ${JSON.stringify(path)}`, {
        hint:
          near === undefined ? 'Name files or folders with ADRs.' : `did you mean ${JSON.stringify(shown(near, cwd))}?`,
      });
    }
    throw new HelixError('usage', `${JSON.stringify(path)} cannot be read: ${reasonOf(code)}`);
  }
}

function nearby(file: string): string | undefined {
  const parent = dirname(file);
  const near = didYouMean(basename(file), namesIn(parent));
  return near === undefined ? undefined : join(parent, near);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

function namedSet(files: readonly string[], cwd: string): AdrSet {
  const directories = [...new Set(files.map((file) => dirname(file)))];
  const given = new Set(files);
  return {
    directory: shown(directories.reduce(commonDirectory), cwd),
    whole: false,
    files: files.map((file) => readAdrFile(file, shown(file, cwd))),
    beside: (wanted) =>
      directories
        .flatMap((directory) => namesIn(directory).map((name) => join(directory, name)))
        .filter((file) => !given.has(file) && isAdrFileName(basename(file), basename(dirname(file))))
        .filter((file) => wanted(file) && isFile(file))
        .map((file) => readAdrFile(file, shown(file, cwd))),
  };
}

function commonDirectory(a: string, b: string): string {
  let common = a;
  while (b !== common && !b.startsWith(common.endsWith(sep) ? common : common + sep)) common = dirname(common);
  return common;
}

function folderSets(root: string, seen: Set<string>, cwd: string): AdrSet[] {
  const known = seen.has(realPath(root));
  const found = walkAdrFolder(root, { seen, shown: (path) => shown(path, cwd) });
  if (found.size === 0 && !known) {
    throw new HelixError('not_found', `there is no ADR in ${JSON.stringify(shown(root, cwd))}`, {
      hint: 'ADRs are files that end with .md or .markdown; README, index and template files are none.',
    });
  }
  return [...found].map(([directory, files]) => ({
    directory: shown(directory, cwd),
    whole: true,
    files,
    beside: () => [],
  }));
}

function shown(path: string, cwd: string): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}
