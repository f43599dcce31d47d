import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Project, WorkedDirectory } from '../../ports/project.ts';
import { globBase, globMatcher, isGlob } from '../../text/glob.ts';
import { isBare, looksBare } from './bare-repository.ts';
import { ioError } from './io-error.ts';

const HIDDEN = new Set(['.helix', '.git']);
const SKIPPED = new Set([...HIDDEN, 'node_modules']);
const MAX_ENTRIES = 100_000;

/** A project on disk; throws HelixError `not_found` when the directory does not exist. */
export function openProject(path: string): Project {
  try {
    const dir = realpathSync(path);
    if (!lstatSync(dir).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
    return new ProjectDirectory(dir);
  } catch (error) {
    throw new HelixError('not_found', `${path} is not a directory`, {
      hint: 'Name the directory of the project.',
      cause: error,
    });
  }
}

class ProjectDirectory implements Project {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async read(path: string, limit: number): Promise<string | undefined> {
    const full = this.#inside(path);
    if (full === undefined) return undefined;
    try {
      return readText(full, path, limit);
    } catch (error) {
      throw ioError(error, path);
    }
  }

  async match(pattern: string): Promise<readonly string[]> {
    const wanted = posix.normalize(pattern);
    try {
      if (!isGlob(wanted)) return this.#isFile(wanted) ? [wanted] : [];
      const base = globBase(wanted);
      return this.#isSearched(base) ? search(this.dir, base, filesOf(wanted)) : [];
    } catch (error) {
      throw ioError(error, pattern);
    }
  }

  async links(folder: string): Promise<readonly string[]> {
    const names = posix.normalize(folder).split('/');
    try {
      const above = names.map((_, index) => names.slice(0, index + 1).join('/'));
      const first = above.find((path) => lstatSync(join(this.dir, path), { throwIfNoEntry: false })?.isSymbolicLink());
      if (first !== undefined) return [first];
      return this.#isSearched(names.join('/')) ? search(this.dir, names.join('/'), linksIn(folder)) : [];
    } catch (error) {
      throw ioError(error, folder);
    }
  }

  async target(path: string): Promise<string | undefined> {
    const full = join(this.dir, path);
    try {
      return lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(full) : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
      throw ioError(error, path);
    }
  }

  async hasDirectory(path: string): Promise<boolean> {
    const full = this.#inside(path);
    return full !== undefined && lstatSync(full).isDirectory();
  }

  async inGit(): Promise<boolean> {
    return this.#top() !== undefined;
  }

  async fromTop(path: string): Promise<WorkedDirectory | { readonly problem: string }> {
    const top = this.#top();
    if (top === undefined) return { problem: 'needs a git repository, and the project is in none' };
    const names = posix
      .normalize(path)
      .split('/')
      .filter((name) => name !== '.' && name !== '');
    const problem = names.map((_, at) => troubleAt(top, names.slice(0, at + 1))).find((each) => each !== undefined);
    if (problem !== undefined) return { problem };
    const dir = join(top, ...names);
    return { project: new ProjectDirectory(dir), home: relative(dir, this.dir) };
  }

  #top(): string | undefined {
    for (let dir = this.dir; ; dir = dirname(dir)) {
      if (existsSync(join(dir, '.git'))) return dir;
      if (looksBare(dir)) throw isBare(dir);
      if (dir === dirname(dir)) return undefined;
    }
  }

  #isFile(path: string): boolean {
    if (path.split('/').some((name) => HIDDEN.has(name))) return false;
    const full = this.#inside(path);
    return full !== undefined && lstatSync(full).isFile();
  }

  /** Tells whether a folder is one that a search from the top would have come to. */
  #isSearched(base: string): boolean {
    const names = base === '.' ? [] : base.split('/');
    if (names.some((name) => name === '..' || SKIPPED.has(name))) return false;
    return names.every((_, index) =>
      lstatSync(join(this.dir, ...names.slice(0, index + 1)), { throwIfNoEntry: false })?.isDirectory(),
    );
  }

  /** The real path of something in the project; undefined when it does not exist; refused when a link leads out. */
  #inside(path: string): string | undefined {
    const real = realPath(join(this.dir, path), path);
    if (real !== undefined && /^\.\.(\/|$)/.test(relative(this.dir, real))) {
      throw new HelixError('io', `${path} leads out of the project, to ${real}`, {
        hint: 'Replace the link by the file itself.',
      });
    }
    return real;
  }
}

/** Why a folder of a repository cannot be worked on; a link could lead anywhere, also later. */
function troubleAt(top: string, names: readonly string[]): string | undefined {
  const name = names.join('/');
  if (HIDDEN.has(names.at(-1) ?? '')) return `leads to ${name}, which is not there to be worked on`;
  const stat = lstatSync(join(top, name), { throwIfNoEntry: false });
  if (stat === undefined) return `leads to ${name}, which the repository does not have`;
  if (stat.isSymbolicLink()) return `leads to ${name}, which is a link`;
  if (!stat.isDirectory()) return `leads to ${name}, which is not a directory`;
  const isOther = lstatSync(join(top, name, '.git'), { throwIfNoEntry: false }) !== undefined;
  return isOther ? `leads to ${name}, which is a git repository of its own` : undefined;
}

function realPath(full: string, path: string): string | undefined {
  try {
    // Most of what is asked for is not there, and that is told by one look.
    return lstatSync(full, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync(full);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw ioError(error, path);
  }
}

function readText(full: string, path: string, limit: number): string {
  const fd = openSync(full, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile())
      throw new HelixError('io', `${path} is not a regular file`, { hint: 'Replace it by a plain file.' });
    if (stat.size > limit) {
      throw new HelixError('io', `${path} is too large: ${stat.size} bytes, the limit is ${limit}`, {
        hint: 'Make it smaller.',
      });
    }
    const bytes = Buffer.alloc(stat.size);
    const count = readSync(fd, bytes, 0, bytes.length, 0);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes.subarray(0, count));
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new HelixError('io', `${path} is not UTF-8 text`, { hint: 'Save it as UTF-8.', cause: error });
    }
    throw error;
  } finally {
    closeSync(fd);
  }
}

type Wanted = { readonly name: string; readonly fits: (item: Dirent, path: string) => boolean };

function filesOf(pattern: string): Wanted {
  const matches = globMatcher(pattern);
  return { name: pattern, fits: (item, path) => item.isFile() && matches(path) };
}

function linksIn(folder: string): Wanted {
  return { name: `links in ${folder}`, fits: (item) => item.isSymbolicLink() };
}

function search(root: string, base: string, { name, fits }: Wanted): string[] {
  const found: string[] = [];
  const queue = [base];
  let seen = 0;
  for (let dir = queue.shift(); dir !== undefined; dir = queue.shift()) {
    for (const item of readdirSync(join(root, dir), { withFileTypes: true })) {
      const path = posix.join(dir, item.name);
      seen += 1;
      if (item.isDirectory() && !SKIPPED.has(item.name)) queue.push(path);
      if (fits(item, path)) found.push(path);
    }
    if (seen > MAX_ENTRIES) {
      throw new HelixError('io', `there are more than ${MAX_ENTRIES} files to look through for ${name}`, {
        hint: 'Name the folder the files lie in.',
      });
    }
  }
  return found.sort();
}
