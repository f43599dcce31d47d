import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Finding } from '../domain/finding.ts';

/** How much of a directory is kept; what lies beyond is reported, not kept. */
const TREE_LIMITS = { files: 50_000, fileBytes: 256 * 1024 * 1024, treeBytes: 1024 * 1024 * 1024, depth: 64 };

/** Something found in a directory: a regular file, or a link that stays inside. */
export type Entry = {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  readonly link?: string;
};

/** What a directory holds, and what of it cannot be kept. */
export type Listing = { readonly entries: readonly Entry[]; readonly problems: readonly Finding[] };

/** Lists a directory without following a single link; special and oversized files become findings. */
export async function listDirectory(root: string): Promise<Listing> {
  const entries: Entry[] = [];
  const problems: Finding[] = [];
  const queue: string[] = [''];
  let bytes = 0;
  for (let dir = queue.shift(); dir !== undefined; dir = queue.shift()) {
    for (const item of readdirSync(join(root, dir), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = dir === '' ? item.name : `${dir}/${item.name}`;
      if (item.isDirectory()) {
        if (path.split('/').length < TREE_LIMITS.depth) queue.push(path);
        else problems.push(problem(path, 'lies too deep to be kept'));
        continue;
      }
      const entry = inspect(root, path);
      bytes += 'size' in entry ? entry.size : 0;
      if ('check' in entry) problems.push(entry);
      else if (entries.length >= TREE_LIMITS.files) return { entries, problems: [...problems, tooMany()] };
      else if (bytes > TREE_LIMITS.treeBytes) return { entries, problems: [...problems, tooLarge()] };
      else entries.push(entry);
    }
    if (entries.length % 256 === 0) await breathe();
  }
  return { entries, problems };
}

function inspect(root: string, path: string): Entry | Finding {
  const stat = lstatSync(join(root, path));
  if (stat.isSymbolicLink()) {
    const link = readlinkSync(join(root, path));
    const target = posix.join(dirname(path), link);
    if (link.startsWith('/') || target === '..' || target.startsWith('../')) {
      return problem(path, `is a link that leaves the phase's directory (${link})`);
    }
    return { path, size: 0, executable: false, link };
  }
  if (!stat.isFile()) return problem(path, `is ${kindOf(stat)}, not a regular file`);
  if (stat.size > TREE_LIMITS.fileBytes) {
    return problem(
      path,
      `is too large to be kept (${Math.round(stat.size / 1048576)} MB, the limit is ${TREE_LIMITS.fileBytes / 1048576} MB)`,
    );
  }
  return { path, size: stat.size, executable: (stat.mode & 0o111) !== 0 };
}

function kindOf(stat: { isFIFO(): boolean; isSocket(): boolean }): string {
  if (stat.isFIFO()) return 'a FIFO';
  return stat.isSocket() ? 'a socket' : 'a device';
}

function problem(path: string, what: string): Finding {
  return {
    severity: 'warning',
    check: 'workspace',
    message: `${path} ${what}; it was not kept`,
    location: { file: path },
  };
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

/** Lists just the given files of a directory. */
export function listFiles(root: string, paths: readonly string[]): Listing {
  const found = paths.map((path) => inspect(root, path));
  return {
    entries: found.filter((entry): entry is Entry => !('check' in entry)),
    problems: found.filter((entry): entry is Finding => 'check' in entry),
  };
}

/** Reads a regular file in pieces, refusing links and special files; resolves to the bytes that were read. */
export async function readPieces(path: string, onPiece: (piece: Buffer) => void): Promise<number> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new Error(`${path} is not a regular file`);
    const buffer = Buffer.allocUnsafe(256 * 1024);
    let total = 0;
    for (;;) {
      const count = readSync(fd, buffer, 0, buffer.length, null);
      if (count === 0 || total > TREE_LIMITS.fileBytes) return total;
      onPiece(buffer.subarray(0, count));
      total += count;
      if (count === buffer.length) await breathe();
    }
  } finally {
    closeSync(fd);
  }
}
