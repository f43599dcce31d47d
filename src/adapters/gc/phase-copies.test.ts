import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import { listDirectory } from '../trees/directory-tree.ts';
import { TreeStore } from '../trees/tree-store.ts';
import { removeCopiesAndTrees } from './phase-copies.ts';
import type { KnownRun, Survey } from './survey.ts';
import { Sweep } from './sweep.ts';

function known(names: readonly string[]): KnownRun {
  const row = { run: 'r1', project: 'p', createdAt: '', updatedAt: '', status: 'open', openRequests: 0 } as const;
  return { row, owned: false, names: new Set(names), state: {} as NonNullable<KnownRun['state']> };
}

function around(runs: readonly KnownRun[]): Survey {
  return { runs, lives: () => false, someoneWorks: false, someoneStarts: false };
}

/** Two trees that share the bytes of a file, a third one, and all of them old. */
async function threeTrees() {
  const dir = scratch({ 'work/shared.txt': 'shared', 'work/own.txt': 'one' });
  const trees = join(dir, '.helix/trees');
  const store = new TreeStore(trees);
  const capture = async (from?: Awaited<ReturnType<TreeStore['open']>>) =>
    store.capture(join(dir, 'work'), await listDirectory(join(dir, 'work')), from === undefined ? {} : { from });
  const first = await capture();
  put(dir, { 'work/own.txt': 'two' });
  const second = await capture(first);
  put(dir, { 'work/shared.txt': 'other', 'work/own.txt': 'three' });
  const third = await capture();
  for (const name of readdirSync(trees)) utimesSync(join(trees, name), new Date(0), new Date(0));
  return { dir, store, first, second, third };
}

it('a pack stays as long as a tree that is named has bytes in it', async () => {
  const { dir, store, first, second, third } = await threeTrees();
  const sweep = new Sweep(false);
  await removeCopiesAndTrees(sweep, { projectDir: dir, around: around([known([second.id])]), gone: new Set() });
  expect(sweep.removed).toMatchObject([{ kind: 'tree', name: third.id.slice(0, 12) }]);
  expect((await (await store.open(second.id)).read('shared.txt', 100))?.toString()).toBe('shared');
  expect([store.has(first.id), store.has(third.id)]).toEqual([true, false]);
});

it('nothing goes where a journal cannot be read, nor what is named by the notes on a phase', async () => {
  const { dir, first, second, third } = await threeTrees();
  const { state: _unreadable, ...damaged } = known([]);
  const unsure = new Sweep(false);
  await removeCopiesAndTrees(unsure, { projectDir: dir, around: around([damaged]), gone: new Set() });
  expect([unsure.removed, unsure.kept[0]?.why]).toEqual([[], 'the journal of a run cannot be read']);
  const note = (tree: string) => JSON.stringify({ phase: 'late', made: { '': tree } });
  put(dir, {
    '.helix/left/work.json': JSON.stringify({ '': third.id }),
    '.helix/left/notes.jsonl': `${note(first.id)}\n${note(second.id)}\n${note('')}\n`,
  });
  await removeCopiesAndTrees(new Sweep(false), { projectDir: dir, around: around([]), gone: new Set() });
  expect(readdirSync(join(dir, '.helix/trees'))).toEqual([third.id]);
  expect(existsSync(join(dir, '.helix/left/work.json'))).toBe(true);
});

it('a tree stays while an attempt that started from it has not ended', async () => {
  const { dir, third } = await threeTrees();
  put(dir, { '.helix/left/notes.jsonl': `${JSON.stringify({ phase: 'late', made: { '': third.id } })}\n` });
  await removeCopiesAndTrees(new Sweep(false), { projectDir: dir, around: around([]), gone: new Set() });
  expect(readdirSync(join(dir, '.helix/trees'))).toEqual([third.id]);
});
