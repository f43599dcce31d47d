import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { Simulation } from '../../domain/run/simulation.fixture.ts';
import { budgetAdvice } from './budget-advice.ts';

const PHASE = samplePhase('a');

function spent(budget: object, usd: number, ms = 1): Simulation {
  const simulation = new Simulation(samplePlan([PHASE]), { budget });
  simulation.started({ do: 'attempt', phase: PHASE, attempt: 1, start: undefined });
  simulation.finished({ phase: PHASE, attempt: 1 }, usd, { durationMs: ms });
  simulation.judged({ phase: PHASE, attempt: 1 }, false);
  return simulation;
}

it.each<[budget: object, usd: number, ms: number, more: string]>([
  [{ usd: 1 }, 1.2, 1, ' --budget 3'],
  [{ minutes: 2 }, 0, 150_000, ' --budget 5min'],
  [{ attempts: 1 }, 0, 1, ' --budget 2attempts'],
  [{ usd: 1, attempts: 1 }, 1, 1, ' --budget 2,2attempts'],
  [{ usd: 10 }, 2.5, 1, ' --budget 20'],
  [{}, 2.5, 1, ''],
])('of %j, with %d USD and %d ms spent, the advice is%s', (budget, usd, ms, more) => {
  expect(budgetAdvice(spent(budget, usd, ms).state, ' -C x')).toBe(`Go on with more: helix resume sim${more} -C x`);
});

it("a phase's own limit is raised in the plan", () => {
  const phase = samplePhase('a', { budget: { usd: 1 } });
  const simulation = new Simulation(samplePlan([phase]), { budget: { usd: 10 } });
  simulation.started({ do: 'attempt', phase, attempt: 1, start: undefined });
  simulation.finished({ phase, attempt: 1 }, 1.5);
  simulation.judged({ phase, attempt: 1 }, false);
  simulation.add({ type: 'run_parked', data: { reason: 'budget', message: 'spent', limitOf: 'a' } });
  expect(budgetAdvice(simulation.state, '')).toBe(
    'Raise the budget of a in phases.yaml, then go on with: helix resume sim --replan',
  );
});

it('an attempt that took all its share of the time is given more time, not more money', () => {
  const simulation = new Simulation(samplePlan([PHASE, samplePhase('b')]), { budget: { usd: 10, minutes: 10 } });
  simulation.started({ do: 'attempt', phase: PHASE, attempt: 1, start: undefined });
  simulation.interrupted({ phase: PHASE, attempt: 1 }, 'budget', { durationMs: 300_000 });
  expect(budgetAdvice(simulation.state, '')).toBe('Go on with more: helix resume sim --budget 20min');
});
