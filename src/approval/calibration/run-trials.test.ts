import { describe, expect, it } from 'vitest';
import type { Cost } from '../../domain/facts/run-event.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import type { Asked } from '../judge.ts';
import { acceptedInputs } from './accepted-inputs.ts';
import type { Trial } from './plan-trials.ts';
import { type Asking, runTrials } from './run-trials.ts';

const trials = Array.from({ length: 12 }, (_, index): Trial => ({ path: `${index}.md`, text: 'x' }));
const signal = new AbortController().signal;

function approval(change: Partial<ApprovalResult> = {}): ApprovalResult {
  return {
    approval_id: 'a',
    approval_type: 'adr',
    timestamp: '2026-01-01T00:00:00.000Z',
    result: 'approved',
    confidence: 1,
    findings: [],
    recommendations: [],
    agent_context: { model: 'm', duration_seconds: 1, cost_basis: 'reported', simulated: false },
    inputs: [{ path: 'a.md', sha256: '1' }],
    checks: [],
    definition_sha256: '',
    cached: false,
    stage: 'agent',
    ...change,
  };
}

function answered(cost: Cost): Asked {
  const record: Extract<Asked, { kind: 'answered' }>['record'] = {
    ...{ approval_id: 'a', approval_type: 'adr', started: '', key: '', files: [], definition: [], brief_sha256: '' },
    ...{ tools: [], sandbox: '', agent: '', driver: '', simulated: true, denied: [] },
  };
  return { kind: 'answered', result: approval(), record, brief: '', cost, durationMs: 1 };
}

const usd = (amount: number): Cost => ({ usd: amount, basis: 'reported' });
const cut: Asked = { kind: 'interrupted', failure: 'network', message: 'no route', cost: usd(0), durationMs: 1 };
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('trials', () => {
  it('are asked four at a time, each with its own turn, and told in their order', async () => {
    let [now, most] = [0, 0];
    const turns: number[] = [];
    const ask = async ({ turn }: Asking) => {
      turns.push(turn);
      now += 1;
      most = Math.max(most, now);
      for (let wait = 0; wait < 5 - (turn % 5); wait += 1) await later();
      now -= 1;
      return answered(usd(0));
    };
    const { judged, asked, stopped } = await runTrials(trials, { ask, budgetUsd: 5, signal });
    expect([most, asked, stopped]).toEqual([4, 12, undefined]);
    expect(turns.toSorted((a, b) => a - b)).toEqual(trials.map((_, index) => index));
    expect(judged.map(({ trial }) => trial)).toEqual(trials);
  });

  it('never cost more than the budget, and money is reserved before it is spent', async () => {
    let [reserved, spent] = [0, 0];
    const ask = async ({ spendUsd }: Asking) => {
      reserved += spendUsd;
      expect(reserved + spent).toBeLessThanOrEqual(1 + 1e-9);
      await later();
      reserved -= spendUsd;
      spent += Math.min(spendUsd, 0.15);
      return answered(usd(Math.min(spendUsd, 0.15)));
    };
    const { asked, cost, stopped } = await runTrials(trials, { ask, budgetUsd: 1, signal });
    expect([asked, stopped]).toEqual([6, 'the budget of 1.00 USD is enough for 6 of 12 trials']);
    expect(cost.usd).toBeCloseTo(0.9);
  });

  it('of unknown cost have cost what was reserved for them', async () => {
    const ask = async () => answered({ basis: 'unknown' });
    const { asked, cost } = await runTrials(trials, { ask, budgetUsd: 1, signal });
    expect([asked, cost]).toEqual([4, { usd: 0, unknown: 4 }]);
  });

  it('without an answer are counted apart, and end the calibration when no judge answers any more', async () => {
    const ask = async ({ turn }: Asking) => (turn % 2 === 0 ? cut : answered(usd(0)));
    const some = await runTrials(trials, { ask, budgetUsd: 5, signal });
    expect([some.asked, some.interrupted, some.judged.length, some.stopped]).toEqual([12, 6, 6, undefined]);
    const none = await runTrials(trials, { ask: async () => cut, budgetUsd: 5, signal });
    expect(none.judged).toEqual([]);
    expect(none.asked).toBeLessThan(12);
    expect(none.stopped).toBe('5 judges in a row gave no answer, the last one because: no route');
  });

  it('end when they are stopped, with what was measured so far', async () => {
    const stop = new AbortController();
    const ask = async ({ turn }: Asking) => {
      if (turn === 5) stop.abort();
      return answered(usd(0));
    };
    const { judged, stopped } = await runTrials(trials, { ask, budgetUsd: 5, signal: stop.signal });
    expect(judged.length).toBeGreaterThan(4);
    expect(judged.length).toBeLessThan(12);
    expect(stopped).toBe('stopped before all trials were asked');
  });
});

describe('what is accepted', () => {
  const wanted = { type: 'adr', simulated: false };

  it('is what the newest approval of its type approved, whatever order they are found in', () => {
    const old = approval({ inputs: [{ path: 'a.md', sha256: '0' }] });
    const newer = approval({ timestamp: '2026-02-01T00:00:00.000Z' });
    expect([...acceptedInputs([newer, old], wanted)]).toEqual([['a.md', '1']]);
    const rejected = approval({ timestamp: '2026-03-01T00:00:00.000Z', result: 'needs_revision' });
    expect(acceptedInputs([rejected, newer, old], wanted).size).toBe(0);
    expect(acceptedInputs([newer], { ...wanted, type: 'code' }).size).toBe(0);
  });

  it('was not approved by a simulated judge, unless the judge is simulated, too', () => {
    const { agent_context } = approval();
    const played = approval({ agent_context: { ...agent_context, simulated: true } });
    expect(acceptedInputs([played], wanted).size).toBe(0);
    expect(acceptedInputs([played], { ...wanted, simulated: true }).size).toBe(1);
  });
});
