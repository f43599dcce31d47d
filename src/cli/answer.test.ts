import { expect, test } from 'vitest';
import { answered, asked, ended, samplePhase, samplePlan, sampleRun } from '../../test/sample-run.ts';
import type { NewEvent } from '../domain/run-event.ts';
import type { RunState } from '../domain/run-state.ts';
import { decision, renderQuestion, requestOf } from './answer.ts';

function run(...facts: NewEvent[]): RunState {
  return sampleRun(samplePlan([samplePhase('a')]), [asked('a'), ...facts]).state;
}

test('an open question can be answered, whatever the case of the letter', () => {
  const request = requestOf(run(), 'r1-q1');
  expect(decision(request, { option: 'a', comment: 'like this' }, 'ann')).toMatchObject({
    type: 'decision_taken',
    data: { option: 'A', decision: { action: 'retry', guidance: 'like this' }, comment: 'like this', actor: 'ann' },
  });
  expect(decision(request, { option: 'B', comment: 'enough' }, 'ann')).toMatchObject({
    data: { decision: { action: 'abort' }, comment: 'enough' },
  });
  expect(() => decision(request, { option: 'C' }, 'ann')).toThrow('has no option "C"');
});

test('a question that is settled says why it cannot be answered', () => {
  expect(() => requestOf(run(), 'r1-q9')).toThrow('there is no question r1-q9');
  expect(() => requestOf(run(answered('A', 'retry')), 'r1-q1')).toThrow('already answered with A by ann');
  expect(() => requestOf(run(ended('cancelled')), 'r1-q1')).toThrow('has already ended');
  const state = run();
  const withdrawn = new Map([...state.requests].map(([id, request]) => [id, { ...request, withdrawn: true }]));
  expect(() => requestOf({ ...state, requests: withdrawn }, 'r1-q1')).toThrow('the plan was changed');
});

test('a question is shown within the width, without what could harm a terminal', () => {
  const [request] = run().requests.values();
  if (request === undefined) throw new Error('nothing is asked');
  const lines = renderQuestion({ ...request, question: `Really?\u001b[2J ${'long '.repeat(20)}\nAnd?` }, 30);
  expect(lines.every((line) => line.length <= 30)).toBe(true);
  expect(lines.join('\n')).not.toContain('\u001b');
  expect(lines.slice(-3)).toEqual(['And?', '  A  Try again (recommended)', '  B  Abort the run']);
});
