import { describe, expect, test } from 'vitest';
import {
  accepted,
  asked,
  finished,
  samplePhase,
  samplePlan,
  sampleRun,
  started,
  tried,
  verdict,
} from '../../../test/sample-run.ts';
import type { Option } from '../../domain/facts/consultation.ts';
import type { NewEvent, RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { evolve } from '../../domain/run/evolve.ts';
import type { RunRow } from '../../ports/journal.ts';
import type { Tree } from '../../ports/tree.ts';
import { Attendant, waitingIn } from './attend.ts';

const option = (id: string, decision: Option['decision']): Option => ({
  ...{ id, description: id, effort: 'low', recommended: false },
  decision,
});
const OPTIONS = [
  option('A', { action: 'retry' }),
  option('B', { action: 'take' }),
  option('C', { action: 'accept' }),
  option('D', { action: 'abort' }),
];

const ASKED = Date.parse('2026-11-03T10:00:08.000Z');

/** Somebody who looks after a run whose second phase asks, with a clock and a file that can be set. */
class Scene {
  state: RunState;
  /** The facts of all runs of the project, by run. */
  readonly runs = new Map<string, readonly RunEvent[]>();
  now = ASKED;
  file: { text: string; at: number } | undefined;
  unreadable: string | undefined;
  readonly notices: string[] = [];
  readonly attendant: Attendant;

  constructor(change: Parameters<typeof asked>[1] = {}, ...facts: NewEvent[]) {
    const plan = samplePlan([samplePhase('one'), samplePhase('two', { dependsOn: ['one'] })]);
    const before = [...tried('one', 1, verdict('pass')), accepted('one', 1), ...tried('two', 1, verdict('reject'))];
    const { state, events } = sampleRun(plan, [...before, asked('two', { options: OPTIONS, ...change }), ...facts]);
    this.state = state;
    this.runs.set('r1', events);
    const read = async (path: string) => (path === 'b.txt' ? Buffer.from('old\n') : undefined);
    this.attendant = new Attendant({
      now: () => new Date(this.now).toISOString(),
      writtenAt: (_run, path) =>
        path.endsWith('two/escalation/stufe-2/user-decision.json') ? this.file?.at : undefined,
      read: async (_run, path) => {
        if (this.unreadable !== undefined) throw new HelixError('io', `${path} ${this.unreadable}`);
        return this.file?.text;
      },
      state: async () => this.state,
      tree: async (_state, id) => ({ id, files: [], problems: [], read }) satisfies Tree,
      journal: async () => ({ list: async () => this.#rows(), read: async (run) => [...this.#facts(run)] }),
      record: async (_run, make) => {
        const event = make(this.state);
        if (event !== undefined) this.#happened(event);
        return event;
      },
      actor: 'ann',
      notice: (text) => this.notices.push(text),
    });
  }

  #rows(): RunRow[] {
    return [...this.runs].map(([run, events]) => ({
      ...{ run, project: 'hello', openRequests: 0 },
      status: events.at(-1)?.type === 'run_finished' ? 'passed' : 'open',
      ...{ createdAt: events[0]?.at ?? new Date(ASKED).toISOString(), updatedAt: events.at(-1)?.at ?? '' },
    }));
  }

  #facts(run: string): readonly RunEvent[] {
    const events = this.runs.get(run) ?? [];
    if (events.length === 0) throw new HelixError('journal', 'damaged');
    return events;
  }

  #happened(event: NewEvent): void {
    const at = new Date(this.now).toISOString();
    this.state = evolve(this.state, { ...event, seq: this.state.seq + 1, v: 2, at, hash: 'h' });
  }

  lay(document: unknown, at = this.now + 1): void {
    this.file = { text: typeof document === 'string' ? document : JSON.stringify(document), at };
  }

  async look() {
    const taken = await this.attendant.look(waitingIn(this.state));
    return taken.map(({ data }) => data);
  }
}

describe('a deadline', () => {
  const WAITING = { waitHours: 2, onTimeout: 'D' };

  test('that has passed answers with the option that was chosen for that, once', async () => {
    const scene = new Scene(WAITING);
    const due = Date.parse([...scene.state.requests.values()][0]?.deadline ?? '');
    scene.now = due - 1;
    expect(await scene.look()).toEqual([]);
    scene.now = due;
    expect(await scene.look()).toMatchObject([{ option: 'D', actor: 'no_answer', decision: { action: 'abort' } }]);
    expect(await scene.look()).toEqual([]);
  });

  test('is compared anew each time, whatever the clock did before', async () => {
    const scene = new Scene(WAITING);
    for (const jump of [-86_400_000, 3_600_000, -60_000]) {
      scene.now = ASKED + jump;
      expect(await scene.look()).toEqual([]);
    }
    scene.now = ASKED + 86_400_000;
    expect(await scene.look()).toHaveLength(1);
  });

  test('without an option for it is only waited for', async () => {
    const scene = new Scene({ waitHours: 2 });
    scene.now = ASKED + 86_400_000;
    expect(await scene.look()).toEqual([]);
  });

  test('loses against an answer that lies there', async () => {
    const scene = new Scene(WAITING);
    scene.now = ASKED + 86_400_000;
    scene.lay({ chosen_option: 'A' });
    expect(await scene.look()).toMatchObject([{ option: 'A', actor: 'ann (file)' }]);
  });

  test('does not wait for a bad file to be mended', async () => {
    const scene = new Scene(WAITING);
    scene.now = ASKED + 86_400_000;
    scene.lay('{');
    expect(await scene.look()).toMatchObject([{ option: 'D', actor: 'no_answer' }]);
  });
});

