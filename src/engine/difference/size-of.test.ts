import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { sha256 } from '../../text/digest.ts';
import { sizeOf } from './size-of.ts';

const MORE_THAN_SHOWN = 1024 * 1024;

type Files = Readonly<Record<string, string | Buffer>>;

function treeOf(id: string, files: Files): Tree {
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
  return {
    id,
    files: [...contents].map(([path, content]) => ({
      path,
      digest: sha256(content),
      size: content.length,
      executable: false,
    })),
    problems: [],
    read: async (path, limit) => contents.get(path)?.subarray(0, limit),
  };
}

async function sizeBetween(before: Files, after: Files) {
  const trees = [treeOf('before', before), treeOf('after', after)] as const;
  const workspace: Partial<Workspace> = {
    tree: async (id) => (id === 'before' ? trees[0] : trees[1]),
    changed: async () => [],
  };
  const base = { tree: 'before', commit: '0' } as never;
  return sizeOf(trees[1], { growth: { files: 12, lines: 400 }, base }, workspace as Workspace);
}

function lines(count: number, width = 8): string {
  return Array.from({ length: count }, (_, n) => `${String(n).padStart(width, 'x')}\n`).join('');
}

const LARGE = lines(20_000, 64);
const UTF_16 = Buffer.from(`\ufeff${lines(500)}`, 'utf16le');

it.each<[what: string, before: Files, after: Files, count: number]>([
  ['a new file too large to be shown', {}, { 'big.js': LARGE }, 20_000],
  ['one that is gone', { 'big.js': LARGE }, {}, 20_000],
  ['one of which a line changed', { 'big.js': LARGE }, { 'big.js': LARGE.replace('x7\n', 'y\n') }, 2],
  ['one with a line more than before', { 'big.js': LARGE }, { 'big.js': `${LARGE}more` }, 1],
  ['one of more lines than are compared', {}, { 'big.js': '\n'.repeat(1_100_000) }, 1_100_000],
  ['a file in UTF-16', {}, { 'a.txt': UTF_16 }, 500],
  ['one in UTF-16 the other way round', {}, { 'a.txt': Buffer.from(UTF_16).swap16() }, 500],
  ['source code with NUL in it', {}, { 'a.js': `/*${'\0'.repeat(1000)}*/\n${lines(500)}` }, 503],
  ['a text that became one for machines', { a: lines(500) }, { a: Buffer.alloc(99) }, 500],
  ['a program on one line', {}, { 'a.js': `${'f();'.repeat(5000)}\n` }, 40],
  ['one of which something changed', { 'a.js': 'f();'.repeat(5000) }, { 'a.js': 'g();'.repeat(5000) }, 80],
  ['one too large to be shown', {}, { 'big.js': 'f();'.repeat(MORE_THAN_SHOWN / 2) }, 4195],
  ['lines with carriage returns alone', {}, { 'a.py': lines(300).replaceAll('\n', '\r') }, 300],
  ['lines that end as in Windows', {}, { 'a.py': lines(300).replaceAll('\n', '\r\n') }, 300],
  ['a picture', {}, { 'a.png': Buffer.from(`\0\x01\n\n\n`.repeat(900)) }, 0],
])('%s counts with its lines', async (_, before, after, count) => {
  if (before['big.js'] !== undefined) expect(before['big.js'].length).toBeGreaterThan(MORE_THAN_SHOWN);
  expect(await sizeBetween(before, after)).toEqual({ files: 1, lines: count });
});

it('what is too large to be read counts by its size', async () => {
  const size = await sizeBetween({}, { 'big.txt': Buffer.alloc(33 * MORE_THAN_SHOWN, 'x') });
  expect(size).toEqual({ files: 1, lines: 1 + Math.ceil(MORE_THAN_SHOWN / 80) });
});
