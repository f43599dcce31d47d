import { describe, expect, it } from 'vitest';
import { SABOTAGES } from './approval-sabotages.ts';
import { type Bug, expectNoticed, runWith } from './planted-bug.ts';
import { repetitions } from './repetitions.ts';
import { WORD_SABOTAGES } from './word-sabotages.ts';

const BUGS: readonly Bug[] = [
  {
    what: 'an interruption counted as a failure',
    file: 'src/domain/run/evolve-attempt.ts',
    find: '      spent: spentBy(phase.history, { ...data, kept }),\n    },\n    rung: {\n      ...phase.rung,\n',
    plant:
      '      spent: spentBy(phase.history, { ...data, kept }),\n      judged: phase.history.judged + 1,\n    },\n    rung: {\n      ...phase.rung,\n      judged: phase.rung.judged + 1,\n',
    by: ['test/kill-sweep.test.ts', 'the scenario mended'],
  },
  {
    what: 'a killed HELIX counted as an interruption',
    file: 'src/domain/verdict.ts',
    find: "  orchestrator: 'free',\n",
    plant: '',
    by: ['test/kill-sweep.test.ts', 'the scenario mended'],
  },
  {
    what: 'an append that is believed before it is durable',
    file: 'src/adapters/journal/sqlite-journal.ts',
    find: "        this.#db.exec('COMMIT');\n        return result;",
    plant: "        setTimeout(() => this.#db.isTransaction && this.#db.exec('COMMIT'), 50);\n        return result;",
    by: ['src/adapters/journal/sqlite-journal.test.ts', 'has what was appended the moment append resolves'],
  },
  {
    what: 'a journal that is not flushed',
    file: 'src/adapters/journal/sqlite-journal.ts',
    find: 'PRAGMA synchronous = FULL',
    plant: 'PRAGMA synchronous = OFF',
    by: ['src/adapters/journal/sqlite-journal.test.ts', 'gives back what was appended'],
  },
  {
    what: 'a fence that is not checked',
    file: 'src/adapters/journal/sqlite-journal.ts',
    find: 'if (at.fence !== undefined && at.fence !== head.fence) {',
    plant: 'if (at.fence !== undefined && at.fence < 0) {',
    by: ['src/adapters/journal/sqlite-journal.test.ts', 'refuses the fence of a former owner'],
  },
  {
    what: 'a lock nobody holds',
    file: 'src/adapters/disk/run-lock.ts',
    find: "db.exec('BEGIN EXCLUSIVE');",
    plant: "db.exec('BEGIN');",
    by: ['src/adapters/journal/sqlite-journal.test.ts', 'has one owner per run'],
  },
  {
    what: 'leftovers of a killed HELIX that are not ended',
    file: 'src/engine/run.ts',
    find: 'await processes.endMarked(state.marker);\n    if (leave !== undefined) await endLeftovers(world, state.plan);',
    plant: '',
    by: ['test/leftovers.test.ts', 'ends what a killed HELIX left behind'],
  },
  {
    what: 'an interrupted attempt that starts from its own leftovers',
    file: 'src/domain/run/decide.ts',
    find: "current?.stage === 'interrupted' ? current.start :",
    plant: "current?.stage === 'interrupted' ? undefined :",
    by: ['test/scenarios.test.ts', 'the scenario crashes'],
  },
  {
    what: 'two phases accepted on the same commit',
    file: 'src/domain/run/decide.ts',
    find: '  oneAtATime(steps, state, busy);\n',
    plant: '',
    by: ['src/domain/run/repository-run.test.ts', 'are accepted one after the other'],
  },
  {
    what: 'changes to protected files that nobody is asked about',
    file: 'src/domain/run/decide.ts',
    find: '(at.current?.protected ?? []).length > 0',
    plant: 'false',
    by: ['test/scenarios.test.ts', 'the scenario repo-protected'],
  },
  {
    what: "a run's branch that is moved although the user worked on it",
    file: 'src/adapters/repo/own/publish-branch.ts',
    find: ' && !(await isOfRun(repository, now, publication))) throw moved(branch, now);',
    plant: ') await user.branch(branch);',
    by: ['test/repository-states.test.ts', 'that the user has moved is left alone'],
  },
];

/** The others are planted by test:deep. */
const PLANTED = BUGS.slice(0, repetitions(1, BUGS.length));

/** Of the sabotages of approvals and of words those are tried each time that nothing else stands behind; all of them are by test:deep. */
const SAMPLE = [...SABOTAGES, ...WORD_SABOTAGES].filter(({ always }) => always === true);

describe.each([...PLANTED, ...SAMPLE])('$what', (bug) => {
  it('makes the suite fail', () => {
    expectNoticed(bug);
  });
});

it('without a bug the same tests pass in the same kind of copy', () => {
  const [bug] = BUGS.filter(({ by }) => by[0].endsWith('sqlite-journal.test.ts'));
  expect(bug).toBeDefined();
  if (bug === undefined) return;
  const { status, output } = runWith(bug, true);
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
});
