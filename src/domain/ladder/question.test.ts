import { expect, it } from 'vitest';
import { finished, samplePhase, samplePlan, sampleRun, started } from '../../../test/sample-run.ts';
import { samplePhase as phaseOf, samplePlan as planOf } from '../../../test/sample-start.ts';
import type { NewEvent } from '../facts/run-event.ts';
import { Simulation } from '../run/simulation.fixture.ts';
import { askAfterFailure } from './question.ts';

it.each([
  ['approval', 'Ask the judge again about the same work; '],
  ['tests_pass', 'Judge the same work again; '],
])('where %s could not judge, the first option says what is done again, and when a comment is heard', (gate, says) => {
  const phase = samplePhase('a');
  const cut: NewEvent = {
    type: 'judging_interrupted',
    data: { phase: 'a', attempt: 1, gate, failure: 'schema', message: 'no usable answer', final: true },
  };
  const { state } = sampleRun(samplePlan([phase]), [started('a'), finished('a'), cut]);
  const { data } = askAfterFailure(
    phase,
    { kind: 'human', reason: 'blocked', because: 'it could not be judged' },
    state,
  );
  expect(data.options[0]?.description).toBe(
    `${says}what you write as a comment becomes guidance for the agent if the work comes back to it`,
  );
});

it('a reason that is a sentence of its own ends in one stop', () => {
  const phase = phaseOf('build');
  const { state } = new Simulation(planOf([phase]));
  const rung = { kind: 'human', reason: 'exhausted', because: 'keep the one that was asked for.' } as const;
  const { data } = askAfterFailure(phase, rung, state);
  expect(data.question).toBe('Phase build is stuck: keep the one that was asked for. How should HELIX go on?');
});