describe('a file', () => {
  test('that names the question is its answer', async () => {
    const scene = new Scene();
    const spec_override = { implementation: { acceptance_criteria: ['opens in Excel'] }, 'a.b': 'x' };
    const additional_input = { spec_override, priority_change: 'P2' };
    scene.lay({ request: 'r1-q1', chosen_option: 'a', user_comment: 'so', additional_input }, ASKED + 1000);
    expect(await scene.look()).toEqual([
      {
        request: 'r1-q1',
        option: 'A',
        comment: 'so\nPriority: P2',
        actor: 'ann (file)',
        decision: {
          action: 'retry',
          ...{ guidance: 'so\nPriority: P2', for: expect.any(String) },
          changes: {
            override: { 'implementation.acceptance_criteria': ['opens in Excel'], 'a.b': 'x' },
          },
        },
      },
    ]);
  });

  test.each([
    {},
    { request: 'r1-q1' },
  ])('must be newer than the question it answers, named or not; saved again it counts (%o)', async (named) => {
    const scene = new Scene();
    scene.lay({ ...named, chosen_option: 'A' }, ASKED - 1000);
    expect(await scene.look()).toEqual([]);
    expect(scene.notices).toMatchObject([expect.stringContaining('is older than the question')]);
    scene.lay({ chosen_option: 'A' }, ASKED + 3_600_000);
    expect(await scene.look()).toMatchObject([{ option: 'A' }]);
  });

  test('with a patch is applied to what was judged last', async () => {
    const scene = new Scene();
    const manual_code =
      '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-old\n+new\n--- /dev/null\n+++ b/c/d.txt\n@@ -0,0 +1 @@\n+more\n';
    scene.lay({ chosen_option: 'B', additional_input: { manual_code } });
    expect(await scene.look()).toMatchObject([{ decision: { files: { 'b.txt': 'new\n', 'c/d.txt': 'more\n' } } }]);
  });

  test('that HELIX wrote after an earlier answer is no answer to the next question', async () => {
    const answer = { request: 'r1-q1', option: 'A', decision: { action: 'retry' as const }, actor: 'ann' };
    const again = asked('two', { request: 'r1-q2', options: OPTIONS });
    const scene = new Scene({}, { type: 'decision_taken', data: answer }, again);
    scene.now += 3_600_000;
    scene.lay({ request: 'r1-q1', chosen_option: 'A' });
    expect(await scene.look()).toEqual([]);
    expect(scene.notices).toEqual([]);
    const late = expect.stringMatching(
      /user-decision.json came too late: r1-q1 was already answered with A by ann at 20/,
    );
    for (const [n, other] of [{ chosen_option: 'D' }, { chosen_option: 'A', user_comment: 'but so' }].entries()) {
      scene.lay({ request: 'r1-q1', ...other }, scene.now + 2 + n);
      expect(await scene.look()).toEqual([]);
      expect(scene.notices.splice(0)).toEqual([late]);
    }
  });

  test('names the phase to go back to, which is checked', async () => {
    const back = [option('A', { action: 'revert', phase: 'one' }), option('B', { action: 'retry' })];
    const scene = new Scene({ options: back });
    const lay = (chosen_option: string, revert_to: string) => {
      scene.now += 1;
      scene.lay({ chosen_option, additional_input: { revert_to } });
    };
    for (const [chosen, phase, says] of [
      ['A', 'two', 'It can go back to: one'],
      ['B', 'one', 'option B does not go back to a phase'],
    ] as const) {
      lay(chosen, phase);
      expect(await scene.look()).toEqual([]);
      expect(scene.notices.splice(0)).toEqual([expect.stringContaining(says)]);
    }
    lay('A', 'one');
    expect(await scene.look()).toMatchObject([{ option: 'A', decision: { action: 'revert', phase: 'one' } }]);
  });

  test('that cannot be read is named by where it lies', async () => {
    const scene = new Scene();
    scene.lay({ chosen_option: 'A' });
    scene.unreadable = 'is reached by a link';
    expect(await scene.look()).toEqual([]);
    expect(scene.notices).toEqual([
      'r1-q1 stays open: .helix/runs/r1/phases/two/escalation/stufe-2/user-decision.json is reached by a link.',
    ]);
  });

  test.each([
    ['no JSON', '{"chosen_option": "A"', 'is no JSON'],
    ['a wrong type', { chosen_option: 7 }, 'chosen_option'],
    ['an unknown field', { chosen_option: 'A', extra: 1 }, 'extra'],
    ['an option that does not exist', { chosen_option: 'Z' }, 'has no option "Z"'],
    ['a question of another run', { chosen_option: 'A', request: 'r2-q1' }, 'answers r2-q1'],
    ['an acceptance without a reason', { chosen_option: 'C' }, 'needs a reason'],
    [
      'an acceptance that only says how urgent it is',
      { chosen_option: 'C', additional_input: { priority_change: 'P2' } },
      'needs a reason',
    ],
    [
      'code where none is taken',
      { chosen_option: 'A', additional_input: { manual_code: { 'a.txt': 'x' } } },
      'option B',
    ],
    ['a path that leaves', { chosen_option: 'B', additional_input: { manual_code: { '../a': 'x' } } }, 'leaves'],
    ['a path of git', { chosen_option: 'B', additional_input: { manual_code: { '.git/config': 'x' } } }, '.git/config'],
    [
      'code that is no diff',
      { chosen_option: 'B', additional_input: { manual_code: 'x = 1' } },
      'neither a unified diff',
    ],
    [
      'a diff that does not fit',
      { chosen_option: 'B', additional_input: { manual_code: '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-else\n+new\n' } },
      'does not fit b.txt',
    ],
    [
      'a diff that removes',
      { chosen_option: 'B', additional_input: { manual_code: '--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' } },
      'removes or renames b.txt',
    ],
    [
      'a number in the specification',
      { chosen_option: 'A', additional_input: { spec_override: { a: { b: 1 } } } },
      'at a.b',
    ],
  ])('with %s is told of once, and the question stays open', async (_what, document, says) => {
    const scene = new Scene();
    scene.lay(document);
    expect(await scene.look()).toEqual([]);
    expect(await scene.look()).toEqual([]);
    scene.lay(document, scene.now + 100);
    expect(await scene.look()).toEqual([]);
    expect(scene.notices).toEqual([expect.stringMatching(/^r1-q1 stays open: /)]);
    expect(scene.notices[0]).toContain(says);
    scene.lay({ chosen_option: 'A' }, scene.now + 200);
    expect(await scene.look()).toMatchObject([{ option: 'A' }]);
  });
});

