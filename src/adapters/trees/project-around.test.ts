import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { put, scratch } from '../../../test/scratch.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { listSome } from '../disk/list-project.ts';
import { PhaseDirs } from './phase-dirs.ts';
import { CopyWriter } from './pinned-copy.ts';
import { ProjectAround } from './project-around.ts';

const PHASE = samplePhase('work');
const PROJECT = {
  'src/a.ts': 'export const zebra = 1;\n',
  '.env': 'TOKEN=x\n',
  'node_modules/m/index.js': 'm\n',
  '.helix/runs/r/transcript.jsonl': 'author\n',
  'phases/other/output/draft.md': 'draft\n',
};

/** A project with one judged file, and a way to pin it for a judge. */
async function opened(files: Readonly<Record<string, string>> = {}, judged = 'output/adr.md') {
  const dir = scratch({ ...PROJECT, ...files });
  const workspace = new PhaseDirs(dir, () => listSome(dir));
  const { dir: own, start } = await workspace.prepare(PHASE, { start: undefined, inputs: [], omit: [] });
  put(own, { [judged]: 'decided\n' });
  const { tree } = await workspace.capture(PHASE, start);
  onTestFinished(async () => (await workspace.take())());
  const pin = async (): Promise<Snapshot> => {
    const snapshot = await workspace.snapshot(PHASE, tree.id, []);
    onTestFinished(() => snapshot.dispose());
    return snapshot;
  };
  return { dir, pin, workspace };
}

const pathsOf = ({ files }: Snapshot) => files.map(({ path }) => path);

it('a judge sees the project beside what is judged, without work of others, HELIX’s own files, secrets and heaps', async () => {
  const { pin } = await opened();
  const snapshot = await pin();
  expect(pathsOf(snapshot)).toEqual(['output/adr.md', 'project/src/a.ts']);
  expect(snapshot.project).toBe('project');
  expect(readFileSync(join(snapshot.dir, 'project/src/a.ts'), 'utf8')).toBe(PROJECT['src/a.ts']);
  expect((await snapshot.read('project/src/a.ts', 99))?.toString()).toBe(PROJECT['src/a.ts']);
  expect(await snapshot.changed()).toEqual([]);
});

it('the bytes of the project are copied once, as long as it stays as it is', async () => {
  const { dir, pin, workspace } = await opened();
  const [one, other] = await Promise.all([pin(), pin()]);
  const inode = ({ dir: copy }: Snapshot) => lstatSync(join(copy, 'project/src/a.ts')).ino;
  expect(inode(one)).toBe(inode(other));
  writeFileSync(join(dir, 'src/a.ts'), 'export const lion = 2;\n');
  const later = await pin();
  expect((await later.read('project/src/a.ts', 99))?.toString()).toBe('export const lion = 2;\n');
  expect((await one.read('project/src/a.ts', 99))?.toString()).toBe(PROJECT['src/a.ts']);
  await (await workspace.take())();
  expect(await later.changed()).toEqual([]);
});

it('a judge that changes what all of them share is found out, and the next one gets another copy', async () => {
  const { pin } = await opened();
  const one = await pin();
  const { chmodSync } = await import('node:fs');
  chmodSync(join(one.dir, 'project/src/a.ts'), 0o600);
  writeFileSync(join(one.dir, 'project/src/a.ts'), 'forged\n');
  expect(await one.changed()).toEqual(['project/src/a.ts']);
  expect((await (await pin()).read('project/src/a.ts', 99))?.toString()).toBe(PROJECT['src/a.ts']);
});

it('what a copy has no room for is counted', async () => {
  const dir = scratch({ 'a.md': 'a', 'b.md': 'bb', 'c.md': 'c', 'd.md': 'dddddd' });
  const copyWith = async (limits: { files: number; bytes: number; fileBytes: number }) => {
    const around = new ProjectAround(dir, () => listSome(dir), limits);
    onTestFinished(() => around.forget());
    const copy = new CopyWriter(scratch());
    return [await around.into(copy, 'project', undefined), copy.pinned.size];
  };
  expect(await copyWith({ files: 9, bytes: 99, fileBytes: 9 })).toEqual([0, 4]);
  expect(await copyWith({ files: 2, bytes: 99, fileBytes: 9 })).toEqual([2, 2]);
  expect(await copyWith({ files: 9, bytes: 3, fileBytes: 9 })).toEqual([2, 2]);
  expect(await copyWith({ files: 9, bytes: 99, fileBytes: 5 })).toEqual([1, 3]);
});

it('a folder of that name in the work is not mixed with the project', async () => {
  const snapshot = await (await opened({}, 'project/adr.md')).pin();
  expect(snapshot.project).toBe('2project');
  expect(pathsOf(snapshot)).toEqual(['2project/src/a.ts', 'project/adr.md']);
});

it('a project that is too much to be copied is shown in part, and what cannot be read is left out', async () => {
  const { dir, pin } = await opened();
  mkdirSync(join(dir, 'data'));
  writeFileSync(join(dir, 'data/large.bin'), Buffer.alloc(10 * 1024 * 1024 + 1));
  const snapshot = await pin();
  expect(pathsOf(snapshot)).toEqual(['output/adr.md', 'project/src/a.ts']);
  expect(existsSync(join(snapshot.dir, 'project/data'))).toBe(false);
});
