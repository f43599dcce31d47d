import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents, makeFifo, put, scratch } from '../../../test/scratch.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import { listDirectory } from './directory-tree.ts';
import { layOut } from './lay-out.ts';
import { type StoredTree, TreeStore } from './tree-store.ts';

type Made = { store: TreeStore; tree: StoredTree };

async function treeOf(files: Readonly<Record<string, string>>, change?: (dir: string) => void): Promise<Made> {
  const store = new TreeStore(scratch());
  const dir = scratch(files);
  change?.(dir);
  return { store, tree: await store.capture(dir, await listDirectory(dir)) };
}

function inputsOf(tree: StoredTree): InputFile[] {
  return tree.files.map(({ path, digest }) => ({ path: `input/${path}`, digest, from: { tree: tree.id, path } }));
}

it('a directory then holds the tree and nothing else, and what was right stays untouched', async () => {
  const { store, tree } = await treeOf({ same: 'same', changed: 'new', 'sub/missing': 'there', empty: '' });
  const dir = scratch({ same: 'same', changed: 'old', extra: 'x', 'old/deep/extra': 'x', 'sub/extra': 'x' });
  makeFifo(join(dir, 'pipe'));
  symlinkSync('/etc/passwd', join(dir, 'leaves'));
  symlinkSync('same', join(dir, 'link'));
  const inode = statSync(join(dir, 'same')).ino;
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ same: 'same', changed: 'new', 'sub/missing': 'there', empty: '' });
  expect(statSync(join(dir, 'same')).ino).toBe(inode);
});

it('links and executables of the tree come out as they were', async () => {
  const { store, tree } = await treeOf({ run: '#!/bin/sh\n', plain: 'x' }, (dir) => {
    chmodSync(join(dir, 'run'), 0o755);
    symlinkSync('run', join(dir, 'link'));
  });
  const dir = scratch({ run: '#!/bin/sh\n', plain: 'x', link: 'not a link' });
  chmodSync(join(dir, 'plain'), 0o755);
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ run: '#!/bin/sh\n', plain: 'x', link: '-> run' });
  expect(['run', 'plain'].map((path) => statSync(join(dir, path)).mode & 0o111)).toEqual([0o111, 0]);
});

it.each([
  ['a folder where a file belongs', { 'a/x/y': 'x' }, { a: 'file' }],
  ['an empty folder where a file belongs', { 'a/.keep': 'x' }, { a: 'file' }],
  ['a file where a folder belongs', { a: 'x' }, { 'a/b/c': 'file' }],
  ['a FIFO where a file belongs', { '.fifo': '' }, { a: 'file' }],
])('%s makes way', async (_what, before, after) => {
  const { store, tree } = await treeOf(after);
  const dir = scratch(before);
  if ('.fifo' in before) makeFifo(join(dir, 'a'));
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual(after);
});

it('a folder where a link belongs makes way', async () => {
  const { store, tree } = await treeOf({ b: 'x' }, (dir) => symlinkSync('b', join(dir, 'a')));
  const dir = scratch({ 'a/b/c': 'x' });
  mkdirSync(join(dir, 'a/empty'));
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ b: 'x', a: '-> b' });
});

it('nothing outside is touched, wherever links in the directory lead', async () => {
  const { store, tree } = await treeOf({ 'out/file': 'mine', 'out/deep/file': 'mine', file: 'mine' });
  const outside = scratch({ file: 'theirs', 'deep/file': 'theirs', other: 'theirs' });
  const before = contents(outside);
  const dir = scratch();
  symlinkSync(outside, join(dir, 'out'));
  symlinkSync(join(outside, 'file'), join(dir, 'file'));
  symlinkSync(join(outside, 'other'), join(dir, 'other'));
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ 'out/file': 'mine', 'out/deep/file': 'mine', file: 'mine' });
  expect(contents(outside)).toEqual(before);
});

