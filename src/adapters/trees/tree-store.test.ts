import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeFifo, put, scratch } from '../../../test/scratch.ts';
import { workMeter } from '../../../test/work-meter.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { listDirectory, listFiles } from './directory-tree.ts';
import { type StoredTree, TreeStore } from './tree-store.ts';

const LIMIT = 1024 * 1024;

async function captured(
  dir: string,
  from?: StoredTree,
): Promise<{ store: TreeStore; tree: StoredTree; packs: string }> {
  const packs = scratch();
  const store = new TreeStore(packs);
  return { store, packs, tree: await store.capture(dir, await listDirectory(dir), from && { from }) };
}

async function refusal(work: () => unknown): Promise<HelixError> {
  const error = await Promise.resolve()
    .then(work)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HelixError);
  return error as HelixError;
}

it('a tree is opened again byte for byte: empty files, binary, executables, names of every kind, links', async () => {
  const binary = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 256));
  const files = {
    empty: '',
    'deep/er/bin.dat': binary,
    'größe/naïve 🎈 name\nwith a line.txt': 'ü',
    '.hidden/-dash': 'x',
    run: '#!/bin/sh\n',
  };
  const dir = scratch(files);
  chmodSync(join(dir, 'run'), 0o755);
  symlinkSync('deep/er/bin.dat', join(dir, 'link'));
  const { tree, packs } = await captured(dir);
  const opened = await new TreeStore(packs).open(tree.id);
  for (const [path, content] of Object.entries(files)) {
    expect(await opened.read(path, LIMIT), path).toEqual(Buffer.from(content));
  }
  expect(opened.files.filter(({ executable }) => executable).map(({ path }) => path)).toEqual(['run']);
  expect(opened.links).toEqual([{ path: 'link', target: 'deep/er/bin.dat' }]);
  expect(await opened.read('link', LIMIT)).toEqual(binary);
  expect(await opened.read('deep/er/bin.dat', 10)).toEqual(binary.subarray(0, 10));
  expect(await opened.read('gone', LIMIT)).toBeUndefined();
  expect(opened.files).toEqual(tree.files);
});

it('the same content has the same name, whatever the order, the dates and the place', async () => {
  const one = scratch({ a: '1', 'b/c': '2', 'b-d': '3' });
  const other = scratch({ 'b-d': '3', 'b/c': '2', a: '1' });
  utimesSync(join(other, 'a'), 1, 1);
  const id = (await captured(one)).tree.id;
  expect((await captured(other)).tree.id).toBe(id);
  const store = new TreeStore(scratch());
  expect((await store.capture(one, listFiles(one, ['b/c', 'a', 'b-d']))).id).toBe(id);
  expect((await store.capture(one, listFiles(one, ['a', 'b-d', 'b/c']))).id).toBe(id);
});

it.each([
  ['a byte', (dir: string) => writeFileSync(join(dir, 'a'), 'y')],
  ['the executable bit', (dir: string) => chmodSync(join(dir, 'a'), 0o755)],
  ['a new empty file', (dir: string) => writeFileSync(join(dir, 'b'), '')],
  ['a new link', (dir: string) => symlinkSync('c', join(dir, 'b'))],
  ['something that could not be kept', (dir: string) => makeFifo(join(dir, 'pipe'))],
])('%s makes it another tree', async (_what, change) => {
  const dir = scratch({ a: 'x', c: 'x' });
  const before = (await captured(dir)).tree.id;
  change(dir);
  expect((await captured(dir)).tree.id).not.toBe(before);
});

it('files unchanged since the tree it started from are not stored again', async () => {
  const dir = scratch({ large: Buffer.alloc(500_000, 'x'), small: '1' });
  const { store, tree, packs } = await captured(dir);
  writeFileSync(join(dir, 'small'), '2');
  const next = await store.capture(dir, await listDirectory(dir), { from: tree });
  expect(statSync(join(packs, next.id)).size).toBeLessThan(10_000);
  expect((await next.read('large', LIMIT))?.equals(Buffer.alloc(500_000, 'x'))).toBe(true);
  const again = await store.capture(dir, await listDirectory(dir), { from: tree });
  expect(again.id).toBe(next.id);
  expect(readdirSync(packs).sort()).toEqual([tree.id, next.id].sort());
});

it('trees captured at the same time do not get into each other’s bytes', async () => {
  const store = new TreeStore(scratch());
  const dirs = ['a', 'b', 'c'].map((text) => scratch({ one: text.repeat(700_000), two: text.repeat(900_000) }));
  const trees = await Promise.all(dirs.map(async (dir) => store.capture(dir, await listDirectory(dir))));
  for (const [index, tree] of trees.entries()) {
    const text = ['a', 'b', 'c'][index] ?? '';
    expect((await tree.read('one', LIMIT))?.equals(Buffer.alloc(700_000, text))).toBe(true);
    expect((await tree.read('two', LIMIT))?.equals(Buffer.alloc(900_000, text))).toBe(true);
  }
});

