import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';

/** How much of a directory is kept; what lies beyond is reported, not kept. */
const TREE_LIMITS = { files: 50_000, fileBytes: 256 * 1024 * 1024, treeBytes: 1024 * 1024 * 1024, depth: 64 };

/** For those who want to know of everything. */
export const NO_LIMITS: typeof TREE_LIMITS = {
  ...TREE_LIMITS,
  files: Number.POSITIVE_INFINITY,
  treeBytes: Number.POSITIVE_INFINITY,
};

/** Something found in a directory: a regular file, or a link that stays inside. */
export type Entry = {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  readonly link?: string;
  /** Where its bytes lie, when that is not its own path. */
  readonly source?: string;
};

/** What a directory holds, and what of it cannot be kept. */
export type Listing = { readonly entries: readonly Entry[]; readonly problems: readonly Finding[] };

/** Lists a directory without following a single link; special and oversized files become findings. */
export async function listDirectory(root: string, limits: typeof TREE_LIMITS = TREE_LIMITS): Promise<Listing> {
  const entries: Entry[] = [];
  const problems: Finding[] = [];
  const queue: string[] = [''];
  let bytes = 0;
  for (let dir = queue.shift(); dir !== undefined; dir = queue.shift()) {
    for (const item of readdirSync(join(root, dir), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = dir === '' ? item.name : `${dir}/${item.name}`;
      const found = item.isDirectory() ? enter(root, path, limits.depth) : inspect(root, path);
      if (found === undefined) queue.push(path);
      else if ('check' in found) problems.push(found);
      else if (entries.length >= limits.files) return { entries, problems: [...problems, tooMany()] };
      else if (bytes + found.size > limits.treeBytes) return { entries, problems: [...problems, tooLarge()] };
      else {
        bytes += found.size;
        entries.push(found);
      }
    }
    if (entries.length % 256 === 0) await breathe();
  }
  return { entries, problems };
}

const SHOWN = 400;

/** Beyond this a file could not be named to the system any more. */
const MAX_PATH_BYTES = 3800;

/** Why a directory cannot be entered, if so. */
function enter(root: string, path: string, depth: number): Finding | undefined {
  if (path.split('/').length >= depth || Buffer.byteLength(join(root, path)) > MAX_PATH_BYTES)
    return problem(path, 'lies too deep to be kept');
  return isUnnameable(root, path) ? problem(path, NOT_UTF8) : undefined;
}

const NOT_UTF8 = 'has a name that is not UTF-8';

/** A name that is not UTF-8 arrives with replacement characters, under which nothing is found. */
function isUnnameable(root: string, path: string): boolean {
  return path.includes('\ufffd') && lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined;
}

function inspect(root: string, path: string, source: string = path): Entry | Finding {
  if (isUnnameable(root, source)) return problem(path, NOT_UTF8);
  const stat = lstatSync(join(root, source));
  if (stat.isSymbolicLink()) {
    const link = readlinkSync(join(root, path));
    if (leaves(path, link)) return problem(path, `is a link that leaves the phase's directory (${link})`);
    return { path, size: 0, executable: false, link };
  }
  if (!stat.isFile()) return problem(path, `is ${kindOf(stat)}, not a regular file`);
  if (stat.size > TREE_LIMITS.fileBytes) {
    return problem(
      path,
      `is too large to be kept (${Math.round(stat.size / 1048576)} MB, the limit is ${TREE_LIMITS.fileBytes / 1048576} MB)`,
    );
  }
  const executable = (stat.mode & 0o111) !== 0;
  return { path, size: stat.size, executable, ...(source !== path && { source }) };
}

/** A link may climb only before its first name: behind another link `..` is not what it seems to be. */
function leaves(path: string, link: string): boolean {
  const target = posix.join(dirname(path), link);
  const steps = link.split('/').filter((step) => step !== '' && step !== '.');
  const climbsLate = steps.some((step, index) => step === '..' && index > 0 && steps[index - 1] !== '..');
  return link.startsWith('/') || target === '..' || target.startsWith('../') || climbsLate;
}

function kindOf(stat: { isFIFO(): boolean; isSocket(): boolean }): string {
  if (stat.isFIFO()) return 'a FIFO';
  return stat.isSocket() ? 'a socket' : 'a device';
}

function problem(path: string, what: string): Finding {
  return {
    severity: 'warning',
    check: 'workspace',
    message: `${shown(path)} ${what}; it was not kept`,
    location: { file: path },
  };
}

/** Both ends of a path: a long one must not crowd out what is said about it. */
function shown(path: string): string {
  return path.length <= SHOWN ? path : `${path.slice(0, SHOWN / 2)}…${path.slice(-SHOWN / 2)}`;
}

function tooMany(): Finding {
  return {
    severity: 'error',
    check: 'workspace',
    message: `more than ${TREE_LIMITS.files} files; the rest was not kept`,
  };
}

function tooLarge(): Finding {
  return {
    severity: 'error',
    check: 'workspace',
    message: `more than ${TREE_LIMITS.treeBytes / 1048576} MB in all; the rest was not kept`,
  };
}

/** Lists just the given files of a directory; a link stands for the file it leads to, if that lies inside. */
export function listFiles(root: string, paths: readonly string[]): Listing {
  const found = paths.map((path) => {
    const source = relative(root, realpathSync(join(root, path)));
    return /^\.\.(\/|$)/.test(source) ? problem(path, 'leads out of the project') : inspect(root, path, source);
  });
  return {
    entries: found.filter((entry): entry is Entry => !('check' in entry)),
    problems: found.filter((entry): entry is Finding => 'check' in entry),
  };
}

/** Shared by all: a buffer per file would cost more than the files where there are thousands. */
let shared: Buffer | undefined;

/** Reads a regular file in pieces, refusing links and special files; a piece is gone after the call. Resolves to the bytes that were read. */
export async function readPieces(path: string, onPiece: (piece: Buffer) => void): Promise<number> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new HelixError('io', `${path} is not a regular file any more`);
    shared ??= Buffer.allocUnsafeSlow(256 * 1024);
    const buffer = shared;
    let total = 0;
    for (;;) {
      const count = readSync(fd, buffer, 0, buffer.length, null);
      if (count === 0) return total;
      if (total > TREE_LIMITS.fileBytes) throw new HelixError('io', `${path} grows while it is read`);
      onPiece(buffer.subarray(0, count));
      total += count;
      if (count === buffer.length) await breathe();
    }
  } finally {
    closeSync(fd);
  }
}
