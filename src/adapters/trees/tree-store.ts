import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join, posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import { ioError } from '../disk/io-error.ts';
import { type Entry, type Listing, readPieces } from './directory-tree.ts';

/** A file as the store keeps it: `pack` and `at` say where its bytes lie. */
export type StoredFile = TreeFile & { readonly pack: string; readonly at: number };

/** A link as the store keeps it. */
type StoredLink = { readonly path: string; readonly target: string };

/** A tree with what is needed to lay it out again. */
export interface StoredTree extends Tree {
  readonly stored: readonly StoredFile[];
  readonly links: readonly StoredLink[];
  /** What lies at each path: the sha256 of a file, or `-> ` and where a link leads. */
  readonly contents: ReadonlyMap<string, string>;
  /** The stored file a path names, also through links of the tree. */
  find(path: string): StoredFile | undefined;
}

type CaptureOptions = { readonly from?: StoredTree; readonly skip?: (path: string, content: string) => boolean };
type Manifest = { files: StoredFile[]; links: StoredLink[]; problems: Finding[] };

const FOOTER = 16;
const MAX_LINKS = 16;
const EMPTY: Manifest = { files: [], links: [], problems: [] };
const EMPTY_ID = treeId(EMPTY);

function treeId({ files, links, problems }: Manifest): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.executable ? 'x' : 'f'} ${file.digest} ${file.path}\0`);
  for (const link of links) hash.update(`l ${link.target}\0${link.path}\0`);
  for (const problem of problems) hash.update(`p ${problem.message}\0`);
  return hash.digest('hex');
}

/**
 * Keeps trees by their content below one directory. Each tree is one file: the bytes of the files it does not share with
 * the tree it started from, then a manifest. One flush makes it durable.
 */
export class TreeStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Freezes what was listed of a directory; files unchanged since `from` are not stored again, nor what `skip` names. */
  async capture(root: string, { entries, problems }: Listing, options: CaptureOptions = {}): Promise<StoredTree> {
    const pack = new PackWriter(this.#dir, options.from);
    const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
    try {
      for (const entry of sorted) await pack.add(root, entry, options.skip);
      const links = linksOf(sorted).filter(({ path, target }) => !options.skip?.(path, leadsTo(target)));
      const manifest: Manifest = { files: pack.files, links, problems: [...problems] };
      const id = treeId(manifest);
      if (id !== EMPTY_ID && existsSync(join(this.#dir, id))) {
        pack.discard();
        return await this.open(id);
      }
      return this.#open(id, pack.finish(id, manifest));
    } catch (error) {
      pack.discard();
      throw ioError(error, root);
    }
  }

  /** A tree with some files put in or, where there is no text, taken out; its id. */
  async edit(id: string, changes: ReadonlyMap<string, string | undefined>): Promise<string> {
    const from = await this.open(id);
    const pack = new PackWriter(this.#dir, from);
    try {
      pack.files.push(...from.stored.filter(({ path }) => !changes.has(path)));
      for (const [path, text] of changes) if (text !== undefined) pack.put(path, Buffer.from(text));
      const files = pack.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      const links = from.links.filter(({ path }) => !changes.has(path));
      const manifest: Manifest = { files, links, problems: [...from.problems] };
      const edited = treeId(manifest);
      if (this.has(edited)) pack.discard();
      else pack.finish(edited, manifest);
      return edited;
    } catch (error) {
      pack.discard();
      throw ioError(error, this.#dir);
    }
  }

  /** Tells whether a tree is here; one may have been cleared away to save space. */
  has(id: string): boolean {
    return id === EMPTY_ID || existsSync(join(this.#dir, id));
  }

  async open(id: string): Promise<StoredTree> {
    return this.#open(id, id === EMPTY_ID ? EMPTY : this.#manifest(id));
  }

  #manifest(id: string): Manifest {
    const path = join(this.#dir, id);
    if (!/^[0-9a-f]{64}$/.test(id) || !existsSync(path)) throw damaged(id);
    const fd = openSync(path, 'r');
    try {
      const size = Number(readAt(fd, -FOOTER, FOOTER).toString());
      const manifest = readManifest(readAt(fd, -FOOTER - size, size).toString());
      if (treeId(manifest) !== id) throw damaged(id);
      return manifest;
    } catch (error) {
      throw error instanceof HelixError ? error : damaged(id, error);
    } finally {
      closeSync(fd);
    }
  }

  #open(id: string, manifest: Manifest): StoredTree {
    const byPath = lazily(() => indexed(manifest.files, ({ path }) => path));
    const byLink = lazily(() => new Map(manifest.links.map(({ path, target }) => [path, leads(path, target)])));
    const find = (path: string) => {
      let at: string | undefined = path;
      for (let n = 0; n < MAX_LINKS && at !== undefined && !byPath().has(at); n += 1) at = byLink().get(at);
      return at === undefined ? undefined : byPath().get(at);
    };
    const files = lazily(() => [...manifest.files, ...linkedFiles(manifest, find)].map(plain));
    const contents = lazily(() => contentsOf(manifest));
    return {
      id,
      stored: manifest.files,
      links: manifest.links,
      get contents() {
        return contents();
      },
      get files() {
        return files();
      },
      problems: manifest.problems,
      find,
      target: async (path) => manifest.links.find((link) => link.path === path)?.target,
      read: async (path, limit) => {
        const file = find(path);
        return file && this.#bytes(file, limit);
      },
    };
  }

  #bytes(file: StoredFile, limit: number): Buffer {
    if (file.size > limit) return this.#part(file, limit);
    const pieces: Buffer[] = [];
    this.pieces(file, (piece) => pieces.push(piece));
    return Buffer.concat(pieces);
  }

  #part(file: StoredFile, limit: number): Buffer {
    const fd = this.#pack(file);
    try {
      return readAt(fd, file.at, limit);
    } finally {
      closeSync(fd);
    }
  }

  #pack(file: StoredFile): number {
    try {
      return openSync(join(this.#dir, file.pack), 'r');
    } catch (error) {
      throw damaged(file.pack, error);
    }
  }

  /** Hands a file's bytes out in pieces, so that a large one never lies in memory whole; throws when they are not what was stored. */
  pieces(file: StoredFile, onPiece: (piece: Buffer) => void): void {
    const hash = createHash('sha256');
    const fd = this.#pack(file);
    try {
      for (let done = 0; done < file.size; ) {
        const piece = readAt(fd, file.at + done, Math.min(file.size - done, 1024 * 1024));
        if (piece.length === 0) throw damaged(file.pack);
        hash.update(piece);
        onPiece(piece);
        done += piece.length;
      }
      if (hash.digest('hex') !== file.digest) throw damaged(file.pack);
    } finally {
      closeSync(fd);
    }
  }
}

/** Trees of the first HELIX called the digest by its kind. */
function readManifest(text: string): Manifest {
  const { files, ...rest } = JSON.parse(text) as Omit<Manifest, 'files'> & {
    files: (StoredFile & { sha256?: string })[];
  };
  return {
    ...rest,
    files: files.map(({ sha256, ...file }) => (sha256 === undefined ? file : { ...file, digest: sha256 })),
  };
}

function damaged(id: string, cause?: unknown): HelixError {
  return new HelixError('journal', `the stored tree ${id.slice(0, 12)} is gone or damaged`, {
    hint: 'The run cannot go on without it; start a new one: helix run',
    cause,
  });
}

function linksOf(entries: readonly Entry[]): StoredLink[] {
  return entries.flatMap(({ path, link }) => (link === undefined ? [] : [{ path, target: link }]));
}

/** Made when first asked for: of a tree with thousands of files most are never looked up. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function indexed<T>(items: readonly T[], key: (item: T) => string): Map<string, T> {
  const index = new Map<string, T>();
  for (const item of items) index.set(key(item), item);
  return index;
}

function linkedFiles({ links }: Manifest, find: (path: string) => StoredFile | undefined): StoredFile[] {
  return links.flatMap(({ path }) => {
    const target = find(path);
    return target === undefined ? [] : [{ ...target, path }];
  });
}

function plain({ path, digest, size, executable }: StoredFile): TreeFile {
  return { path, digest, size, executable };
}

function contentsOf({ files, links }: Manifest): Map<string, string> {
  const contents = new Map<string, string>();
  for (const { path, digest } of files) contents.set(path, digest);
  for (const { path, target } of links) contents.set(path, leadsTo(target));
  return contents;
}

/** Where a link leads, as a path of its tree. */
function leads(path: string, target: string): string {
  return posix.join(posix.dirname(path), target);
}

function leadsTo(target: string): string {
  return `-> ${target}`;
}

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  const from = position < 0 ? fstatSync(fd).size + position : position;
  let done = 0;
  while (done < length) {
    const count = readSync(fd, buffer, done, length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

/** Gathers a tree's new bytes in a file that gets its name only when it is complete and flushed. */
class PackWriter {
  readonly files: StoredFile[] = [];
  readonly #dir: string;
  readonly #path: string;
  readonly #known: ReadonlyMap<string, StoredFile>;
  #fd: number | undefined;
  #end = 0;

  constructor(dir: string, from: StoredTree | undefined) {
    this.#dir = dir;
    this.#path = join(dir, `.${randomBytes(8).toString('hex')}.tmp`);
    this.#known = new Map(from?.stored.map((file) => [file.path, file]));
  }

  async add(root: string, entry: Entry, skip: CaptureOptions['skip']): Promise<void> {
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
    if (id === EMPTY_ID) {
      this.discard();
      return complete;
    }
    const text = Buffer.from(JSON.stringify(complete));
    const fd = this.#open();
    this.#end += writeAll(fd, text, this.#end);
    this.#end += writeAll(fd, Buffer.from(String(text.length).padStart(FOOTER)), this.#end);
    ftruncateSync(fd, this.#end);
    fdatasyncSync(fd);
    closeSync(fd);
    this.#fd = undefined;
    renameSync(this.#path, join(this.#dir, id));
    flushDirectory(this.#dir);
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

function flushDirectory(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
