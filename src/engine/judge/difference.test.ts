import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { fitDifference } from '../../approval/fit-difference.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { differenceOf } from './difference.ts';

type Files = Readonly<Record<string, string>>;

/** A commit as the directory that is worked on sees it. */
function treeOf(id: string, files: Files): Tree {
  const all = Object.entries(files).map(
    ([path, text]): TreeFile => ({ path, digest: text, size: text.length, executable: false }),
  );
  return {
    id,
    files: all.filter(({ path }) => !path.startsWith('../')),
    outside: all.filter(({ path }) => path.startsWith('../')),
    problems: [],
    read: async (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
  };
}

function shown(type: string, before: Files, after: Files): Promise<string | undefined> {
  const trees = new Map([treeOf('before', before), treeOf('after', after)].map((tree) => [tree.id, tree]));
  const workspace = { tree: async (id: string) => trees.get(id), changed: async () => [] } as unknown as Workspace;
  const state = { phases: new Map([['a', { baseTree: 'before' }]]), plan: { phases: [] } } as never;
  const step = { do: 'judge', phase: samplePhase('a'), tree: 'after' } as never;
  return differenceOf(step, { type }, { ports: { workspace }, state });
}

const BEFORE = { 'in.txt': 'a\n', '../out.txt': 'a\n' };

it('a judge of a document is shown what changed outside the directory that is worked on, of which it has no copy', async () => {
  const patch = await shown('docs', BEFORE, { 'in.txt': 'b\n', '../out.txt': 'b\n' });
  expect(patch).toContain('../out.txt');
  expect(patch).not.toContain('in.txt');
});

it('and nothing where nothing did', async () => {
  expect(await shown('docs', BEFORE, { ...BEFORE, 'in.txt': 'b\n' })).toBeUndefined();
  expect(await shown('docs', { 'in.txt': 'a\n' }, { 'in.txt': 'b\n' })).toBeUndefined();
});

it('a judge of code is shown all of it', async () => {
  const patch = await shown('code', BEFORE, { 'in.txt': 'b\n', '../out.txt': 'b\n' });
  expect(patch).toContain('../out.txt');
  expect(patch).toContain('a/in.txt');
});

it('links and submodules are told with where they lead and led, each on one line', async () => {
  const tree = (id: string, target: string, commit: string | undefined): Tree => ({
    ...treeOf(id, {}),
    submodules: commit === undefined ? [] : [{ path: 'vendor', commit }],
    target: async (path) => (path === 'a\nb' ? target : undefined),
  });
  const trees = new Map(
    [tree('before', 'x', '1111'), tree('after', 'y) (link', undefined)].map((one) => [one.id, one]),
  );
  const changed = ['a\nb', 'vendor'];
  const workspace = { tree: async (id: string) => trees.get(id), changed: async () => changed } as unknown as Workspace;
  const state = { phases: new Map([['a', { baseTree: 'before' }]]), plan: { phases: [] } } as never;
  const step = { do: 'judge', phase: samplePhase('a'), tree: 'after' } as never;
  expect(await differenceOf(step, { type: 'code' }, { ports: { workspace }, state })).toBe(
    '# changed: "a\\nb" (link to "y? ?link", before: link to "x")\n# removed: vendor (gone, before: submodule at commit 1111)\n',
  );
});

it('a file that became a link is changed into one, with where it leads and what is gone with it, and so is the reverse', async () => {
  const tree = (id: string, files: Files, links: Files): Tree => ({
    ...treeOf(id, files),
    target: async (path) => links[path],
  });
  const trees = new Map(
    [
      tree('before', { 'auth.js': 'login();\n' }, { 'old.js': 'else.js' }),
      tree('after', { 'old.js': 'open();\n' }, { 'auth.js': 'stub.js' }),
    ].map((one) => [one.id, one]),
  );
  const changed = ['auth.js', 'old.js'];
  const workspace = { tree: async (id: string) => trees.get(id), changed: async () => changed } as unknown as Workspace;
  const state = { phases: new Map([['a', { baseTree: 'before' }]]), plan: { phases: [] } } as never;
  const step = { do: 'judge', phase: samplePhase('a'), tree: 'after' } as never;
  const patch = (await differenceOf(step, { type: 'code' }, { ports: { workspace }, state })) ?? '';
  expect(patch).toContain('-login();\n');
  expect(patch).toContain('new file mode 120000\n--- /dev/null\n+++ b/auth.js\n@@ -0,0 +1,1 @@\n+stub.js\n');
  expect(patch).toContain('deleted file mode 120000\n--- a/old.js\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-else.js\n');
  expect(patch).toContain('+open();\n');
  expect(fitDifference(patch).list).toEqual([
    'changed: auth.js (link to "stub.js", before: a file)',
    'changed: old.js (a file, before: link to "else.js")',
  ]);
});

it('a file that became a submodule is changed into one, with the commit that belongs there', async () => {
  const before = treeOf('before', { x: 'mustLogin();\n' });
  const after = { ...treeOf('after', {}), submodules: [{ path: 'x', commit: '1111' }] };
  const trees = new Map([before, after].map((one) => [one.id, one]));
  const workspace = { tree: async (id: string) => trees.get(id), changed: async () => ['x'] } as unknown as Workspace;
  const state = { phases: new Map([['a', { baseTree: 'before' }]]), plan: { phases: [] } } as never;
  const step = { do: 'judge', phase: samplePhase('a'), tree: 'after' } as never;
  const patch = (await differenceOf(step, { type: 'code' }, { ports: { workspace }, state })) ?? '';
  expect(patch).toContain('-mustLogin();');
  expect(patch).toContain('new file mode 160000');
  expect(patch).toContain('+Subproject commit 1111');
  expect(fitDifference(patch).list).toEqual(['changed: x (a submodule, before: a file)']);
});

it('where a link counts as the file it leads to, as in directories of phases, it is a link all the same', async () => {
  const tree = (id: string, files: Files, links: Files): Tree => ({
    ...treeOf(id, { ...files, ...Object.fromEntries(Object.keys(links).map((path) => [path, 'open();\n'])) }),
    links: Object.keys(links).map((path) => ({ path })),
    target: async (path) => links[path],
  });
  const before = tree(
    'before',
    { 'auth.js': 'login();\n', 'stub.js': 'open();\n' },
    { same: 'stub.js', moved: 'stub.js' },
  );
  const after = tree('after', { 'stub.js': 'shut();\n' }, { 'auth.js': 'stub.js', same: 'stub.js', moved: 'auth.js' });
  const trees = new Map([before, after].map((one) => [one.id, one]));
  const workspace = { tree: async (id: string) => trees.get(id), changed: async () => [] } as unknown as Workspace;
  const state = { phases: new Map([['a', { baseTree: 'before' }]]), plan: { phases: [] } } as never;
  const step = { do: 'judge', phase: samplePhase('a'), tree: 'after' } as never;
  const patch = (await differenceOf(step, { type: 'code' }, { ports: { workspace }, state })) ?? '';
  expect(fitDifference(patch).list).toEqual([
    'changed: auth.js (link to "stub.js", before: a file)',
    'changed: stub.js',
    'changed: moved (only named: its content is not shown)',
  ]);
  expect(patch).toContain('# changed: moved (link to "auth.js", before: link to "stub.js")\n');
});