it('an empty directory is the empty tree, which needs no file', async () => {
  const { store, tree, packs } = await captured(scratch());
  expect(tree).toMatchObject({ files: [], links: [], problems: [] });
  expect(readdirSync(packs)).toEqual([]);
  expect(await store.open(tree.id)).toMatchObject({ id: tree.id, files: [] });
});

it('a file is found through links, however many, and a ring of links names nothing', async () => {
  const dir = scratch({ 'v1/x': 'content' });
  symlinkSync('v1/x', join(dir, 'one'));
  symlinkSync('one', join(dir, 'two'));
  symlinkSync('b', join(dir, 'a'));
  symlinkSync('a', join(dir, 'b'));
  const { tree } = await captured(dir);
  expect(await tree.read('two', LIMIT)).toEqual(Buffer.from('content'));
  expect(tree.files.map(({ path }) => path).sort()).toEqual(['one', 'two', 'v1/x']);
  expect(await tree.read('a', LIMIT)).toBeUndefined();
});

it('special files, links that leave, huge files and names that are no text are named, not kept', async () => {
  const dir = scratch({ 'x/y/file': 'kept' });
  makeFifo(join(dir, 'pipe'));
  symlinkSync('/etc/passwd', join(dir, 'absolute'));
  symlinkSync('../../outside', join(dir, 'x/outside'));
  symlinkSync('../..', join(dir, 'x/y/root'));
  symlinkSync('x/y/root/../outside', join(dir, 'sly'));
  writeFileSync(join(dir, 'huge'), '');
  truncateSync(join(dir, 'huge'), 10 * 1024 ** 3);
  writeFileSync(Buffer.from(`${dir}/bad-\xff`, 'latin1'), 'x');
  mkdirSync(Buffer.from(`${dir}/worse-\xff`, 'latin1'));
  const work = workMeter();
  const { tree } = await captured(dir);
  expect(work()).toBeLessThan(200);
  expect(tree.files.map(({ path }) => path)).toEqual(['x/y/file']);
  expect(tree.links).toEqual([{ path: 'x/y/root', target: '../..' }]);
  expect(tree.problems.map(({ message }) => message).sort()).toEqual([
    "absolute is a link that leaves the phase's directory (/etc/passwd); it was not kept",
    'bad-\ufffd has a name that is not UTF-8; it was not kept',
    'huge is too large to be kept (10240 MB, the limit is 256 MB); it was not kept',
    'pipe is a FIFO, not a regular file; it was not kept',
    "sly is a link that leaves the phase's directory (x/y/root/../outside); it was not kept",
    'worse-\ufffd has a name that is not UTF-8; it was not kept',
    "x/outside is a link that leaves the phase's directory (../../outside); it was not kept",
  ]);
});

it('too many files or bytes are an error among the problems, and what fits is kept', async () => {
  const dir = scratch({ a: '12345', b: '12345', c: '12345' });
  const limits = { files: 2, fileBytes: 100, treeBytes: 100, depth: 64 };
  const many = await listDirectory(dir, limits);
  expect(many).toMatchObject({ entries: [{ path: 'a' }, { path: 'b' }], problems: [{ severity: 'error' }] });
  const much = await listDirectory(dir, { ...limits, files: 9, treeBytes: 9 });
  expect(much).toMatchObject({ entries: [{ path: 'a' }], problems: [{ severity: 'error' }] });
});

it('a named link that stays inside stands for its file, one that leads out is a problem', async () => {
  const root = scratch({ 'project/AGENTS.md': 'read me', outside: 'secret' });
  const dir = join(root, 'project');
  symlinkSync('AGENTS.md', join(dir, 'CLAUDE.md'));
  symlinkSync('../outside', join(dir, 'out'));
  const tree = await new TreeStore(scratch()).capture(dir, listFiles(dir, ['CLAUDE.md', 'out']));
  expect(await tree.read('CLAUDE.md', LIMIT)).toEqual(Buffer.from('read me'));
  expect(tree.files.map(({ path }) => path)).toEqual(['CLAUDE.md']);
  expect(tree.problems).toMatchObject([{ location: { file: 'out' } }]);
});

