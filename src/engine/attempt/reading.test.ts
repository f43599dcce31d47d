import { expect, it } from 'vitest';
import { samplePhase, samplePlan, sampleStart } from '../../../test/sample-start.ts';
import { DRIVERS, type Driver } from '../../domain/plan/driver.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { replay } from '../../domain/run/evolve.ts';
import { isAnswered } from './reading.ts';

const GATE = { type: 'review_approved', settings: {}, onFailure: 'retry', maxRetries: 3 } as const;

function isAnsweredBy(driver: Driver, more: Partial<Phase> = {}): boolean {
  const phase = samplePhase('check', { type: 'review', gates: [GATE], ...more });
  const first = sampleStart('r', samplePlan([phase]));
  if (first.type !== 'run_started') throw new TypeError('a run begins with its start');
  const data = { ...first.data, agents: { default: { driver } } };
  const state = replay([{ type: 'run_started', data, seq: 1, v: 1, at: '2026-01-01T00:00:00Z', hash: '0'.repeat(64) }]);
  return state !== undefined && isAnswered(phase, state);
}

it('a review is answered by agents that can be judges; others, and scripted ones, write it themselves', () => {
  expect(DRIVERS.filter((driver) => isAnsweredBy(driver))).toEqual(['claude-code', 'codex']);
});

it('a review that is to write more than its judgement is done by a worker', () => {
  const outputs = (...files: string[]) => ({ output: { directory: 'output', files } });
  expect(isAnsweredBy('claude-code', outputs('output/review.json'))).toBe(true);
  expect(isAnsweredBy('claude-code', outputs('output/review.json', 'output/review.md'))).toBe(false);
  const files = {
    type: 'files_exist',
    settings: { files: ['output/notes.md'] },
    onFailure: 'retry',
    maxRetries: 3,
  } as const;
  expect(isAnsweredBy('claude-code', { gates: [GATE, files] })).toBe(false);
  expect(isAnsweredBy('claude-code', { gates: [] })).toBe(false);
  expect(isAnsweredBy('claude-code', { type: 'development' })).toBe(false);
});
