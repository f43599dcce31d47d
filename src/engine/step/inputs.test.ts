import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { samplePhase, samplePlan, sampleStart } from '../../../test/sample-start.ts';
import { contents, put, scratch } from '../../../test/scratch.ts';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { PhaseDirs } from '../../adapters/trees/phase-dirs.ts';
import type { NewEvent, RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { replay } from '../../domain/run/evolve.ts';
import { resolveInputs } from './inputs.ts';

type Files = Readonly<Record<string, string>>;
type Made = Partial<Phase> & { readonly id: string; readonly made?: Files };

/** A project in which the phases before the last one are accepted with what they made, and the last one is to start. */
async function before(phases: readonly Made[], files: Files = {}, only = false) {
  const dir = scratch(files);
  const workspace = new PhaseDirs(dir);
  const sources = { workspace, project: openProject(dir) };
  const planned = phases.map(({ made: _made, id, ...more }) => samplePhase(id, more));
  const events: NewEvent[] = [sampleStart('r1', samplePlan(planned))];
  for (const { id, made } of phases) {
    const phase = planned.find((each) => each.id === id);
    if (made === undefined || phase === undefined) continue;
    const { inputs } = await resolveInputs(phase, { ...sources, state: stateOf(events, false) });
    const { dir: at, start } = await workspace.prepare(phase, { start: undefined, inputs, omit: [] });
    put(at, made);
    const { id: tree } = (await workspace.capture(phase, start)).tree;
    await workspace.accept(phase, { tree, inputs });
    const attempt = { phase: id, attempt: 1 };
    const cost = { usd: 0, basis: 'simulated' } as const;
    events.push(
      { type: 'attempt_started', data: { ...attempt, turn: 0, start, inputs, brief: '', agent: 'default' } },
      { type: 'attempt_finished', data: { ...attempt, tree, files: 1, cost, simulated: true, durationMs: 1 } },
      { type: 'phase_accepted', data: { ...attempt, tree } },
    );
  }
  const kept = only ? events.slice(0, 1) : events;
  return { dir, workspace, planned, sources: { ...sources, state: stateOf(kept, only) } };
}

function stateOf(events: readonly NewEvent[], only: boolean): RunState {
  const journaled = events.map((event, index): RunEvent => ({ ...event, seq: index + 1, v: 1, at: '', hash: '' }));
  const state = replay(journaled);
  if (state === undefined) throw new TypeError('no run');
  return only ? { ...state, only: 'last' } : state;
}

/** What the last phase is given, as it then lies in its directory, or the names of what is missing. */
async function given(phases: readonly Made[], files?: Files, only = false): Promise<Files | string[]> {
  const { workspace, planned, sources } = await before(phases, files, only);
  const last = planned.at(-1);
  if (last === undefined) throw new TypeError('no phase');
  const { inputs, missing } = await resolveInputs(last, sources);
  if (missing.length > 0) return missing;
  const { dir } = await workspace.prepare(last, { start: undefined, inputs, omit: [] });
  return Object.fromEntries(
    Object.entries(contents(dir)).flatMap(([path, text]) => (path.startsWith('input/') ? [[path.slice(6), text]] : [])),
  );
}

const A: Made = { id: 'a', made: { 'output/spec.md': 'spec', 'notes.md': 'notes', 'output/src/x.py': 'x' } };
const from = (fromPhase: string, ...files: string[]): Partial<Phase> => ({ input: { fromPhase, files } });
const last = (more: Partial<Phase>): Made => ({ id: 'last', dependsOn: ['a'], ...more });

it.each<[what: string, files: string[], Files | string[]]>([
  ['in its directory', ['notes.md'], { 'notes.md': 'notes' }],
  ['in its directory by the whole path', ['output/spec.md'], { 'output/spec.md': 'spec' }],
  ['in its output directory', ['spec.md', './src/x.py'], { 'spec.md': 'spec', 'src/x.py': 'x' }],
  ['by a pattern', ['**/*.py'], { 'output/src/x.py': 'x' }],
  ['by a pattern below the output directory', ['src/*'], { 'src/x.py': 'x' }],
  ['not at all', ['gone.md', 'spec.md', '*.txt'], ['gone.md from a', '*.txt from a']],
  ['all of it, where no file is named', [], { 'notes.md': 'notes', 'output/spec.md': 'spec', 'output/src/x.py': 'x' }],
])('a file from one phase is found %s', async (_what, files, expected) => {
  expect(await given([A, last(from('a', ...files))])).toEqual(expected);
});

it('the directory of a phase comes before its output directory', async () => {
  const a = { id: 'a', made: { 'x.md': 'above', 'output/x.md': 'below' } };
  expect(await given([a, last(from('a', 'x.md'))])).toEqual({ 'x.md': 'above' });
});

it('an output directory of its own is looked in, and the base itself only once', async () => {
  const own = { id: 'a', output: { directory: 'src/main', files: [] }, made: { 'src/main/x.py': 'x' } };
  expect(await given([own, last(from('a', 'x.py'))])).toEqual({ 'x.py': 'x' });
  const base = { id: 'a', output: { directory: '.', files: [] }, made: { 'x.py': 'x' } };
  expect(await given([base, last(from('a', 'x.py'))])).toEqual({ 'x.py': 'x' });
});

it('then among what that phase was itself given, as it was given, changed or not', async () => {
  const b = (more: Partial<Made>): Made => ({ id: 'b', dependsOn: ['a'], ...more });
  const made = { 'output/code': 'c', 'input/spec.md': 'bent' };
  const wish = (...files: string[]) => last({ dependsOn: ['b'], ...from('b', ...files) });
  const middle = b({ ...from('a', 'spec.md'), made });
  expect(await given([A, middle, wish('spec.md', 'code')])).toEqual({ 'spec.md': 'spec', code: 'c' });
  expect(await given([A, middle, wish('**/*.md')])).toEqual({ 'spec.md': 'spec' });
  expect(await given([A, middle, wish('notes.md')])).toEqual(['notes.md from b']);
});

it('what a phase without a list of inputs was given is handed on under its first name', async () => {
  const b: Made = { id: 'b', dependsOn: ['a'], made: { 'output/code': 'c' } };
  const wish = (...files: string[]) => given([A, b, last({ dependsOn: ['b'], ...from('b', ...files) })]);
  expect(await wish('spec.md')).toEqual({ 'spec.md': 'spec' });
  expect(await wish('output/spec.md')).toEqual({ 'output/spec.md': 'spec' });
  expect(await wish('a/output/spec.md')).toEqual({ 'a/output/spec.md': 'spec' });
  expect(await wish('input/a/output/*.md')).toEqual({ 'input/a/output/spec.md': 'spec' });
});

it('other files come from the nearest phase that has them, then from the project', async () => {
  const b: Made = { id: 'b', dependsOn: ['a'], input: { files: [] }, made: { 'output/spec.md': 'newer' } };
  const wish = last({ dependsOn: ['b'], input: { files: ['spec.md', 'notes.md', 'docs/*.md', 'x.md'] } });
  const project = {
    'x.md': 'project',
    'docs/1.md': '1',
    'docs/2.md': '2',
    'notes.md': 'project',
    'spec.md': 'project',
  };
  expect(await given([A, b, wish], project)).toEqual({
    'spec.md': 'newer',
    'notes.md': 'notes',
    'docs/1.md': '1',
    'docs/2.md': '2',
    'x.md': 'project',
  });
});

it('only phases it depends on count, transitively, in whatever order they stand', async () => {
  const phases = [
    { id: 'stranger', made: { 'output/spec.md': 'stranger' } },
    A,
    { id: 'b', dependsOn: ['a'], made: {} },
    last({ dependsOn: ['b'], input: { files: ['spec.md'] } }),
  ];
  expect(await given(phases)).toEqual({ 'spec.md': 'spec' });
  expect(await given([A, last({ dependsOn: [], input: { files: ['spec.md'] } })])).toEqual(['spec.md']);
});

it('all that cannot be found is named', async () => {
  const wish = last({ input: { files: ['gone.md', 'notes.md', 'nothing/**'] } });
  expect(await given([A, wish])).toEqual(['gone.md', 'nothing/**']);
});

it('a link of the project stands for its file, and one that leads out is refused', async () => {
  const files = { 'AGENTS.md': 'read me' };
  const phases = [A, last({ input: { files: ['CLAUDE.md'] } })];
  const { dir, planned, sources } = await before(phases, files);
  symlinkSync('AGENTS.md', join(dir, 'CLAUDE.md'));
  const [wish] = planned.slice(-1);
  if (wish === undefined) throw new TypeError('no phase');
  expect((await resolveInputs(wish, sources)).inputs).toMatchObject([
    { path: 'input/CLAUDE.md', from: { path: 'CLAUDE.md' } },
  ]);
  symlinkSync('/etc/passwd', join(dir, 'out'));
  const out = { ...wish, input: { files: ['out'] } };
  await expect(resolveInputs(out, sources)).rejects.toMatchObject({ code: 'io' });
});

it('without inputs of its own a phase is given what all phases before it made, each in a folder of its name', async () => {
  const phases = [A, { id: 'b', dependsOn: ['a'], made: { 'output/code': 'c' } }, last({ dependsOn: ['b'] })];
  expect(await given(phases)).toEqual({
    'a/notes.md': 'notes',
    'a/output/spec.md': 'spec',
    'a/output/src/x.py': 'x',
    'b/output/code': 'c',
  });
});

it('what a phase found there or was given is not among what it made', async () => {
  const user = { 'phases/a/mine.md': 'mine', 'phases/a/changed.md': 'mine' };
  const a = { id: 'a', made: { 'output/x': 'x', 'changed.md': 'made' } };
  const b: Made = { id: 'b', dependsOn: ['a'], made: { 'output/y': 'y', 'input/a/output/x': 'bent' } };
  expect(await given([a, b, last({ dependsOn: ['b'] })], user)).toEqual({
    'a/output/x': 'x',
    'a/changed.md': 'made',
    'b/output/y': 'y',
  });
});

it('an explicitly empty list is nothing, and a phase that was skipped has made nothing', async () => {
  expect(await given([A, last({ input: { files: [] } })])).toEqual({});
  const onDisk = { 'phases/a/output/spec.md': 'of an earlier run' };
  expect(await given([{ id: 'a' }, last({})], onDisk)).toEqual({});
  expect(await given([{ id: 'a' }, last(from('a', 'spec.md'))], onDisk)).toEqual(['spec.md from a']);
});

it('what moves on is what was accepted, whatever lies in the directory by now', async () => {
  const { dir, workspace, planned, sources } = await before([A, last({})]);
  put(dir, { 'phases/a/output/spec.md': 'tampered with', 'phases/a/output/more.md': 'smuggled in' });
  const [wish] = planned.slice(-1);
  if (wish === undefined) throw new TypeError('no phase');
  const { inputs } = await resolveInputs(wish, sources);
  const { dir: at } = await workspace.prepare(wish, { start: undefined, inputs, omit: [] });
  expect(contents(at)).toMatchObject({ 'input/a/output/spec.md': 'spec' });
  expect(contents(at)).not.toHaveProperty(['input/a/output/more.md']);
});

it('a run of a single phase takes what lies on disk', async () => {
  const b: Made = { id: 'b', dependsOn: ['a'], ...from('a', 'spec.md'), made: { 'output/code': 'c' } };
  const wish = (more: Partial<Phase>) =>
    given([A, b, last({ dependsOn: ['b'], ...more })], { 'p.md': 'project' }, true);
  expect(await wish({})).toEqual({
    'a/notes.md': 'notes',
    'a/output/spec.md': 'spec',
    'a/output/src/x.py': 'x',
    'b/output/code': 'c',
  });
  expect(await wish(from('b', 'code', 'spec.md'))).toEqual({ code: 'c', 'spec.md': 'spec' });
  expect(await wish(from('b', '**/*'))).toEqual({ 'output/code': 'c' });
  expect(await wish(from('b', 'notes.md'))).toEqual(['notes.md from b']);
  expect(await wish({ input: { files: ['spec.md', 'p.md'] } })).toEqual({ 'spec.md': 'spec', 'p.md': 'project' });
});

const PHASES = [
  samplePhase('spec', { output: { directory: 'output', files: ['output/spec.yaml'] } }),
  samplePhase('code', {
    dependsOn: ['spec'],
    input: { fromPhase: 'spec', files: ['spec.yaml'] },
    output: { directory: 'src', files: [] },
  }),
  samplePhase('last', { dependsOn: ['code'] }),
];

it.each([
  [{ fromPhase: 'code', files: ['src/**'] }, ['src/a.py']],
  [{ fromPhase: 'code', files: ['a.py'] }, ['src/a.py']],
  [{ fromPhase: 'code', files: ['spec.yaml'] }, ['output/spec.yaml']],
  [{ fromPhase: 'spec', files: ['spec.yaml'] }, ['output/spec.yaml']],
  [{ files: ['spec.yaml', 'README.md'] }, ['output/spec.yaml', 'README.md']],
  [{ fromPhase: 'spec', files: ['a.py'] }, []],
])('in a repository %j is found where the phases before it left it', async (input, expected) => {
  const files = { 'README.md': '', 'output/spec.yaml': '', 'src/a.py': '' };
  const dir = scratch(files);
  const workspace = new PhaseDirs(dir);
  const { id: tree } = await workspace.pin(Object.keys(files));
  const state = { ...stateOf([sampleStart('r1', samplePlan(PHASES))], false), tip: { commit: 'c', tree } };
  const sources = { workspace, project: openProject(dir), state };
  const { inputs, missing } = await resolveInputs(samplePhase('last', { dependsOn: ['code'], input }), sources);
  expect(inputs.map(({ path }) => path)).toEqual(expected);
  expect(missing).toEqual(expected.length > 0 ? [] : ['a.py from spec']);
});
