import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratch } from '../../../../test/scratch.ts';
import type { Tree } from '../../../ports/tree.ts';
import type { WorkspaceScope } from '../../../ports/workspace.ts';
import { createProcesses } from '../../programs/processes.ts';
import { SetUp } from './set-up.ts';

const ENV = { PATH: process.env.PATH ?? '' };

function setUpWith(settings: Partial<WorkspaceScope['settings']>, store = scratch()): SetUp {
  const all = { mode: 'repo' as const, setup: [], copy: [], cache: [], ...settings };
  return new SetUp({
    settings: all,
    processes: createProcesses(),
    env: ENV,
    marker: `set-up-${store}`,
    store,
    work: scratch(),
  });
}

function treeOf(files: Readonly<Record<string, string>>): Tree {
  const listed = Object.entries(files).map(([path, digest]) => ({ path, digest, size: 1, executable: false }));
  return { id: 'tree', files: listed, problems: [], read: async () => undefined };
}

function placeOf(tree: Tree) {
  return { tree, above: [], added: async () => [], declared: [] };
}

describe('set-up', () => {
  const count = [
    'sh',
    '-c',
    'mkdir -p made/deep && echo x >> ../count && cp ../count made/deep/n && ln -sf n made/deep/link',
  ];

  async function times(trees: readonly Tree[]): Promise<{ root: string; runs: number }> {
    const root = scratch();
    const setUp = setUpWith({ setup: [count], cache: ['made'] });
    for (const [n, tree] of trees.entries()) {
      mkdirSync(join(root, `dir-${n}`));
      await setUp.prepare({ dir: join(root, `dir-${n}`), ...placeOf(tree) });
    }
    return { root, runs: readFileSync(join(root, 'count'), 'utf8').length / 2 };
  }

  it('is done once while lock files stay the same, and every directory has what it made', async () => {
    const { root, runs } = await times([
      treeOf({ 'package-lock.json': '1', 'a.js': '1' }),
      treeOf({ 'package-lock.json': '1', 'a.js': '2' }),
    ]);
    expect(runs).toBe(1);
    expect(readFileSync(join(root, 'dir-1/made/deep/link'), 'utf8')).toBe('x\n');
  });

  it('is done again for other lock files, wherever they lie, and for other manifests where nothing is locked', async () => {
    expect((await times([treeOf({ 'package-lock.json': '1' }), treeOf({ 'package-lock.json': '2' })])).runs).toBe(2);
    expect((await times([treeOf({ 'a/uv.lock': '1' }), treeOf({ 'b/uv.lock': '1' })])).runs).toBe(2);
    expect((await times([treeOf({ 'pom.xml': '1' }), treeOf({ 'pom.xml': '2' })])).runs).toBe(2);
    const locked = (manifest: string) => treeOf({ 'package.json': manifest, 'package-lock.json': '1' });
    expect((await times([locked('1'), locked('2')])).runs).toBe(1);
  });

  it.each([
    ['leads elsewhere', '../elsewhere'],
    ['leads nowhere', '../nowhere'],
  ])('installs nothing through a link in the place of a folder that %s', async (_what, target) => {
    const root = put(scratch(), { 'dir/a': '', 'elsewhere/kept': '' });
    symlinkSync(target, join(root, 'dir/made'));
    const setUp = setUpWith({ setup: [['sh', '-c', 'touch ../ran']], cache: ['made'] });
    await expect(setUp.prepare({ dir: join(root, 'dir'), ...placeOf(treeOf({})) })).rejects.toThrow(
      'made is a link that leads out of the work',
    );
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it('is done once by directories that need it at the same time', async () => {
    const root = put(scratch(), { 'a/x': '', 'b/x': '', 'c/x': '' });
    const setUp = setUpWith({ setup: [['sh', '-c', 'sleep 0.2; echo x >> ../count; mkdir made']], cache: ['made'] });
    await Promise.all(['a', 'b', 'c'].map((name) => setUp.prepare({ dir: join(root, name), ...placeOf(treeOf({})) })));
    expect(readFileSync(join(root, 'count'), 'utf8')).toBe('x\n');
    expect(['a', 'b', 'c'].every((name) => existsSync(join(root, name, 'made')))).toBe(true);
  });

  it('that failed is not remembered, and says what the command said', async () => {
    const root = scratch();
    const setUp = setUpWith({ setup: [['sh', '-c', 'echo gone >&2; test -e ok']], cache: [] });
    const failed = setUp.prepare({ dir: root, ...placeOf(treeOf({})) });
    await expect(failed).rejects.toMatchObject({ code: 'setup', message: expect.stringContaining('gone') });
    put(root, { ok: '' });
    await setUp.prepare({ dir: root, ...placeOf(treeOf({})) });
  });

  it('can be stopped', async () => {
    const setUp = setUpWith({ setup: [['sleep', '60']], cache: [] });
    const stopped = setUp.prepare({ dir: scratch(), ...placeOf(treeOf({})), signal: AbortSignal.timeout(100) });
    await expect(stopped).rejects.toMatchObject({ code: 'stopped' });
  });
});

describe('a virtual environment of Python', () => {
  it('that was copied runs the code of the directory it lies in now, not of the one it was made in', async () => {
    const make = `python3 -m venv --without-pip .venv
site=$(echo .venv/lib/python3*/site-packages); pwd > "$site/project.pth"
printf '#!%s/.venv/bin/python\\nimport where\\nprint(where.NAME)\\n' "$PWD" > .venv/bin/tool; chmod +x .venv/bin/tool`;
    const setUp = setUpWith({ setup: [['sh', '-c', make]], cache: ['.venv'] });
    const root = put(scratch(), { 'a/where.py': 'NAME = "a"\n', 'b/where.py': 'NAME = "b"\n' });
    for (const name of ['a', 'b']) await setUp.prepare({ dir: join(root, name), ...placeOf(treeOf({})) });
    const said = (name: string) =>
      execFileSync(join(root, name, '.venv/bin/tool'), { cwd: '/', encoding: 'utf8' }).trim();
    expect([said('a'), said('b')]).toEqual(['a', 'b']);
  });
});
