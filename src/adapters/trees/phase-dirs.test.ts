import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { contents, makeFifo, put, scratch } from '../../../test/scratch.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import { PhaseDirs } from './phase-dirs.ts';

const PHASE = samplePhase('one');
const NOTHING = { start: undefined, inputs: [], omit: [] };

function project(files: Readonly<Record<string, string>> = {}): string {
  return scratch(Object.fromEntries(Object.entries(files).map(([path, text]) => [`phases/one/${path}`, text])));
}

/** One attempt of a run: what the agent writes, and then the tree that is accepted. */
async function run(
  dir: string,
  works: (at: string) => void,
  content: { start?: string; inputs?: readonly InputFile[] } = {},
) {
  const workspace = new PhaseDirs(dir);
  const { dir: at, start } = await workspace.prepare(PHASE, { ...NOTHING, ...content });
  const found = contents(at);
  works(at);
  const { tree } = await workspace.capture(PHASE, start);
  return { workspace, at, start, found, tree };
}

async function pinned(dir: string, files: Readonly<Record<string, string>>): Promise<InputFile[]> {
  put(dir, files);
  const tree = await new PhaseDirs(dir).pin(Object.keys(files));
  return tree.files.map(({ path, digest }) => ({ path: `input/${path}`, digest, from: { tree: tree.id, path } }));
}

it('an attempt finds what the user has there and its inputs, and only what it made is captured', async () => {
  const dir = project({ 'notes.md': 'mine' });
  const inputs = await pinned(dir, { 'spec.md': 'spec', 'sub/more.md': 'more' });
  const { found, tree, at } = await run(dir, (at) => put(at, { 'output/x.md': 'made' }), { inputs });
  expect(found).toEqual({ 'notes.md': 'mine', 'input/spec.md': 'spec', 'input/sub/more.md': 'more' });
  expect(at).toBe(join(dir, 'phases/one'));
  expect(tree.files.map(({ path }) => path)).toEqual(['notes.md', 'output/x.md']);
});

it('an input the agent changed is captured, and the next attempt finds the real one again', async () => {
  const dir = project();
  const inputs = await pinned(dir, { 'spec.md': 'spec' });
  const { tree } = await run(dir, (at) => put(at, { 'input/spec.md': 'bent', 'output/x': 'x' }), { inputs });
  expect(tree.files.map(({ path }) => path)).toEqual(['input/spec.md', 'output/x']);
  const next = await run(dir, () => {}, { inputs, start: tree.id });
  expect(next.found).toEqual({ 'input/spec.md': 'spec', 'output/x': 'x' });
});

it('an attempt that starts from a tree finds exactly that, whatever an interrupted one left', async () => {
  const dir = project();
  const { tree, start } = await run(dir, (at) => put(at, { 'output/x': 'judged' }));
  put(dir, { 'phases/one/output/x': 'half', 'phases/one/half/done': 'x' });
  expect((await run(dir, () => {}, { start: tree.id })).found).toEqual({ 'output/x': 'judged' });
  expect((await run(dir, () => {}, { start })).found).toEqual({});
});

it('a new run starts without what an earlier one made, links and inputs included', async () => {
  const dir = project({ 'notes.md': 'mine' });
  const inputs = await pinned(dir, { 'spec.md': 'spec' });
  const first = await run(
    dir,
    (at) => {
      put(at, { 'output/x': 'made', 'output/sub/y': 'made' });
      symlinkSync('x', join(at, 'output/link'));
    },
    { inputs },
  );
  await first.workspace.accept(PHASE, { tree: first.tree.id, inputs });
  expect((await run(dir, () => {})).found).toEqual({ 'notes.md': 'mine' });
});

it('it also starts without what a second attempt made of the first one, and what was never accepted', async () => {
  const dir = project();
  const first = await run(dir, (at) => put(at, { 'output/x': 'one', 'output/y': 'one' }));
  await run(dir, (at) => put(at, { 'output/x': 'two' }), { start: first.tree.id });
  expect((await run(dir, () => {})).found).toEqual({});
});

