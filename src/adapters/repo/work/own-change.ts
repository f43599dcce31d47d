import { mkdirSync } from 'node:fs';
import type { InputFile } from '../../../domain/facts/run-event.ts';
import { present } from '../../../domain/present.ts';
import type { OwnChange, OwnCopy } from '../../../ports/manual-changes.ts';
import { type CopyNote, makeCopy, noteOf, noteTaken, putFiles, withdrawCopy } from '../../trees/own-copy.ts';
import type { GitTree } from '../own/git-tree.ts';
import type { OwnRepository } from '../own/own-repository.ts';
import { type Standing, Worktree } from './worktree.ts';

type Means = {
  readonly repository: OwnRepository;
  readonly tree: (id: string) => Promise<GitTree>;
  readonly standing: (commit: string | undefined) => Promise<Standing>;
  /** Puts in what is not in the tree: copies and inputs from elsewhere, by path with their blob. */
  readonly bringIn: (
    worktree: Worktree,
    tree: GitTree,
    inputs: readonly InputFile[],
  ) => Promise<ReadonlyMap<string, string>>;
};

/** The copy for a human, made where it is not there yet; what set-up installs they install themselves. */
export async function offerChange({ dir, request, start, base, inputs }: OwnCopy, means: Means): Promise<CopyNote> {
  if (start === undefined) throw new TypeError('a change in a repository builds on something');
  const known = noteOf(dir, request);
  if (known !== undefined) return known;
  return makeCopy(dir, async (root) => {
    const worktree = new Worktree(means.repository, { root, index: `${dir}.index` });
    const tree = await means.tree(start);
    await worktree.layOut(tree, await means.standing(base));
    const given = Object.fromEntries(await means.bringIn(worktree, tree, inputs));
    return { request, start, given, ...present({ base }) };
  });
}

type Taking = OwnCopy & {
  readonly files: ReadonlyMap<string, string>;
  readonly cache: readonly string[];
  readonly declared: readonly string[];
};

/** Freezes what a human has made of their copy. */
export async function takeChange({ files, cache, declared, ...copy }: Taking, means: Means): Promise<OwnChange> {
  const { dir } = copy;
  const note = await offerChange(copy, means);
  const { start, base } = note;
  const refused = putFiles(workTree(dir, means).dir, files);
  const { tree, notices } = await captured({ dir, note, cache, declared }, means);
  noteTaken(dir, note, tree);
  const change = { start, tree: await means.tree(tree), notices: [...refused, ...notices] };
  return { ...change, ...present({ base }) };
}

type Looked = Pick<Taking, 'dir' | 'cache' | 'declared'>;

/** Removes the copy of a human; what they changed there and nobody took is kept, and its place is the answer. */
export function withdrawChange(
  { unless, ...looked }: Looked & { readonly unless: string | undefined },
  means: Means,
): Promise<string | undefined> {
  const isKnown = async (note: CopyNote) => {
    const { tree } = await captured({ ...looked, note }, means);
    return tree === note.start || tree === note.taken;
  };
  return withdrawCopy(looked.dir, { unless, isKnown });
}

/** An index of its own: whoever dies meanwhile leaves that of the copy as it was. */
function workTree(dir: string, { repository }: Means): Worktree {
  const worktree = new Worktree(repository, { root: dir, index: `${dir}.index.taking` });
  mkdirSync(worktree.dir, { recursive: true });
  return worktree;
}

async function captured({ dir, note, cache, declared }: Looked & { readonly note: CopyNote }, means: Means) {
  const worktree = workTree(dir, means);
  await worktree.takeUp(await means.tree(note.start), `${dir}.index`);
  const theirs = { cache: [...cache, '.helix'], given: new Map(Object.entries(note.given)), declared };
  return worktree.capture(theirs);
}
