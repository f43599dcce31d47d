import { expect, it } from 'vitest';
import { samplePlan } from '../../../test/sample-start.ts';
import { memoryProject } from '../../plan/memory-project.fixture.ts';
import type { Tree } from '../../ports/tree.ts';
import { treeSource } from './question-source.ts';
import { besidePlan, gateTexts, workedIn } from './worked.ts';

const PLAIN = samplePlan([]).workspace;
const ROOTED = { ...PLAIN, root: 'app', home: '../plans/csv' };

const work = memoryProject({ 'concept.md': 'of the work' });
const project = {
  ...memoryProject({ 'concept.md': 'of the plan', 'config/rules.yaml': 'edited since' }),
  fromTop: async (path: string) =>
    path === 'app' ? { project: work, home: '../plans/csv' } : { problem: 'leads nowhere' },
};

/** A commit by paths as the directory that is worked on sees them. */
function tree(files: Readonly<Record<string, string>>): Tree {
  const all = Object.keys(files).map((path) => ({ path, digest: path, size: 1, executable: false }));
  return {
    id: 'base',
    files: all.filter(({ path }) => !path.startsWith('../')),
    outside: all.filter(({ path }) => path.startsWith('../')),
    links: [{ path: '../plans/csv/approvals/tone' }],
    target: async (path) => (path === '../plans/csv/approvals/tone' ? '../tones/plain' : undefined),
    problems: [],
    read: async (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
  };
}

const BASE = tree({
  'config/rules.yaml': 'of the work',
  'approvals/code/CLAUDE.md': 'of the work',
  '../plans/csv/config/rules.yaml': 'of the plan',
  '../plans/csv/approvals/code/CLAUDE.md': 'of the plan',
});

it('a plan without a root works where it lies, one with a root in that directory, if it is one', async () => {
  expect(await workedIn(project, PLAIN)).toBe(project);
  expect(await workedIn(project, ROOTED)).toBe(work);
  expect(await workedIn(project, { ...ROOTED, root: 'gone' })).toBeUndefined();
});

it('what belongs to a plan is looked for beside it', () => {
  expect(besidePlan(PLAIN, 'config/rules.yaml')).toBe('config/rules.yaml');
  expect(besidePlan(ROOTED, 'config/rules.yaml')).toBe('../plans/csv/config/rules.yaml');
});

it('gates read settings beside the plan as they were before, and files of the work at the root', async () => {
  const rooted = gateTexts(project, ROOTED, BASE);
  expect(await rooted.settingsFile('config/rules.yaml', 99)).toBe('of the plan');
  expect(await rooted.projectFile('concept.md', 99)).toBe('of the work');
  const plain = gateTexts(project, PLAIN, tree({}));
  expect(await plain.settingsFile('config/rules.yaml', 99)).toBe('edited since');
  expect(await plain.projectFile('concept.md', 99)).toBe('of the plan');
});

it('judges are told by definitions beside the plan, named as the plan names them', async () => {
  const source = treeSource(BASE, ROOTED);
  expect(await source.read('approvals/code/CLAUDE.md', 99)).toBe('of the plan');
  expect(await source.list('approvals/code')).toEqual(['approvals/code/CLAUDE.md']);
  expect(await source.links?.('approvals/tone')).toEqual(['approvals/tone']);
  expect(await source.target?.('approvals/tone')).toBe('../tones/plain');
  expect(await treeSource(BASE, PLAIN).read('approvals/code/CLAUDE.md', 99)).toBe('of the work');
  expect(await treeSource(BASE, PLAIN).list('approvals/code')).toEqual(['approvals/code/CLAUDE.md']);
});
