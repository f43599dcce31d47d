import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import { chooseMutants } from './choose-mutants.ts';
import { changedProduct } from './product-lines.ts';

type Files = Readonly<Record<string, string>>;

function tree(files: Files): Tree {
  return {
    id: JSON.stringify(files),
    files: Object.entries(files).map(([path, text]) => ({ path, digest: text, size: text.length, executable: false })),
    problems: [],
    read: async (path, limit) => (files[path] === undefined ? undefined : Buffer.from(files[path]).subarray(0, limit)),
  };
}

async function chosen(before: Files, now: Files): Promise<string[]> {
  const sources = await changedProduct({ base: tree(before), tree: tree(now) });
  return (await chooseMutants(sources)).map(({ file, line, change }) => `${file}:${line} ${change}`);
}

const line = (n: number) => `export const f${n} = (a, b) => a + b;\n`;

it('five places, spread over all that is new', async () => {
  const text = Array.from({ length: 50 }, (_, n) => line(n)).join('');
  const places = await chosen({}, { 'src/a.js': text });
  expect(places).toEqual([1, 11, 21, 31, 41].map((n) => `src/a.js:${n} + became -`));
});

it('the same work is always broken in the same places', async () => {
  const files = { 'b.py': 'def f(a):\n    if a > 1:\n        return a + 1\n    return 2\n', 'a.js': line(1) };
  expect(await chosen({}, files)).toEqual(await chosen({}, files));
  expect((await chosen({}, files))[0]).toBe('b.py:2 > became <=');
});

it('only lines that changed, and of one line several places if there are no others', async () => {
  const [a, b] = ['x = a + 1;\ny = b + 2;\n', 'x = a + 1;\ny = b < 3 && c;\n'];
  expect(await chosen({ 'a.js': a }, { 'a.js': b })).toEqual([
    'a.js:2 < became >=',
    'a.js:2 && became ||',
    'a.js:2 3 became 4',
  ]);
});

it.each([
  ['a test', 'src/a.test.js'],
  ['settings', 'vitest.config.js'],
  ['an installed package', 'node_modules/a/index.js'],
  ['a fixture', 'test/fixtures/a.js'],
  ['no source', 'a.txt'],
])('%s is not broken', async (_what, path) => {
  expect(await chosen({}, { [path]: line(1) })).toEqual([]);
});

it('nothing is broken where files were only moved or lines only removed', async () => {
  expect(await chosen({ 'a.js': line(1) }, { 'b.js': line(1) })).toEqual([]);
  expect(await chosen({ 'a.js': line(1) + line(2) }, { 'a.js': line(1) })).toEqual([]);
});