it('what must be fresh is left out, also as a link', async () => {
  const { store, tree } = await treeOf({ 'output/review.json': 'old', 'output/other': 'x', real: '{}' }, (dir) =>
    symlinkSync('../real', join(dir, 'output/linked.json')),
  );
  const dir = scratch();
  await layOut(dir, store, { tree, inputs: [], omit: ['output/review.json', 'output/linked.json'] });
  expect(contents(dir)).toEqual({ 'output/other': 'x', real: '{}' });
});

it('inputs lie beside the tree, and where both want a place it is theirs', async () => {
  const store = new TreeStore(scratch());
  const capture = async (dir: string) => store.capture(dir, await listDirectory(dir));
  const given = await capture(scratch({ 'spec.md': 'spec', 'sub/more.md': 'more' }));
  const changed = await capture(scratch({ 'input/spec.md': 'changed by the agent', mine: 'x' }));
  const hidden = scratch({ mine: 'x', output: 'y' });
  symlinkSync('output', join(hidden, 'input'));
  const linked = await capture(hidden);
  const replaced = await capture(scratch({ input: 'a file', mine: 'x' }));
  const below = await capture(scratch({ 'input/spec.md/below': 'x', mine: 'x' }));
  for (const tree of [changed, linked, replaced, below]) {
    for (const before of [{}, { 'input/spec.md': 'spec' }, { input: 'a file' }]) {
      const dir = scratch(before);
      await layOut(dir, store, { tree, inputs: inputsOf(given) });
      expect(contents(dir)).toMatchObject({ mine: 'x', 'input/spec.md': 'spec', 'input/sub/more.md': 'more' });
      await layOut(dir, store, { tree, inputs: inputsOf(given) });
      expect(readFileSync(join(dir, 'input/spec.md'), 'utf8')).toBe('spec');
    }
  }
});

it('an input that is gone from its tree is an error', async () => {
  const { store, tree } = await treeOf({ a: 'x' });
  const input = { path: 'input/b', digest: '', from: { tree: tree.id, path: 'b' } };
  await expect(layOut(scratch(), store, { tree, inputs: [input] })).rejects.toMatchObject({ code: 'journal' });
});

it('what a tree had but could not keep stays where it is; what came later goes', async () => {
  const { store, tree } = await treeOf({ a: 'x' }, (dir) => makeFifo(join(dir, 'pipe')));
  const dir = scratch({ b: 'x' });
  makeFifo(join(dir, 'pipe'));
  makeFifo(join(dir, 'later'));
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ a: 'x', pipe: 'special' });
});

it('files beyond what a tree may hold are removed, unless they may be of the tree that was too large itself', async () => {
  const { store, tree } = await treeOf({ a: 'x' });
  const dir = scratch();
  for (let n = 0; n <= 50_000; n += 1) writeFileSync(join(dir, String(n)), '');
  const listing = await listDirectory(dir);
  expect(listing.problems).toMatchObject([{ severity: 'error' }]);
  const cut = await store.capture(dir, { ...listing, entries: listing.entries.slice(0, 10) });
  await layOut(dir, store, { tree: cut, inputs: [] });
  expect(Object.keys(contents(dir))).toHaveLength(11);
  expect(contents(dir)).toHaveProperty('9999');
  for (let n = 0; n <= 50_000; n += 1) writeFileSync(join(dir, String(n)), '');
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ a: 'x' });
});

it('an empty folder of the user stays, one that only held what was removed goes', async () => {
  const { store, tree } = await treeOf({ a: 'x' });
  const dir = scratch({ 'gone/deep/x': 'x' });
  mkdirSync(join(dir, 'output'));
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ a: 'x', output: '/' });
  put(dir, { 'output/x': 'x' });
  writeFileSync(join(dir, 'a'), 'changed');
  await layOut(dir, store, { tree, inputs: [] });
  expect(contents(dir)).toEqual({ a: 'x' });
});
