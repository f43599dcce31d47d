import { expect, test } from 'vitest';
import {
  accepted,
  answered,
  asked,
  ended,
  samplePhase,
  samplePlan,
  sampleRun,
  tried,
  verdict,
} from '../../../test/sample-run.ts';
import type { Option } from '../facts/consultation.ts';
import type { NewEvent } from '../facts/run-event.ts';
import type { RunState } from '../facts/run-state.ts';
import { type Answer, decisionOf, requestOf } from './answer.ts';

const option = (id: string, decision: Option['decision']): Option => ({
  ...{ id, description: id, effort: 'low', recommended: false },
  decision,
});
const OPTIONS = [
  option('A', { action: 'retry' }),
  option('B', { action: 'take' }),
  option('C', { action: 'accept' }),
  option('D', { action: 'revert', phase: 'two' }),
  option('E', { action: 'abort' }),
];

/** Two accepted phases, and a third that asks. */
function run(...facts: NewEvent[]): RunState {
  const plan = samplePlan([
    samplePhase('one'),
    samplePhase('two', { dependsOn: ['one'] }),
    samplePhase('three', { dependsOn: ['two'] }),
  ]);
  const done = ['one', 'two'].flatMap((id) => [...tried(id, 1, verdict('pass')), accepted(id, 1)]);
  return sampleRun(plan, [...done, asked('three', { options: OPTIONS }), ...facts]).state;
}

const decide = (answer: Answer, state = run()) => decisionOf(state, { ...answer, request: 'r1-q1' }, 'ann').data;

test('a comment becomes guidance where an agent tries again, whatever the case of the letter', () => {
  expect(decide({ option: 'a', comment: 'like this' })).toEqual({
    request: 'r1-q1',
    option: 'A',
    decision: { action: 'retry', guidance: 'like this' },
    comment: 'like this',
    actor: 'ann',
  });
  expect(decide({ option: 'E', comment: 'enough' })).toMatchObject({
    decision: { action: 'abort' },
    comment: 'enough',
  });
  expect(decide({ option: 'A', comment: '  ' })).not.toHaveProperty('comment');
});

test('a question that is settled says why it cannot be answered', () => {
  expect(() => requestOf(run(), 'r1-q9')).toThrow('there is no question r1-q9');
  expect(() => requestOf(run(answered('A', 'retry')), 'r1-q1')).toThrow(/already answered with A by ann at 20\d\d-/);
  expect(() => requestOf(run(ended('cancelled')), 'r1-q1')).toThrow('has already ended');
  const state = run();
  const withdrawn = new Map([...state.requests].map(([id, request]) => [id, { ...request, withdrawn: true }]));
  expect(() => requestOf({ ...state, requests: withdrawn }, 'r1-q1')).toThrow('the plan was changed');
});

test('what a gate rejects is accepted only with a reason', () => {
  expect(() => decide({ option: 'C' })).toThrow('needs a reason');
  expect(() => decide({ option: 'C', comment: ' \n' })).toThrow('needs a reason');
  expect(decide({ option: 'C', comment: 'the gate is wrong' })).toMatchObject({ comment: 'the gate is wrong' });
});

test('a run goes back only to accepted work that the phase builds on', () => {
  expect(decide({ option: 'D' }).decision).toEqual({ action: 'revert', phase: 'two' });
  expect(decide({ option: 'D', phase: 'one' }).decision.phase).toBe('one');
  expect(() => decide({ option: 'D', phase: 'three' })).toThrow('cannot go back to "three"');
  expect(() => decide({ option: 'A', phase: 'one' })).toThrow('option A does not go back to a phase');
});

test('why a run goes back is told to the agents there', () => {
  expect(decide({ option: 'D', comment: 'wrong API' }).decision).toMatchObject({ changes: { hints: ['wrong API'] } });
});

test('own files go with the option that takes them and with no other', () => {
  const files = { 'a.txt': 'mine' };
  expect(decide({ option: 'B', files }).decision).toEqual({ action: 'take', files });
  for (const other of ['A', 'C', 'D', 'E']) {
    expect(() => decide({ option: other, comment: 'so', files })).toThrow(
      `manual_code is not taken with option ${other}`,
    );
  }
});

test('additions to the specification go with options after which an agent works', () => {
  const spec = { 'implementation.acceptance_criteria': ['opens in Excel'] };
  for (const works of ['A', 'B', 'D'])
    expect(decide({ option: works, spec }).decision).toMatchObject({ changes: { spec } });
  for (const ends of ['C', 'E']) expect(() => decide({ option: ends, comment: 'so', spec })).toThrow('has no effect');
});

test('an option that does not exist and a comment without end are refused', () => {
  expect(() => decide({ option: 'X' })).toThrow('r1-q1 has no option "X"');
  expect(() => decide({ option: 'A', comment: 'x'.repeat(20_001) })).toThrow('longer than 20000 characters');
});
