import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Processes } from '../../../ports/processes.ts';
import type { KeptSetUp } from './kept-set-ups.ts';
import { differing, stampsBelow } from './tree-stamps.ts';
import { removeDirectory } from './worktree.ts';

const WALL_MS = 30 * 60_000;

type Means = {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
  /** Where it is made, on the disk where it is used. */
  readonly work: string;
};

type Spare = {
  readonly key: string;
  readonly folders: readonly string[];
  readonly place: string;
  readonly stop: AbortController;
  /** How all of it lay there when it was found to be what was installed; undefined where it was not. */
  readonly stamps: Promise<readonly string[] | undefined>;
};

/**
 * A copy of what set-up installed that is made while agents and gates work, so that the next one need not wait for it. There is one
 * at most. What works meanwhile could write there: it is used only if it is what was installed.
 */
export class SpareCopy {
  readonly #means: Means;
  #spare: Spare | undefined;
  #made = 0;

  constructor(means: Means) {
    this.#means = means;
  }

  /** Begins to make one, unless there is one. */
  begin(kept: KeptSetUp, folders: readonly string[]): void {
    if (this.#spare !== undefined) return;
    this.#made += 1;
    const place = join(this.#means.work, `spare-${this.#made}`);
    const stop = new AbortController();
    // What cannot be made now is made when it is needed, and what is in its way is told then.
    const stamps = this.#make(kept, { folders, place, signal: stop.signal })
      .catch(() => undefined)
      .then(async (made) => {
        // Half a copy only takes room from whoever works.
        if (made === undefined) await removeDirectory(place);
        return made;
      });
    this.#spare = { key: kept.key, folders, place, stop, stamps };
  }

  /** Puts the copy into a directory; false where there is none of this, or it is not what it should be. */
  async take({ key }: KeptSetUp, folders: readonly string[], dir: string): Promise<boolean> {
    const spare = this.#spare;
    if (spare === undefined) return false;
    this.#spare = undefined;
    const isThat = spare.key === key && spare.folders.join('\0') === folders.join('\0');
    if (!isThat) spare.stop.abort();
    const stamps = await spare.stamps;
    const isGood = isThat && stamps !== undefined && differing(stamps, await stampsBelow(spare.place)).length === 0;
    if (isGood) folders.forEach((folder, at) => void move(join(spare.place, String(at)), join(dir, folder)));
    await removeDirectory(spare.place);
    return isGood;
  }

  /** Leaves nothing behind. */
  async close(): Promise<void> {
    const spare = this.#spare;
    this.#spare = undefined;
    spare?.stop.abort();
    await spare?.stamps;
    if (spare !== undefined) await removeDirectory(spare.place);
  }

  /** Its files are compared after it was noted how they lie there: as long as they lie so, they are what they were compared with. */
  async #make(
    { files }: KeptSetUp,
    { folders, place, signal }: Pick<Spare, 'folders' | 'place'> & { readonly signal: AbortSignal },
  ): Promise<readonly string[] | undefined> {
    mkdirSync(place, { mode: 0o700 });
    const pairs = folders.map((folder, at) => [join(files, folder), join(place, String(at))] as const);
    for (const [from, to] of pairs)
      if (!(await this.#run(['cp', '-a', '--reflink=auto', '-T', '--', from, to], signal))) return undefined;
    const stamps = await stampsBelow(place);
    for (const [from, to] of pairs)
      if (!(await this.#run(['diff', '-rq', '--no-dereference', '--', from, to], signal))) return undefined;
    return stamps;
  }

  async #run(argv: readonly string[], signal: AbortSignal): Promise<boolean> {
    const { processes, env, marker, work } = this.#means;
    const own = `${marker}:spare-${this.#made}`;
    const { exitCode } = await processes.run({ argv, cwd: work, env, marker: own, wallMs: WALL_MS, signal });
    return exitCode === 0;
  }
}

function move(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}