it.each([
  ['gone', (pack: string) => rmSync(pack)],
  ['cut short', (pack: string) => truncateSync(pack, 40)],
  ['empty', (pack: string) => truncateSync(pack, 0)],
  ['full of something else', (pack: string) => writeFileSync(pack, 'z'.repeat(5000))],
  [
    'the pack of another tree',
    (pack: string) => writeFileSync(pack, `{"files":[],"links":[],"problems":[]}${'37'.padStart(16)}`),
  ],
])('a pack that is %s says that the tree is gone or damaged', async (_what, damage) => {
  const { store, tree, packs } = await captured(scratch({ a: 'x'.repeat(1000) }));
  damage(join(packs, tree.id));
  const error = await refusal(() => store.open(tree.id));
  expect(error).toMatchObject({ code: 'journal', hint: expect.stringContaining('helix run') });
  expect(error.message).toContain(tree.id.slice(0, 12));
  const reading = await refusal(() => tree.read('a', LIMIT));
  expect(reading.code).toBe('journal');
});

it('bytes that rotted in the pack are noticed when they are read', async () => {
  const { tree, packs } = await captured(scratch({ a: 'x'.repeat(1000) }));
  const pack = join(packs, tree.id);
  put(packs, { [tree.id]: Buffer.concat([Buffer.from('y'), Buffer.alloc(statSync(pack).size - 1, 'x')]) });
  expect((await refusal(() => tree.read('a', LIMIT))).code).toBe('journal');
});

it.each(['../../etc/passwd', '', 'nonsense', 'a'.repeat(64)])('the name %j opens nothing', async (id) => {
  expect((await refusal(() => new TreeStore(scratch()).open(id))).code).toBe('journal');
});

it('what cannot be read is an error with a way out, and leaves no half a pack', async () => {
  const dir = scratch({ a: 'x', b: 'y' });
  const packs = scratch();
  const listing = await listDirectory(dir);
  rmSync(join(dir, 'b'));
  const error = await refusal(() => new TreeStore(packs).capture(dir, listing));
  expect(error.code).toBe('io');
  makeFifo(join(dir, 'b'));
  expect((await refusal(() => new TreeStore(packs).capture(dir, listing))).code).toBe('io');
  expect(readdirSync(packs)).toEqual([]);
});

it.each([
  ['cut short', (pack: string) => truncateSync(pack, 40)],
  ['empty', (pack: string) => truncateSync(pack, 0)],
  ['as long as it should be, and nothing but zeros', (pack: string) => writeFileSync(pack, Buffer.alloc(1500))],
  ['without the first bytes of its files', (pack: string) => writeFileSync(pack, readFileSync(pack).fill(0, 0, 512))],
])('a tree that a machine which stopped left %s under its name is stored again', async (_what, tear) => {
  const dir = scratch({ a: 'x'.repeat(1000) });
  const { tree, packs } = await captured(dir);
  tear(join(packs, tree.id));
  const next = new TreeStore(packs);
  const again = await next.capture(dir, await listDirectory(dir));
  expect(again.id).toBe(tree.id);
  expect((await (await next.open(tree.id)).read('a', LIMIT))?.toString()).toBe('x'.repeat(1000));
  expect(readdirSync(packs)).toEqual([tree.id]);
});

it('a tree that lies there whole keeps its bytes where others look for them', async () => {
  const dir = scratch({ a: 'x'.repeat(1000) });
  const { tree, packs } = await captured(dir);
  const before = statSync(join(packs, tree.id));
  await new TreeStore(packs).capture(dir, await listDirectory(dir));
  expect(statSync(join(packs, tree.id)).ino).toBe(before.ino);
});

const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** What a process of its own asks of the disk while it captures a directory, in order. */
function flushes(packs: string, dir: string): string[] {
  const module = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
  const program = `import { listDirectory } from ${module('directory-tree.ts')}; import { TreeStore } from ${module('tree-store.ts')};
    await new TreeStore(${JSON.stringify(packs)}).capture(${JSON.stringify(dir)}, await listDirectory(${JSON.stringify(dir)}));`;
  const { stderr } = spawnSync(
    'strace',
    ['-qq', '-e', 'trace=rename,fsync,fdatasync', '-y', process.execPath, '--input-type=module', '-e', program],
    { encoding: 'utf8' },
  );
  const shown = stderr.replaceAll(packs, 'PACKS').replaceAll(/\.[0-9a-f]{16}\.tmp/g, 'TEMPORARY');
  return shown.split('\n').flatMap((line) => /^(\w+)\(.*(PACKS[^">]*)[">]/.exec(line)?.slice(1).join(' ') ?? []);
}

it.skipIf(!hasStrace)(
  'a tree counts when its bytes and its name are flushed, also one that somebody else left there',
  async () => {
    const [packs, dir] = [scratch(), scratch({ a: 'x' })];
    const first = flushes(packs, dir);
    const [id = ''] = readdirSync(packs);
    const named = first.map((line) => line.replace(id, 'TREE'));
    expect(named).toEqual(['rename PACKS/TREE', 'fdatasync PACKS/TREE', 'fsync PACKS']);
    const next = flushes(packs, dir).map((line) => line.replace(id, 'TREE'));
    expect(next).toEqual(['fsync PACKS/TREE', 'fsync PACKS']);
  },
);
