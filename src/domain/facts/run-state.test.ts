import { expect, test } from 'vitest';
import { asked, interrupted, samplePhase, samplePlan, sampleRun, started } from '../../../test/sample-run.ts';
import type { NewEvent } from './run-event.ts';
import { runStatus } from './run-state.ts';

const PLAN = samplePlan([samplePhase('a'), samplePhase('b', { dependsOn: [] })]);

const ASKED = asked('b');
const LIMITED = interrupted('a', 1, { failure: 'rate_limit' });
const STOPPED: NewEvent = { type: 'run_interrupted', data: { signal: 'SIGINT' } };

test.each<[what: string, facts: NewEvent[], owned: string, alone: string]>([
  ['has just begun', [], 'running', 'interrupted'],
  ['is worked on', [started('a')], 'running', 'interrupted'],
  ['is worked on while a question is open', [ASKED, started('a')], 'running', 'interrupted'],
  ['has nothing left but a question', [ASKED], 'waiting', 'waiting'],
  ['was interrupted with a question open', [ASKED, STOPPED], 'running', 'interrupted'],
  ['is parked', [started('a'), LIMITED], 'parked', 'parked'],
  ['is parked in one phase and worked on in another', [started('a'), LIMITED, started('b')], 'running', 'parked'],
])('a run that %s', (_what, facts, owned, alone) => {
  const { state } = sampleRun(PLAN, facts);
  expect([runStatus(state, true), runStatus(state, false)]).toEqual([owned, alone]);
});