it("what the user made or changed stays the user's, also when an agent changed it afterwards", async () => {
  const dir = project({ 'notes.md': 'mine', 'plan.md': 'mine' });
  const first = await run(dir, (at) => put(at, { 'output/x': 'made', 'output/y': 'made', 'notes.md': 'more' }));
  await first.workspace.accept(PHASE, { tree: first.tree.id, inputs: [] });
  put(dir, { 'phases/one/output/x': 'taken over', 'phases/one/new.md': 'mine' });
  const mine = { 'notes.md': 'more', 'plan.md': 'mine', 'output/x': 'taken over', 'new.md': 'mine' };
  const second = await run(dir, (at) => put(at, { 'output/x': 'changed again' }));
  expect(second.found).toEqual(mine);
  await second.workspace.accept(PHASE, { tree: second.tree.id, inputs: [] });
  expect((await run(dir, () => {})).found).toEqual({ ...mine, 'output/x': 'changed again' });
});

it.each([
  '',
  'not json',
  'null',
  '[]',
  '{"output/x":5}',
  '{"phase":"one","made":{"output/x":5}}',
  '{"phase":"one"}',
])('notes like %j only make everything count as the user’s', async (text) => {
  const dir = project();
  await run(dir, (at) => put(at, { 'output/x': 'made' }));
  writeFileSync(join(dir, '.helix/left/notes.jsonl'), text);
  expect((await run(dir, () => {})).found).toEqual({ 'output/x': 'made' });
});

it('a note that was cut off costs no other: neither those before it nor the next one', async () => {
  const dir = project();
  await run(dir, (at) => put(at, { 'output/x': 'made' }));
  appendFileSync(join(dir, '.helix/left/notes.jsonl'), '{"phase":"one","ma');
  const second = await run(dir, (at) => put(at, { 'output/y': 'made' }));
  expect(second.found).toEqual({});
  expect((await run(dir, () => {})).found).toEqual({});
});

it('notes of the time when each phase had a file of them are known', async () => {
  const digest = createHash('sha256').update('made').digest('hex');
  const dir = project({ 'output/x': 'made', 'output/y': 'mine' });
  put(dir, { '.helix/left/one.json': JSON.stringify({ 'output/x': digest }) });
  expect((await run(dir, (at) => put(at, { 'output/z': 'made' }))).found).toEqual({ 'output/y': 'mine' });
  put(dir, { 'phases/one/output/x': 'made' });
  expect((await run(dir, () => {})).found).toEqual({ 'output/y': 'mine' });
});

it('two who take notes in turn do not lose each other’s', async () => {
  const dir = project();
  const [one, other] = [new PhaseDirs(dir), new PhaseDirs(dir)];
  for (const [workspace, path] of [
    [one, 'a'],
    [other, 'b'],
    [one, 'c'],
  ] as const) {
    const { dir: at, start } = await workspace.prepare(PHASE, NOTHING);
    expect(contents(at)).toEqual({});
    put(at, { [path]: 'made' });
    await workspace.capture(PHASE, start);
  }
  expect((await run(dir, () => {})).found).toEqual({});
});

it('notes that later ones replaced do not pile up, and none that counts is lost', async () => {
  const dir = project();
  await run(dir, (at) => put(at, { 'output/x': 'made' }));
  const notes = join(dir, '.helix/left/notes.jsonl');
  const stale = `${JSON.stringify({ phase: 'two', made: { y: 'a'.repeat(64) } })}\n`;
  appendFileSync(notes, stale.repeat(15_000));
  (await new PhaseDirs(dir).take())();
  expect(statSync(notes).size).toBeLessThan(1000);
  expect((await run(dir, () => {})).found).toEqual({});
});

it('what must be fresh is not there when an attempt starts, even if the user put it there', async () => {
  const dir = project({ 'output/review.json': '{}' });
  const workspace = new PhaseDirs(dir);
  const { dir: at, start } = await workspace.prepare(PHASE, { ...NOTHING, omit: ['output/review.json'] });
  expect(contents(at)).toEqual({});
  expect((await workspace.tree(start)).files.map(({ path }) => path)).toEqual(['output/review.json']);
  expect((await workspace.capture(PHASE, start)).tree.files).toEqual([]);
});

