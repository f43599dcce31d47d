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

type Pinned = { readonly stamp: string; readonly copy: PinnedCopy };
type Found = { readonly path: string; readonly stamp: string };

/**
 * The project around the directories of phases, for judges to consult: copied once, and shared by all of them as long as nothing in
 * it changes. What phases work in, what HELIX keeps and what looks like secrets is no part of it.
 */
export class ProjectAround {
  readonly #dir: string;
  readonly #list: () => Promise<readonly string[]>;
  #pinned: Pinned | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(dir: string, list: () => Promise<readonly string[]>) {
    this.#dir = dir;
    this.#list = list;
  }

  /** Puts the project into a folder of a copy that nobody has seen yet, without copying its bytes again. */
  into(copy: CopyWriter, folder: string, signal: AbortSignal | undefined): Promise<void> {
    return this.#alone(async () => {
      const shared = await this.#current(signal);
      for (const { path, sha256: digest } of shared.files) {
        copy.link(join(folder, path), { from: join(shared.dir, path), sha256: digest });
      }
    });
  }

  /** Removes the shared copy; the next judge gets another one. */
  forget(): Promise<void> {
    return this.#alone(() => this.#drop());
  }

  /** Judges that are asked at the same time wait for one copy. */
  #alone(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #drop(): Promise<void> {
    const pinned = this.#pinned;
    this.#pinned = undefined;
    await pinned?.copy.dispose();
  }

  async #current(signal: AbortSignal | undefined): Promise<PinnedCopy> {
    const found = this.#files(await this.#list());
    const stamp = sha256(JSON.stringify(found));
    if (this.#pinned?.stamp !== stamp) {
      await this.#drop();
      this.#pinned = { stamp, copy: await this.#pin(found, signal) };
    }
    return this.#pinned.copy;
  }

  #files(paths: readonly string[]): Found[] {
    const found: Found[] = [];
    let room = LIMITS.bytes;
    for (const path of paths) {
      if (WORK.test(path) || isSecretFile(path) || !isCopied(path)) continue;
      const stat = lstatSync(join(this.#dir, path), { throwIfNoEntry: false, bigint: true });
      const size = Number(stat?.size ?? 0);
      if (!stat?.isFile() || size > LIMITS.fileBytes || size > room) continue;
      room -= size;
      found.push({ path, stamp: `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}` });
      if (found.length >= LIMITS.files) break;
    }
    return found;
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
