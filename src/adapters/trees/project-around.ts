import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { HelixError } from '../../domain/helix-error.ts';
import { sha256 } from '../../text/digest.ts';
import { isSecretFile } from '../../text/secrets/secret-files.ts';
import { makePrivateDirectory } from '../disk/private-directory.ts';
import { readStable } from '../disk/read-stable.ts';
import { type CopyWriter, isCopied, PinnedCopy } from './pinned-copy.ts';

/** How much of a project a judge is shown around the work; what lies beyond is left out. */
const LIMITS = { files: 20_000, bytes: 200 * 1024 * 1024, fileBytes: 10 * 1024 * 1024 };

/** The folders in which HELIX and the phases of a run work. */
const WORK = /^(?:\.helix|phases)\//;

type Found = { readonly path: string; readonly stamp: string };
type Listed = { readonly files: readonly Found[]; readonly leftOut: number };
type Pinned = { readonly stamp: string; readonly copy: PinnedCopy; readonly leftOut: number };

/**
 * The project around the directories of phases, for judges to consult: copied once, and shared by all of them as long as nothing in
 * it changes. What phases work in, what HELIX keeps and what looks like secrets is no part of it.
 */
export class ProjectAround {
  readonly #dir: string;
  readonly #limits: typeof LIMITS;
  readonly #list: () => Promise<readonly string[]>;
  #pinned: Pinned | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(dir: string, list: () => Promise<readonly string[]>, limits = LIMITS) {
    this.#dir = dir;
    this.#limits = limits;
    this.#list = list;
  }

  /** Puts the project into a folder of a copy that nobody has seen yet, without copying its bytes again; resolves to how many files are too many or too large for it. */
  into(copy: CopyWriter, folder: string, signal: AbortSignal | undefined): Promise<number> {
    return this.#alone(async () => {
      const { copy: shared, leftOut } = await this.#current(signal);
      for (const { path, sha256: digest } of shared.files) {
        copy.link(join(folder, path), { from: join(shared.dir, path), sha256: digest });
      }
      return leftOut;
    });
  }

  /** Removes the shared copy; the next judge gets another one. */
  forget(): Promise<void> {
    return this.#alone(() => this.#drop());
  }

  /** Judges that are asked at the same time wait for one copy. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  async #drop(): Promise<void> {
    const pinned = this.#pinned;
    this.#pinned = undefined;
    await pinned?.copy.dispose();
  }

  async #current(signal: AbortSignal | undefined): Promise<Pinned> {
    const { files, leftOut } = this.#files(await this.#list());
    const stamp = sha256(JSON.stringify(files));
    if (this.#pinned?.stamp !== stamp) {
      await this.#drop();
      this.#pinned = { stamp, copy: await this.#pin(files, signal), leftOut };
    }
    return { ...this.#pinned, leftOut };
  }

  #files(paths: readonly string[]): Listed {
    const files: Found[] = [];
    let leftOut = 0;
    let room = this.#limits.bytes;
    for (const path of paths) {
      if (WORK.test(path) || isSecretFile(path) || !isCopied(path)) continue;
      const stat = lstatSync(join(this.#dir, path), { throwIfNoEntry: false, bigint: true });
      const size = Number(stat?.size ?? 0);
      if (!stat?.isFile()) continue;
      if (size > this.#limits.fileBytes || size > room || files.length >= this.#limits.files) {
        leftOut += 1;
        continue;
      }
      room -= size;
      files.push({ path, stamp: `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}` });
    }
    // Who lists as many does not look for more.
    return { files, leftOut: paths.length < this.#limits.files ? leftOut : Math.max(1, leftOut) };
  }

  #pin(files: readonly Found[], signal: AbortSignal | undefined): Promise<PinnedCopy> {
    return PinnedCopy.make(makePrivateDirectory('project', this.#dir), async (writer) => {
      for (const { path } of files) {
        const content = readable(join(this.#dir, path));
        if (content !== undefined && writer.isFree(path)) writer.put(path, content);
        if (writer.pinned.size % 64 === 0) await breathe();
        if (signal?.aborted) throw new HelixError('stopped', 'stopped while files were copied');
      }
    });
  }
}

/** What nobody may read, or changes all the time, is no part of what can be consulted. */
function readable(path: string): Buffer | undefined {
  try {
    return readStable(path, LIMITS.fileBytes)?.content;
  } catch (error) {
    if (error instanceof HelixError && error.code === 'io') return undefined;
    throw error;
  }
}