describe('a file beside another run', () => {
  const other = (...facts: (NewEvent | number)[]) => sampleRun(samplePlan([samplePhase('else')]), [8, ...facts]).events;
  const ended: NewEvent = { type: 'run_finished', data: { status: 'passed' } };

  test.each([
    ['its agent is at work', other(started('else'))],
    ['its agent was at work', other(started('else'), 60, ...tried('else', 1, verdict('pass')).slice(1), ended)],
    ['its gate runs', other(started('else'), finished('else'))],
  ])('is not taken where it was written while %s', async (_what, facts) => {
    const scene = new Scene();
    scene.runs.set('r2', facts);
    scene.now += 3_600_000;
    scene.lay({ chosen_option: 'A' }, ASKED + 30_000);
    expect(await scene.look()).toEqual([]);
    expect(scene.notices).toEqual([
      expect.stringMatching(/was written while else of run r2 was at work.* Answer with: helix decide r1-q1$/),
    ]);
  });

  test('is not taken where what was at work cannot be told', async () => {
    const scene = new Scene();
    scene.runs.set('r2', []);
    scene.lay({ chosen_option: 'A' });
    expect(await scene.look()).toEqual([]);
    expect(scene.notices).toEqual([expect.stringContaining('run r2 then cannot be told: damaged')]);
  });

  test('is taken where that had ended, or began later', async () => {
    const ran = [...tried('else', 1, verdict('pass')), accepted('else'), ended];
    for (const facts of [other(...ran), other(7200, ...ran)]) {
      const scene = new Scene();
      scene.runs.set('r2', facts);
      scene.lay({ chosen_option: 'A' }, ASKED + 3_600_000);
      expect(await scene.look()).toMatchObject([{ option: 'A' }]);
    }
  });
});

test('an answer from afar is checked like every other', async () => {
  const scene = new Scene();
  expect(await scene.attendant.take('r1', { request: 'r1-q1', option: 'C' }, 'github:ann')).toBeUndefined();
  expect(scene.notices).toMatchObject([expect.stringContaining('needs a reason')]);
  const taken = await scene.attendant.take('r1', { request: 'r1-q1', option: 'A', comment: 'go' }, 'github:ann');
  expect(taken?.data).toMatchObject({ actor: 'github:ann', decision: { guidance: 'go' } });
  expect(await scene.attendant.take('r1', { request: 'r1-q1', option: 'D' }, 'github:bob')).toBeUndefined();
});

test('what is wrong with the journal is no fault of an answer', async () => {
  const scene = new Scene();
  const damaged = new Attendant({
    ...{ now: () => '', writtenAt: () => undefined, read: async () => undefined, state: async () => scene.state },
    journal: async () => Promise.reject(new Error()),
    ...{ tree: async () => Promise.reject(new Error()), actor: 'ann', notice: () => undefined },
    record: async () => Promise.reject(new HelixError('journal', 'damaged')),
  });
  await expect(damaged.take('r1', { request: 'r1-q1', option: 'A' }, 'ann')).rejects.toThrow('damaged');
});