it('a checkout is a copy: what is written there changes neither the tree nor the directory', async () => {
  const dir = project();
  const inputs = await pinned(dir, { 'spec.md': 'spec' });
  const { workspace, tree, at } = await run(dir, (at) => put(at, { 'output/x': 'judged' }), { inputs });
  const copy = await workspace.checkout(PHASE, tree.id, inputs);
  expect(contents(copy.dir)).toEqual({ 'output/x': 'judged', 'input/spec.md': 'spec' });
  put(copy.dir, { 'output/x': 'trampled', junk: 'x' });
  expect(readFileSync(join(at, 'output/x'), 'utf8')).toBe('judged');
  expect(await tree.read('output/x', 100)).toEqual(Buffer.from('judged'));
  const again = await workspace.checkout(PHASE, tree.id, inputs);
  expect(contents(again.dir)).toEqual({ 'output/x': 'judged', 'input/spec.md': 'spec' });
  await again.dispose();
  expect(existsSync(again.dir)).toBe(false);
});

it('what is accepted is the judged tree, not what lies in the directory by then', async () => {
  const dir = project();
  const { workspace, tree, at } = await run(dir, (at) => put(at, { 'output/x': 'judged', 'output/y': 'judged' }));
  put(at, { 'output/x': 'after', 'output/z': 'after' });
  rmSync(join(at, 'output/y'));
  await workspace.accept(PHASE, { tree: tree.id, inputs: [] });
  expect(contents(at)).toEqual({ 'output/x': 'judged', 'output/y': 'judged' });
});

it.each(['phases', 'phases/one'])('a link at %s is refused by everything that would follow it', async (link) => {
  const dir = project();
  const { workspace, start, tree } = await run(dir, (at) => put(at, { 'output/x': 'x' }));
  const outside = scratch({ 'one/mine': 'mine', mine: 'mine', '.one.judged/mine': 'mine' });
  const before = contents(outside);
  rmSync(join(dir, link), { recursive: true });
  symlinkSync(outside, join(dir, link));
  const attempts = [
    () => workspace.prepare(PHASE, NOTHING),
    () => workspace.prepare(PHASE, { ...NOTHING, start }),
    () => workspace.capture(PHASE, start),
    () => workspace.accept(PHASE, { tree: tree.id, inputs: [] }),
    ...(link === 'phases' ? [() => workspace.checkout(PHASE, tree.id, [])] : []),
  ];
  for (const attempt of attempts) {
    await expect(attempt()).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('symbolic link') });
  }
  if (link === 'phases') (await workspace.take())();
  expect(contents(outside)).toEqual(before);
});

it('a file where a directory belongs is refused with a way out', async () => {
  const dir = scratch({ phases: 'a file' });
  await expect(new PhaseDirs(dir).prepare(PHASE, NOTHING)).rejects.toMatchObject({
    code: 'io',
    hint: 'Move the file away.',
  });
});

it('taking it removes the copies of a crashed run and nothing else', async () => {
  const dir = project({ 'notes.md': 'mine' });
  put(dir, { 'phases/.one.judged/x': 'x', 'phases/.mine/x': 'x' });
  (await new PhaseDirs(dir).take())();
  expect(readdirSync(join(dir, 'phases')).sort()).toEqual(['.mine', 'one']);
  (await new PhaseDirs(scratch()).take())();
});

it('problems of the directory travel with the tree', async () => {
  const dir = project();
  const { workspace, tree } = await run(dir, (at) => {
    mkdirSync(join(at, 'output'));
    makeFifo(join(at, 'output/pipe'));
  });
  expect((await workspace.tree(tree.id)).problems).toMatchObject([{ location: { file: 'output/pipe' } }]);
});

it('pinning a file that is gone is an error with a way out', async () => {
  await expect(new PhaseDirs(scratch()).pin(['gone'])).rejects.toMatchObject({ code: 'io' });
});

it('only one run at a time works in it, and it is free when that one leaves', async () => {
  const dir = project();
  const leave = await new PhaseDirs(dir).take();
  await expect(new PhaseDirs(dir).take()).rejects.toMatchObject({ code: 'run_owned' });
  leave();
  (await new PhaseDirs(dir).take())();
});
