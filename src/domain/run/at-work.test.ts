import { expect, test } from 'vitest';
import {
  accepted,
  asked,
  consulted,
  finished,
  interrupted,
  judged,
  samplePhase,
  samplePlan,
  sampleRun,
  started,
  verdict,
} from '../../../test/sample-run.ts';
import type { NewEvent, RunEvent } from '../facts/run-event.ts';
import { workerAt } from './at-work.ts';

const PLAN = samplePlan([samplePhase('one')]);
const ended: NewEvent = { type: 'run_finished', data: { status: 'passed' } };
const cut: NewEvent = {
  type: 'judging_interrupted',
  data: { phase: 'one', attempt: 1, gate: 'custom', failure: 'crash', message: 'gone' },
};
const stopped: NewEvent = { type: 'run_interrupted', data: { signal: 'SIGINT' } };

/** Half a second after each fact: whether something is at work then. */
function atWork(events: readonly RunEvent[]): boolean[] {
  return events.map(({ at }) => workerAt(events, Date.parse(at) + 500) !== undefined);
}

const run = (...facts: NewEvent[]) => sampleRun(PLAN, facts).events;

test.each<[string, NewEvent[], boolean[]]>([
  [
    'an agent, then its gates',
    [started('one'), finished('one'), judged('one', 1, verdict('pass')), accepted('one'), ended],
    [false, true, true, false, false, false],
  ],
  ['an agent that nobody has seen end', [started('one')], [false, true]],
  ['an agent that was cut short', [started('one'), interrupted('one')], [false, true, false]],
  ['a gate that is tried again', [started('one'), finished('one'), cut], [false, true, true, true]],
  [
    'a gate that only a human can help',
    [started('one'), finished('one'), { ...cut, data: { ...cut.data, final: true } } as NewEvent, asked('one')],
    [false, true, true, true, false],
  ],
  ['a gate of a run that was stopped', [started('one'), finished('one'), stopped], [false, true, true, false]],
  [
    'a consultant',
    [started('one'), finished('one'), judged('one', 1, verdict('reject')), ...consulted('one')],
    [false, true, true, false, true, false],
  ],
  [
    'a human’s own change, then the gates that judge it',
    [started('one', 1, { manual: true }), finished('one'), judged('one', 1, verdict('pass'))],
    [false, false, true, false],
  ],
])('%s', (_what, facts, expected) => {
  expect(atWork(run(...facts))).toEqual(expected);
});

test('an earlier attempt counts as much as the last', () => {
  const events = run(started('one'), finished('one'), judged('one', 1, verdict('reject')), started('one', 2));
  expect(atWork(events)).toEqual([false, true, true, false, true]);
});

test('behind walls nothing counts', () => {
  const { events } = sampleRun(PLAN, [started('one')], { sandbox: { level: 'strict', why: 'it works' } });
  expect(atWork(events)).toEqual([false, false]);
});

test('a clock that is set back hides nothing', () => {
  const [first, second] = run(started('one'), finished('one')).slice(1);
  const [begun] = run();
  if (begun === undefined || first === undefined || second === undefined) throw new TypeError('a run has three facts');
  const back = { ...second, at: new Date(Date.parse(first.at) - 60_000).toISOString() };
  expect(workerAt([begun, first, back], Date.parse(first.at) - 30_000)).toBe('one');
});

test('a file that an agent wrote at once can have the stamp of the tick before', () => {
  const events = run(started('one')).slice(0, 2);
  const began = Date.parse(events[1]?.at ?? '');
  expect([began - 10, began - 1000].map((stamp) => workerAt(events, stamp))).toEqual(['one', undefined]);
});
