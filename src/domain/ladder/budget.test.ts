import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { RunState } from '../facts/run-state.ts';
import { NO_SPENDING } from '../facts/spending.ts';
import type { Budget } from '../plan/plan.ts';
import { Simulation } from '../run/simulation.fixture.ts';
import { limitFor } from './budget.ts';

const NOTHING: RunState['spent'] = { ...NO_SPENDING, attempts: 0, ms: 0 };

const PHASE = samplePhase('a');
const { state } = new Simulation(samplePlan([PHASE]));

function limit(budget: Budget, spent: Partial<RunState['spent']>): string | undefined {
  return limitFor(PHASE, { ...state, budget, spent: { ...NOTHING, ...spent } })?.message;
}

it.each<[budget: Budget, spent: Partial<RunState['spent']>, says: string | undefined]>([
  [{ usd: 1 }, { usd: 0.99 }, undefined],
  [{ usd: 1 }, { usd: 1 }, '1.00 of 1.00 USD are spent'],
  [{ usd: 1.5 }, { usd: 2.25 }, '2.25 of 1.50 USD are spent'],
  [{ usd: 0 }, { usd: 0 }, undefined],
  [{ usd: 0 }, { usd: 0.01 }, '0.01 of 0.00 USD are spent'],
  [{ minutes: 2 }, { ms: 119_999 }, undefined],
  [{ minutes: 2 }, { ms: 120_000 }, '2 agent minutes are used up'],
  [{ minutes: 0.5 }, { ms: 30_000 }, '0.5 agent minutes are used up'],
  [{ attempts: 3 }, { attempts: 2 }, undefined],
  [{ attempts: 3 }, { attempts: 3 }, '3 attempts are used up'],
  [{}, { usd: 1e6, ms: 1e12, attempts: 1e6 }, undefined],
])('of %j, %j spent says %j', (budget, spent, says) => {
  expect(limit(budget, spent)).toBe(says);
});

it('each limit binds by itself', () => {
  const budget = { usd: 1, minutes: 1, attempts: 1 };
  expect(limit(budget, {})).toBeUndefined();
  expect(limit(budget, { usd: 1 })).toContain('USD');
  expect(limit(budget, { ms: 60_000 })).toContain('minutes');
  expect(limit(budget, { attempts: 1 })).toContain('attempts');
});

it('who took over is held to the dollars that are left, whoever it was before', () => {
  const agents = { default: { driver: 'scripted' }, paid: { driver: 'claude-code' } } as const;
  const run = new Simulation(samplePlan([PHASE]), { agents, budget: { usd: 0 } });
  expect(limitFor(PHASE, run.state)).toBeUndefined();
  const about = { phase: 'a', attempt: 1, consultation: 'c', purpose: 'decide' } as const;
  const answer = {
    analysis: { failure_summary: '', root_cause: '' },
    decision: { action: 'retry_with_changes' },
  } as const;
  const cost = { usd: 0, basis: 'simulated' } as const;
  run.add({
    type: 'consultation_finished',
    data: { ...about, answer, outcome: 'retry', changes: { agent: 'paid' }, cost, durationMs: 1, simulated: true },
  });
  expect(limitFor(PHASE, run.state)?.message).toContain('USD');
});
