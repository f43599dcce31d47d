import { mkdirSync } from 'node:fs';
import { posix } from 'node:path';
import type { InputFile } from '../../../domain/facts/run-event.ts';
import type { Phase } from '../../../domain/plan/plan.ts';
import { present } from '../../../domain/present.ts';
import type { ManualChanges, OwnChange, OwnCopy } from '../../../ports/manual-changes.ts';
import { ioError } from '../../disk/io-error.ts';
import { type CopyNote, makeCopy, noteOf, noteTaken, putFiles, withdrawCopy } from '../../trees/own-copy.ts';
import { seenFrom } from '../git/seen-from.ts';
import type { GitTree } from '../own/git-tree.ts';
import type { OwnRepository } from '../own/own-repository.ts';
import { type Standing, Worktree } from './worktree.ts';

type Means = {
  readonly repository: OwnRepository;
  /** Folders that set-up fills, relative to the project. */
  readonly cache: readonly string[];
  readonly tree: (id: string) => Promise<GitTree>;
  readonly standing: (commit: string | undefined) => Promise<Standing>;
  /** Puts in what is not in the tree: copies and inputs from elsewhere, by path with their blob. */
  readonly copyIn: (
    worktree: Worktree,
    tree: GitTree,
    inputs: readonly InputFile[],
  ) => Promise<ReadonlyMap<string, string>>;
};

/** Humans change a phase's work in worktrees of their own; what set-up installs they install themselves. */
export class ManualWorktrees implements ManualChanges {
  readonly #means: Means;

  constructor(means: Means) {
    this.#means = means;
  }

  async offer(_phase: Phase, copy: OwnCopy): Promise<void> {
    await usable(copy.dir, () => this.#offered(copy));
  }

  take(phase: Phase, copy: OwnCopy & { readonly files: ReadonlyMap<string, string> }): Promise<OwnChange> {
    const { dir, files } = copy;
    return usable(dir, async () => {
      const note = await this.#offered(copy);
      const { start, base } = note;
      const refused = putFiles(this.#worktree(dir).dir, files);
      const { tree, notices } = await this.#capture(dir, note, phase);
      noteTaken(dir, note, tree);
      const change = { start, tree: await this.#means.tree(tree), notices: [...refused, ...notices] };
      return { ...change, ...present({ base }) };
    });
  }

  withdraw(
    dir: string,
    { phase, unless }: { readonly phase: Phase | undefined; readonly unless?: string },
  ): Promise<string | undefined> {
    const isKnown = async (note: CopyNote) => {
      const { tree } = await this.#capture(dir, note, phase);
      return tree === note.start || tree === note.taken;
    };
    return usable(dir, () => withdrawCopy(dir, { unless, isKnown }));
  }

  /** The copy for a human, made where it is not there yet. */
  async #offered({ dir, request, start, base, inputs }: OwnCopy): Promise<CopyNote> {
    if (start === undefined) throw new TypeError('a change in a repository builds on something');
    const known = noteOf(dir, request);
    if (known !== undefined) return known;
    const { repository, tree: open, standing, copyIn } = this.#means;
    return makeCopy(dir, async (root) => {
      const worktree = new Worktree(repository, { root, index: `${dir}.index` });
      const tree = await open(start);
      await worktree.layOut(tree, await standing(base));
      const given = Object.fromEntries(await copyIn(worktree, tree, inputs));
      return { request, start, given, ...present({ base }) };
    });
  }

  async #capture(dir: string, { start, given }: CopyNote, phase: Phase | undefined) {
    const worktree = this.#worktree(dir);
    await worktree.takeUp(await this.#means.tree(start), `${dir}.index`);
    return worktree.capture({
      cache: [...this.#means.cache, ...this.#ownState()],
      given: new Map(Object.entries(given)),
      declared: phase?.output.files ?? [],
    });
  }

  /** What HELIX keeps where it is called: somebody may have tried it in the copy. */
  #ownState(): string[] {
    const { prefix, home } = this.#means.repository.user;
    return [...new Set(['.helix', seenFrom(prefix, posix.join(home, '.helix'))])];
  }

  /** An index of its own: whoever dies meanwhile leaves that of the copy as it was. */
  #worktree(dir: string): Worktree {
    const worktree = new Worktree(this.#means.repository, { root: dir, index: `${dir}.index.taking` });
    mkdirSync(worktree.dir, { recursive: true });
    return worktree;
  }
}

async function usable<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ioError(error, dir);
  }
}
