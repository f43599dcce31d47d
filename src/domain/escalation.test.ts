import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../test/sample-start.ts';
import { ladder } from './escalation.ts';
import type { Gate } from './gate.ts';
import type { AttemptState, PhaseState } from './run-state.ts';
import { fresh } from './state-draft.ts';
import type { Verdict } from './verdict.ts';

const FRESH: PhaseState = fresh('a');
const PLAN = samplePlan([samplePhase('a')]);
const CURRENT: AttemptState = { attempt: 1, start: 't', inputs: [], startedAt: '', agent: 'x', stage: 'judged' };

function verdict(outcome: Verdict['outcome'], gate = 'files_exist'): Verdict {
  return { gate, outcome, findings: [], tree: 't', durationMs: 1 };
}

function gate(onFailure: Gate['onFailure'], maxRetries = 3, type = 'files_exist'): Gate {
  return { type, settings: {}, onFailure, maxRetries };
}

function rung(gates: Gate[], state: Partial<PhaseState>): string {
  const next = ladder(samplePhase('a', { gates }), { ...FRESH, ...state }, PLAN);
  return next.kind === 'human' ? `${next.kind}: ${next.reason}` : next.kind;
}

describe('after a failed gate', () => {
  it.each<[Gate['onFailure'], judgedOnRung: number, granted: boolean, next: string]>([
    ['retry', 1, false, 'attempt'],
    ['retry', 2, false, 'attempt'],
    ['retry', 3, false, 'human: exhausted'],
    ['retry', 0, true, 'attempt'],
    ['retry', 2, true, 'attempt'],
    ['retry', 3, true, 'human: exhausted'],
    ['escalation', 1, false, 'human: exhausted'],
    ['escalation', 0, true, 'attempt'],
    ['escalation', 2, true, 'attempt'],
    ['escalation', 3, true, 'human: exhausted'],
    ['abort', 1, false, 'fail'],
    ['abort', 0, true, 'fail'],
  ])('on_failure %s, %i judged on this rung, granted %s: %s', (onFailure, judgedOnRung, granted, next) => {
    const lastVerdicts = [verdict('reject')];
    const state = { judged: 3, judgedOnRung, granted, lastVerdicts, current: CURRENT };
    expect(rung([gate(onFailure)], state)).toBe(next);
  });

  it('the first gate that did not pass decides, and revise does not pass', () => {
    const gates = [gate('retry'), gate('abort', 3, 'custom'), gate('retry')];
    const following = (...lastVerdicts: Verdict[]) => rung(gates, { judgedOnRung: 1, lastVerdicts, current: CURRENT });
    expect(following(verdict('reject'))).toBe('attempt');
    expect(following(verdict('pass'), verdict('reject', 'custom'))).toBe('fail');
    expect(following(verdict('pass'), verdict('revise', 'custom'))).toBe('fail');
    expect(following(verdict('pass'), verdict('pass'), verdict('reject'))).toBe('attempt');
  });

  it('each gate has its own number of attempts', () => {
    const state = { judgedOnRung: 2, lastVerdicts: [verdict('reject')], current: CURRENT };
    expect(rung([gate('retry', 2)], state)).toBe('human: exhausted');
    expect(rung([gate('retry', 5)], state)).toBe('attempt');
  });

  it('the human is told which gate failed how often', () => {
    const state = { ...FRESH, judged: 7, judgedOnRung: 3, lastVerdicts: [verdict('reject')] };
    expect(ladder(samplePhase('a'), state, PLAN)).toMatchObject({ because: 'its gate files_exist failed 7 times' });
  });
});

describe('after interruptions', () => {
  it.each([
    [0, 'attempt'],
    [1, 'attempt'],
    [4, 'attempt'],
    [5, 'human: interrupted'],
    [6, 'human: interrupted'],
  ])('%i in a row: %s', (interruptions, next) => {
    const current = { ...CURRENT, stage: 'interrupted' } as const;
    for (const onFailure of ['retry', 'escalation'] as const) {
      expect(rung([gate(onFailure)], { interruptions, current })).toBe(next);
    }
  });

  it('they use up no attempt: an interrupted try after a failed gate is tried again', () => {
    const current = { ...CURRENT, stage: 'interrupted' } as const;
    const state = { interruptions: 4, judged: 2, judgedOnRung: 2, lastVerdicts: [verdict('reject')], current };
    expect(rung([gate('retry')], state)).toBe('attempt');
  });

  it('a judgement that keeps being interrupted asks too', () => {
    const current = { ...CURRENT, stage: 'finished', tree: 't' } as const;
    expect(rung([gate('retry')], { interruptions: 4, current })).toBe('judge');
    expect(rung([gate('retry')], { interruptions: 5, current })).toBe('human: interrupted');
  });

  it('the human is told by what it was interrupted last', () => {
    const current = { ...CURRENT, stage: 'interrupted', failure: 'crash' } as const;
    const next = ladder(samplePhase('a'), { ...FRESH, interruptions: 5, current }, PLAN);
    expect(next).toMatchObject({ because: 'interrupted 5 times in a row, the last time by crash' });
  });
});

describe('otherwise', () => {
  it('a phase that was never tried is tried', () => {
    expect(rung([gate('abort')], {})).toBe('attempt');
  });

  it('finished work is judged before anything else follows from earlier verdicts', () => {
    const current = { ...CURRENT, stage: 'finished', tree: 't' } as const;
    const state = { judgedOnRung: 3, lastVerdicts: [verdict('reject')], current };
    for (const onFailure of ['retry', 'escalation', 'abort'] as const)
      expect(rung([gate(onFailure)], state)).toBe('judge');
  });

  it('what blocks a phase is put before a human at once, with its reason', () => {
    const blocked = { failure: 'auth', message: 'log in first' } as const;
    const current = { ...CURRENT, stage: 'finished', tree: 't' } as const;
    const next = ladder(samplePhase('a', { gates: [gate('abort')] }), { ...FRESH, blocked, current }, PLAN);
    expect(next).toEqual({ kind: 'human', reason: 'blocked', because: 'auth: log in first' });
  });
});
