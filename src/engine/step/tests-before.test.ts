import { expect, it } from 'vitest';
import { GATES } from '../../gates/registry.ts';
import { testsBefore } from './tests-before.ts';

const gate = (settings: Record<string, unknown>) => ({
  ...{ type: 'tests_pass', settings, onFailure: 'retry' as const, maxRetries: 3 },
});

/** What a gate of phase `second` is told of the three tests that `first` had. */
function told(mode: string, settings: Record<string, unknown>): number | undefined {
  const phases = ['first', 'second'].map((id) => ({ id, gates: [gate(settings)] }));
  const verdict = { gate: 'tests_pass', outcome: 'pass', tests: { total: 3, failed: [] } };
  const state = {
    ...{ plan: { workspace: { mode }, phases }, order: ['first'], tried: [] },
    phases: new Map([['first', { lastVerdicts: [verdict] }]]),
  };
  return testsBefore({ gate: gate(settings), phase: 'second' }, state as never, GATES)?.total;
}

it('phases of one repository have their tests in common', () => {
  expect(told('repo', {})).toBe(3);
  expect(told('repo', { command: ['npm', 'test'] })).toBe(3);
});

it('what is found in the directory of one phase says nothing of that of another', () => {
  expect(told('phase-dirs', {})).toBeUndefined();
  expect(told('phase-dirs', { command: ['npm', 'test'] })).toBe(3);
});
