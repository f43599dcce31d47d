import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { TreeFile } from '../../ports/tree.ts';
import { type Entry, readPieces } from './directory-tree.ts';

/** A file as the store keeps it: `pack` and `at` say where its bytes lie. */
export type StoredFile = TreeFile & { readonly pack: string; readonly at: number };

/** A link as the store keeps it. */
export type StoredLink = { readonly path: string; readonly target: string };

/** All of a tree but the bytes of its files. */
export type Manifest = { files: StoredFile[]; links: StoredLink[]; problems: Finding[] };

/** Tells which files are not stored, by their path and content. */
export type Skip = (path: string, content: string) => boolean;

/** A pack ends with the length of its manifest, in so many characters. */
export const FOOTER = 16;

/** Gathers a tree's new bytes in a file that gets its name when it is complete, and is flushed then. */
export class PackWriter {
  readonly files: StoredFile[] = [];
  readonly #dir: string;
  readonly #path: string;
  readonly #known: ReadonlyMap<string, StoredFile>;
  #fd: number | undefined;
  #end = 0;

  constructor(dir: string, known: readonly StoredFile[] = []) {
    this.#dir = dir;
    this.#path = join(dir, `.${randomBytes(8).toString('hex')}.tmp`);
    this.#known = new Map(known.map((file) => [file.path, file]));
  }

  async add(root: string, entry: Entry, skip: Skip | undefined): Promise<void> {
    if (entry.link !== undefined) return;
    const { path, executable } = entry;
    const hash = createHash('sha256');
    const fd = this.#open();
    let size = 0;
    await readPieces(join(root, entry.source ?? path), (piece) => {
      hash.update(piece);
      size += writeAll(fd, piece, this.#end + size);
    });
    const file = { path, digest: hash.digest('hex'), size, executable };
    if (skip?.(path, file.digest)) return;
    const known = this.#known.get(path);
    if (known?.digest === file.digest) {
      this.files.push({ ...known, executable });
    } else {
      this.files.push({ ...file, pack: '', at: this.#end });
      this.#end += size;
    }
  }

  put(path: string, bytes: Buffer): void {
    const digest = createHash('sha256').update(bytes).digest('hex');
    this.files.push({ path, digest, size: bytes.length, executable: false, pack: '', at: this.#end });
    this.#end += writeAll(this.#open(), bytes, this.#end);
  }

  finish(id: string, manifest: Manifest): Manifest {
    const files = manifest.files.map((file) => (file.pack === '' ? { ...file, pack: id } : file));
    const complete = { ...manifest, files };
    const text = Buffer.from(JSON.stringify(complete));
    const fd = this.#open();
    this.#end += writeAll(fd, text, this.#end);
    this.#end += writeAll(fd, Buffer.from(String(text.length).padStart(FOOTER)), this.#end);
    ftruncateSync(fd, this.#end);
    // Named first, its flush takes the name along on most file systems: that of the directory then has nothing left to write.
    const place = join(this.#dir, id);
    renameSync(this.#path, place);
    try {
      fdatasyncSync(fd);
      flush(this.#dir);
    } catch (error) {
      // After a flush that failed, none that succeeds says anything about these bytes.
      rmSync(place, { force: true });
      throw error;
    }
    closeSync(fd);
    this.#fd = undefined;
    return complete;
  }

  discard(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    rmSync(this.#path, { force: true });
  }

  #open(): number {
    if (this.#fd === undefined) {
      mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
      this.#fd = openSync(this.#path, 'wx+', 0o600);
    }
    return this.#fd;
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): number {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  return bytes.length;
}

/** Makes what was written to a file, or to a directory, durable. */
export function flush(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
