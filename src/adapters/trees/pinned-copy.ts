import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeSync,
} from 'node:fs';
import { join, posix } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { HelixError } from '../../domain/helix-error.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { ioError } from '../disk/io-error.ts';
import { removeQuietly } from '../disk/private-directory.ts';
import { readPieces } from './directory-tree.ts';

/** Beyond this many, that it was tampered with needs no further proof. */
const MAX_CHANGES = 1000;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

type Pinned = Map<string, string>;

/** A file of a copy that is being written. */
export type OpenCopy = { readonly write: (piece: Buffer) => void; readonly end: () => void };

/** Fills a copy that nobody has seen yet. */
export class CopyWriter {
  readonly dir: string;
  readonly pinned: Pinned = new Map();
  readonly folders = new Set<string>();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Tells whether a path can still be had: neither it nor anything above or below it is taken. */
  isFree(path: string): boolean {
    return !this.pinned.has(path) && !this.folders.has(path) && !foldersOf(path).some((each) => this.pinned.has(each));
  }

  /** Begins a file; what it comes to is known by what was written, whatever it should have been. */
  open(path: string): OpenCopy {
    this.#makeFolders(path);
    const fd = openSync(join(this.dir, path), NEW_FILE, 0o444);
    const hash = createHash('sha256');
    return {
      write: (piece) => {
        hash.update(piece);
        for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
      },
      end: () => {
        closeSync(fd);
        this.pinned.set(path, hash.digest('hex'));
      },
    };
  }

  put(path: string, content: Buffer): void {
    const file = this.open(path);
    try {
      if (content.length > 0) file.write(content);
    } finally {
      file.end();
    }
  }

  /** Takes in a file of another copy, whose bytes both share; its digest is known. */
  link(path: string, { from, sha256 }: { readonly from: string; readonly sha256: string }): void {
    this.#makeFolders(path);
    try {
      linkSync(from, join(this.dir, path));
    } catch {
      // Another file system, or too many names for one file.
      copyFileSync(from, join(this.dir, path), constants.COPYFILE_EXCL);
    }
    this.pinned.set(path, sha256);
  }

  #makeFolders(path: string): void {
    const folders = foldersOf(path).filter((folder) => !this.folders.has(folder));
    for (const folder of folders) {
      mkdirSync(join(this.dir, folder), { mode: 0o700 });
      this.folders.add(folder);
    }
  }
}

/** Tells whether a path may be in a copy: what git keeps for itself is none of a judge's business. */
export function isCopied(path: string): boolean {
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) {
    throw new HelixError('io', `${JSON.stringify(path)} is no path of a file`, { hint: 'Remove it from the tree.' });
  }
  return !names.some((name) => name.toLowerCase() === '.git');
}

/** A copy of files in a directory of its own, each known by its sha256. */
export class PinnedCopy implements Snapshot {
  readonly dir: string;
  readonly files: Snapshot['files'];
  readonly #place: string;
  readonly #pinned: Pinned;
  readonly #folders: ReadonlySet<string>;

  private constructor(place: string, { dir, pinned, folders }: CopyWriter) {
    this.#place = place;
    this.dir = dir;
    this.#pinned = pinned;
    this.#folders = folders;
    this.files = [...pinned].map(([path, sha256]) => ({ path, sha256 })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Makes a copy in `place`, an empty directory nobody else can enter; where that fails, the place is removed. */
  static async make(place: string, fill: (copy: CopyWriter) => Promise<void>): Promise<PinnedCopy> {
    const copy = new CopyWriter(join(place, 'pinned'));
    try {
      mkdirSync(copy.dir, { mode: 0o700 });
      await fill(copy);
      for (const folder of copy.folders) chmodSync(join(copy.dir, folder), 0o555);
      chmodSync(copy.dir, 0o555);
      return new PinnedCopy(place, copy);
    } catch (error) {
      removeQuietly(place);
      throw ioError(error, copy.dir);
    }
  }

  /** The same copy with a file more, as long as nobody has seen it. */
  with(path: string, content: Buffer): PinnedCopy {
    const copy = new CopyWriter(this.dir);
    for (const [each, sha256] of this.#pinned) copy.pinned.set(each, sha256);
    for (const folder of this.#folders) copy.folders.add(folder);
    try {
      chmodSync(this.dir, 0o700);
      copy.put(path, content);
      chmodSync(this.dir, 0o555);
    } catch (error) {
      throw ioError(error, path);
    }
    return new PinnedCopy(this.#place, copy);
  }

  async read(path: string, limit: number): Promise<Buffer | undefined> {
    const name = posix.normalize(path);
    const expected = this.#pinned.get(name);
    if (expected === undefined) return undefined;
    const kept: Buffer[] = [];
    let room = limit;
    const found = await this.#sha256(name, (piece) => {
      if (room > 0) kept.push(Buffer.from(piece.subarray(0, room)));
      room -= Math.min(room, piece.length);
    });
    if (found === expected) return Buffer.concat(kept);
    throw new HelixError('io', `the pinned copy of ${path} is not what was pinned any more`, {
      hint: 'Something on this machine has changed it. Ask for the approval again.',
    });
  }

  async changed(): Promise<readonly string[]> {
    const changed: string[] = [];
    const left = new Set(this.#pinned.keys());
    const queue = [''];
    for (let dir = queue.pop(); dir !== undefined && changed.length < MAX_CHANGES; dir = queue.pop()) {
      const names = this.#list(dir);
      if (names === undefined) changed.push(dir === '' ? '.' : dir);
      for (const name of names ?? []) {
        const path = dir === '' ? name : `${dir}/${name}`;
        if (this.#isFolder(path)) queue.push(path);
        else if (!left.delete(path) || !(await this.#isPinned(path))) changed.push(path);
      }
      await breathe();
    }
    return [...new Set([...changed, ...left])].slice(0, MAX_CHANGES).sort();
  }

  async dispose(): Promise<void> {
    removeQuietly(this.#place);
  }

  #isFolder(path: string): boolean {
    return (
      this.#folders.has(path) && lstatSync(join(this.dir, path), { throwIfNoEntry: false })?.isDirectory() === true
    );
  }

  async #isPinned(path: string): Promise<boolean> {
    return (await this.#sha256(path, () => undefined)) === this.#pinned.get(path);
  }

  /** The names in a folder; undefined where it is not a folder any more, or closed. */
  #list(dir: string): string[] | undefined {
    try {
      return lstatSync(join(this.dir, dir)).isDirectory() ? readdirSync(join(this.dir, dir)) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The digest of what lies there now; undefined where that is not a file that can be read. */
  async #sha256(path: string, onPiece: (piece: Buffer) => void): Promise<string | undefined> {
    const hash = createHash('sha256');
    try {
      await readPieces(join(this.dir, path), (piece) => {
        hash.update(piece);
        onPiece(piece);
      });
    } catch {
      return undefined;
    }
    return hash.digest('hex');
  }
}

/** The folders above a path, the outermost first. */
function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}
