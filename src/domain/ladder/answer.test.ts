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
    decision: { action: 'retry', guidance: 'like this', for: 'three' },
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

test('what is said goes to the phase it is for, whoever asked', () => {
  const back = decide({ option: 'D', comment: 'wrong API' }).decision;
  expect(back).toEqual({ action: 'revert', phase: 'two', guidance: 'wrong API', for: 'two' });
  expect(decide({ option: 'D', phase: 'one', comment: 'x' }).decision).toMatchObject({ for: 'one' });
  expect(decide({ option: 'C', comment: 'the gate is wrong' }).decision).toEqual({ action: 'accept' });
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

test('what a human puts into the specification holds for whoever works later, and needs somebody who does', () => {
  const spec = { 'implementation.acceptance_criteria': ['opens in Excel'] };
  for (const option of ['A', 'B', 'C', 'D'])
    expect(decide({ option, comment: 'so', spec }).decision).toMatchObject({ changes: { override: spec } });
  expect(() => decide({ option: 'E', spec })).toThrow('has no effect');
  const { decision, comment } = decide({ option: 'A', comment: 'so', priority: ' later,\n please' });
  expect(decision).toMatchObject({ guidance: 'so\nPriority: later, please' });
  expect(decision.changes).toBeUndefined();
  expect(comment).toBe('so\nPriority: later, please');
});

test('nobody can only try again or stop: silence accepts nothing, takes nothing and goes back nowhere', () => {
  const nobody = (option: string) => decisionOf(run(), { option, comment: 'so', request: 'r1-q1' }, 'no_answer').data;
  for (const option of ['B', 'C', 'D']) expect(() => nobody(option)).toThrow('is not for nobody to choose');
  for (const option of ['A', 'E']) expect(nobody(option)).toMatchObject({ option, actor: 'no_answer' });
});

test('an option that does not exist and a comment without end are refused', () => {
  expect(() => decide({ option: 'X' })).toThrow('r1-q1 has no option "X"');
  expect(() => decide({ option: 'A', comment: 'x'.repeat(20_001) })).toThrow('longer than 20000 characters');
});
