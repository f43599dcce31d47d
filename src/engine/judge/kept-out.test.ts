import { describe, expect, it } from 'vitest';
import type { AcceptedState } from '../../domain/facts/accepted-state.ts';
import type { RunBase } from '../../domain/facts/result-branch.ts';
import { Phase } from '../../domain/plan/plan.ts';
import type { Tree } from '../../ports/tree.ts';
import { keptOut } from './kept-out.ts';

/** Trees by name, with the content of their files. */
const TREES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  base: { 'a.txt': 'base' },
  talked: { 'a.txt': 'talked', 'spec.md': '1' },
  coded: { 'a.txt': 'talked', 'spec.md': '1', 'lib/a.js': '1', '.npmrc': '1', 'lib/a.json': '1', 'a.yaml': '1' },
  planned: {
    ...{ 'a.txt': 'base', 'helix/spec.yaml': '1', 'phases.yaml': '1', 'quality-gates.yaml': '1', 'review.json': '1' },
    'rules.json': '1',
  },
  built: { 'a.txt': 'talked', 'spec.md': '1', 'b.txt': '1' },
  mended: { 'a.txt': 'built', 'spec.md': '1', 'b.txt': '1' },
  looked: { 'a.txt': 'talked', 'spec.md': '2', 'b.txt': '2', 'review.json': '1' },
};

const workspace = {
  changed: async (from: string, to: string) => {
    const [one = {}, other = {}] = [TREES[from], TREES[to]];
    const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...paths].filter((path) => one[path] !== other[path]).sort();
  },
  tree: async (id: string): Promise<Tree> => ({
    ...{ id, problems: [], read: async () => undefined },
    files: Object.entries(TREES[id] ?? {}).map(([path, digest]) => ({ path, digest, size: 1, executable: false })),
  }),
};

function phase(id: string, type: Phase['type'], files: readonly string[] = []): Phase {
  return Phase.parse({
    ...{ id, name: id, type, dependsOn: [], config: {}, output: { directory: '.', files }, gates: [], maxRetries: 1 },
    ...{ optional: false, requiresApproval: false, verifyAgent: false, generatesPhases: false },
  });
}

const TALK = phase('talk', 'meeting', ['spec.md']);
const BUILD = phase('build', 'development', ['b.txt']);
const LOOK = phase('look', 'review');

type Run = {
  readonly tip: AcceptedState;
  readonly base?: Partial<RunBase>;
  readonly keepOut?: readonly string[];
  readonly phases?: readonly Phase[];
};

/** What is kept of a tree, as `path of phase`; `all` where the branch holds everything. */
async function kept(by: Phase, tree: string, { tip, base, keepOut, phases = [TALK, BUILD, LOOK] }: Run) {
  const state = {
    tip,
    base: { tree: 'base', branch: 'refs/heads/helix/1', ...base },
    plan: {
      workspace: { mode: 'repo' as const, setup: [], copy: [], cache: [], ...(keepOut && { keepOut: [...keepOut] }) },
      phases: [...phases],
    },
  };
  const found = await keptOut(by, tree, { state, workspace });
  return found === undefined ? 'all' : found.files.map((file) => `${file.path} of ${file.phase}`);
}

const published = (...keptOut: readonly [string, string][]) => ({
  published: { tree: 'x', keptOut: keptOut.map(([path, phase]) => ({ path, phase })) },
});

const TALKED = { tree: 'talked', ...published(['a.txt', 'talk'], ['spec.md', 'talk']) };

describe('what stays off the result branch', () => {
  it('is what a meeting declares, files of the base included, for as long as nobody else changes them', async () => {
    expect(await kept(TALK, 'talked', { tip: { tree: 'base' } })).toEqual(['spec.md of talk']);
    const all = phase('talk', 'meeting', ['spec.md', 'a.txt']);
    expect(await kept(all, 'talked', { tip: { tree: 'base' } })).toEqual(['a.txt of talk', 'spec.md of talk']);
    expect(await kept(BUILD, 'built', { tip: TALKED })).toEqual(['a.txt of talk', 'spec.md of talk']);
    expect(await kept(BUILD, 'mended', { tip: TALKED })).toEqual(['spec.md of talk']);
  });

  it('is the new papers of a meeting without declared outputs; code and files of the base are what the work was judged with', async () => {
    const bare = phase('talk', 'meeting');
    expect(await kept(bare, 'talked', { tip: { tree: 'base' } })).toEqual(['spec.md of talk']);
    expect(await kept(bare, 'coded', { tip: { tree: 'base' } })).toEqual(['spec.md of talk']);
    expect(await kept(bare, 'planned', { tip: { tree: 'base' } })).toEqual(
      ['helix/spec.yaml', 'phases.yaml', 'quality-gates.yaml', 'review.json'].map((path) => `${path} of talk`),
    );
  });

  it('is nothing another phase has made, also when a review changes it later', async () => {
    const tip = { tree: 'built', ...published(['a.txt', 'talk'], ['spec.md', 'talk']) };
    expect(await kept(LOOK, 'looked', { tip })).toEqual(['a.txt of talk', 'review.json of look', 'spec.md of look']);
  });

  it('is nothing another phase declares', async () => {
    const phases = [TALK, phase('write', 'documentation', ['*.md'])];
    expect(await kept(TALK, 'talked', { tip: { tree: 'base' }, phases })).toBe('all');
  });

  it('is nothing in plans without such phases, and what the plan names wherever it names something', async () => {
    expect(await kept(BUILD, 'built', { tip: { tree: 'base' } })).toBe('all');
    expect(await kept(BUILD, 'built', { tip: { tree: 'base' }, keepOut: ['*.md'] })).toEqual(['spec.md of build']);
    expect(await kept(TALK, 'talked', { tip: { tree: 'base' }, keepOut: [] })).toBe('all');
  });

  it('comes to the branch where an edited plan keeps nothing out any more', async () => {
    expect(await kept(BUILD, 'built', { tip: TALKED, keepOut: [] })).toEqual([]);
  });

  it('does not leave the branch of a run that an earlier HELIX began and that has put it there', async () => {
    expect(await kept(BUILD, 'built', { tip: { tree: 'talked', commit: 'c' } })).toBe('all');
    expect(await kept(LOOK, 'looked', { tip: { tree: 'built', commit: 'c' } })).toEqual(['review.json of look']);
  });

  it('is told from what the first of several runs began with', async () => {
    const base = { ...TALKED, origin: 'base' };
    expect(await kept(BUILD, 'built', { tip: TALKED, base })).toEqual(['a.txt of talk', 'spec.md of talk']);
  });
});
