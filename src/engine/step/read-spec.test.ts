import { expect, it } from 'vitest';
import { samplePhase, samplePlan, sampleStart } from '../../../test/sample-start.ts';
import type { NewEvent, RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { Tree } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { readSpec } from './read-spec.ts';

const CHAIN = ['a', 'b', 'c', 'd'].map((id, n, all) =>
  samplePhase(id, { dependsOn: all.slice(n - 1, n), output: { directory: 'output', files: [] } }),
);
const PLAN = samplePlan(CHAIN);

/** The state in which phases are accepted with these trees. */
function accepted(trees: Readonly<Record<string, string>>): RunState {
  const facts: NewEvent[] = [sampleStart('r1', PLAN)];
  for (const [phase, tree] of Object.entries(trees)) {
    const at = { phase, attempt: 1 };
    facts.push(
      { type: 'attempt_started', data: { ...at, turn: 0, start: '', inputs: [], brief: '', agent: 'default' } },
      { type: 'phase_accepted', data: { ...at, tree } },
    );
  }
  const state = replay(facts.map((fact, at): RunEvent => ({ ...fact, seq: at + 1, v: 1, at: '', hash: '' })));
  if (state === undefined) throw new TypeError('no run');
  return state;
}

/** Trees that hold a specification or nothing, and which of them were opened. */
function trees(specs: Readonly<Record<string, string>>) {
  const opened: string[] = [];
  const tree = async (id: string): Promise<Tree> => {
    opened.push(id);
    const read = async (path: string) => (path === 'spec.yaml' && specs[id] ? Buffer.from(specs[id]) : undefined);
    return { id, files: [], problems: [], read };
  };
  const ports = {
    workspace: { tree } as Pick<Workspace, 'tree'> as Workspace,
    project: { read: async () => undefined },
  };
  const specOf = async (id: string, state: RunState) => {
    const phase = PLAN.phases.find((each) => each.id === id);
    return phase && (await readSpec(phase, { ports, state })).text;
  };
  return { opened, specOf };
}

it('the specification is that of the nearest phase before that made one', async () => {
  const { specOf } = trees({ t1: 'goal: 1\n', t2: 'goal: 2\n' });
  expect(await specOf('d', accepted({ a: 't1', b: 't2', c: 't3' }))).toBe('goal: 2\n');
  expect(await specOf('b', accepted({ a: 't1' }))).toBe('goal: 1\n');
  expect(await specOf('a', accepted({}))).toBeUndefined();
});

it('a tree without one is opened once, however many phases follow', async () => {
  const { opened, specOf } = trees({});
  await specOf('b', accepted({ a: 't1' }));
  await specOf('c', accepted({ a: 't1', b: 't2' }));
  await specOf('d', accepted({ a: 't1', b: 't2', c: 't3' }));
  expect(opened).toEqual(['t1', 't2', 't3']);
});

it('a phase that was done again is looked at again', async () => {
  const { specOf } = trees({ again: 'goal: new\n' });
  expect(await specOf('c', accepted({ a: 't1', b: 't2' }))).toBeUndefined();
  expect(await specOf('c', accepted({ a: 't1', b: 'again' }))).toBe('goal: new\n');
});
