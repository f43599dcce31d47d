import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import { ioError } from '../disk/io-error.ts';
import type { Entry, Listing } from './directory-tree.ts';
import {
  FOOTER,
  flush,
  type Manifest,
  PackWriter,
  type Skip,
  type StoredFile,
  type StoredLink,
} from './pack-writer.ts';

/** A tree with what is needed to lay it out again. */
export interface StoredTree extends Tree {
  readonly stored: readonly StoredFile[];
  readonly links: readonly StoredLink[];
  /** What lies at each path: the sha256 of a file, or `-> ` and where a link leads. */
  readonly contents: ReadonlyMap<string, string>;
  /** The stored file a path names, also through links of the tree. */
  find(path: string): StoredFile | undefined;
}

type CaptureOptions = { readonly from?: StoredTree; readonly skip?: Skip };

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
  /** Trees that this process has flushed, or found whole and flushed again. */
  readonly #flushed = new Set<string>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Freezes what was listed of a directory; files unchanged since `from` are not stored again, nor what `skip` names. */
  async capture(root: string, { entries, problems }: Listing, options: CaptureOptions = {}): Promise<StoredTree> {
    const pack = new PackWriter(this.#dir, options.from?.stored);
    const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
    try {
      for (const entry of sorted) await pack.add(root, entry, options.skip);
      const links = linksOf(sorted).filter(({ path, target }) => !options.skip?.(path, leadsTo(target)));
      const manifest: Manifest = { files: pack.files, links, problems: [...problems] };
      const id = treeId(manifest);
      return this.#open(id, this.#keep(id, manifest, pack));
    } catch (error) {
      pack.discard();
      throw ioError(error, root);
    }
  }

  /** A tree with some files put in or, where there is no text, taken out; its id. */
  async edit(id: string, changes: ReadonlyMap<string, string | Buffer | undefined>): Promise<string> {
    const from = await this.open(id);
    const pack = new PackWriter(this.#dir, from.stored);
    try {
      pack.files.push(...from.stored.filter(({ path }) => !changes.has(path)));
      for (const [path, text] of changes) if (text !== undefined) pack.put(path, Buffer.from(text));
      const files = pack.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      const links = from.links.filter(({ path }) => !changes.has(path));
      const manifest: Manifest = { files, links, problems: [...from.problems] };
      const edited = treeId(manifest);
      this.#keep(edited, manifest, pack);
      return edited;
    } catch (error) {
      pack.discard();
      throw ioError(error, this.#dir);
    }
  }

  /** Gives a tree its place, unless it lies there already. */
  #keep(id: string, manifest: Manifest, pack: PackWriter): Manifest {
    const found = id === EMPTY_ID ? EMPTY : this.#found(id);
    if (found === undefined) {
      const kept = pack.finish(id, manifest);
      this.#flushed.add(id);
      return kept;
    }
    pack.discard();
    return found;
  }

  /**
   * The tree that lies under a name, if it is whole and on disk: whoever was killed, or a machine that stopped, may have left it
   * there torn or not flushed, because a tree gets its name before its flush.
   */
  #found(id: string): Manifest | undefined {
    if (!existsSync(join(this.#dir, id))) return undefined;
    if (this.#flushed.has(id)) return this.#manifest(id);
    try {
      const manifest = this.#manifest(id);
      for (const file of manifest.files) if (file.pack === id) this.pieces(file, () => undefined);
      flush(join(this.#dir, id));
      flush(this.#dir);
      this.#flushed.add(id);
      return manifest;
    } catch (error) {
      // What cannot be read now is not known to be torn.
      if (!(error instanceof HelixError)) throw error;
      if (isSystemError(error.cause)) throw error.cause;
      return undefined;
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

function isSystemError(cause: unknown): boolean {
  return cause instanceof Error && 'errno' in cause;
}
