import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { AttemptState, PhaseState, RungState } from '../facts/run-state.ts';
import { fresh, NEW_RUNG, NO_HISTORY } from '../facts/state-draft.ts';
import { DEFAULT_ESCALATION, type EscalationSettings } from '../plan/escalation-settings.ts';
import type { Gate } from '../plan/gate.ts';
import type { Verdict } from '../verdict.ts';
import { ladder } from './escalation.ts';

const FRESH: PhaseState = fresh('a');
const RUN = { plan: samplePlan([samplePhase('a')]), escalation: DEFAULT_ESCALATION };
const CURRENT: AttemptState = { attempt: 1, start: 't', inputs: [], startedAt: '', agent: 'x', stage: 'judged' };

function verdict(outcome: Verdict['outcome'], gate = 'files_exist'): Verdict {
  return { gate, outcome, findings: [], tree: 't', durationMs: 1 };
}

function gate(onFailure: Gate['onFailure'], maxRetries = 3, type = 'files_exist'): Gate {
  return { type, settings: {}, onFailure, maxRetries };
}

function rung(gates: Gate[], state: Partial<PhaseState>, escalation: EscalationSettings = DEFAULT_ESCALATION): string {
  const next = ladder(samplePhase('a', { gates }), { ...FRESH, ...state }, { ...RUN, escalation });
  if (next.kind === 'consult') return `consult: ${next.purpose}`;
  return next.kind === 'human' ? `${next.kind}: ${next.reason}` : next.kind;
}

const JUDGED = { ...NO_HISTORY, judged: 3 };
const CONSULTED = { consulted: true, granted: false };
const GRANTED = { consulted: false, granted: true };

function onRung(what: Partial<RungState>): RungState {
  return { ...NEW_RUNG, ...what };
}

describe('after a failed gate', () => {
  it.each<[Gate['onFailure'], judged: number, stage: 'first' | 'consulted' | 'granted', next: string]>([
    ['retry', 1, 'first', 'attempt'],
    ['retry', 2, 'first', 'attempt'],
    ['retry', 3, 'first', 'consult: decide'],
    ['retry', 0, 'consulted', 'attempt'],
    ['retry', 2, 'consulted', 'attempt'],
    ['retry', 3, 'consulted', 'consult: advise'],
    ['retry', 0, 'granted', 'attempt'],
    ['retry', 2, 'granted', 'attempt'],
    ['retry', 3, 'granted', 'consult: advise'],
    ['escalation', 1, 'first', 'consult: decide'],
    ['escalation', 2, 'consulted', 'attempt'],
    ['escalation', 3, 'consulted', 'consult: advise'],
    ['escalation', 0, 'granted', 'attempt'],
    ['escalation', 2, 'granted', 'attempt'],
    ['escalation', 3, 'granted', 'consult: advise'],
    ['abort', 1, 'first', 'fail'],
    ['abort', 0, 'granted', 'fail'],
  ])('on_failure %s, %i judged on this rung, %s: %s', (onFailure, judged, stage, next) => {
    const lastVerdicts = [verdict('reject')];
    const climbed = { consulted: stage === 'consulted', granted: stage === 'granted' };
    const state = { history: JUDGED, rung: onRung({ judged }), climbed, lastVerdicts, current: CURRENT };
    expect(rung([gate(onFailure)], state)).toBe(next);
  });

  const EXHAUSTED = {
    history: JUDGED,
    rung: onRung({ judged: 3 }),
    lastVerdicts: [verdict('reject')],
    current: CURRENT,
  };
  const ADVICE = { analysis: { problem: 'p', suspected_cause: 'c', learning: 'l' }, options: [] };
  const ADVISED = { ...EXHAUSTED, rung: onRung({ judged: 3, advice: ADVICE }) };

  it('a human is asked when the consultant has nothing more to say', () => {
    expect(rung([gate('retry')], { ...ADVISED, climbed: CONSULTED })).toBe('human: exhausted');
    expect(rung([gate('retry')], ADVISED)).toBe('human: proposal');
  });

  it('a consultant that answers nonsense once is asked again, and after the second time a human is', () => {
    expect(rung([gate('retry')], { ...EXHAUSTED, rung: onRung({ judged: 3, refusals: 1 }) })).toBe('consult: decide');
    expect(rung([gate('retry')], { ...EXHAUSTED, rung: onRung({ judged: 3, refusals: 2 }) })).toBe('human: exhausted');
  });

  it('without a consultant a human is asked at once', () => {
    const none = { ...DEFAULT_ESCALATION, consultant: { attempts: 0, actions: [], models: [] } };
    expect(rung([gate('retry')], EXHAUSTED, none)).toBe('human: exhausted');
  });

  it('the settings say how many attempts the decision of a consultant gets', () => {
    const two = { ...DEFAULT_ESCALATION, consultant: { attempts: 2, actions: [], models: [] } };
    const state = { ...EXHAUSTED, climbed: CONSULTED };
    expect(rung([gate('retry')], { ...state, rung: onRung({ judged: 1 }) }, two)).toBe('attempt');
    expect(rung([gate('retry')], { ...state, rung: onRung({ judged: 2 }) }, two)).toBe('consult: advise');
  });

  it.each([
    ['retry', undefined, 'attempt'],
    ['stufe-1', undefined, 'consult: decide'],
    ['stufe-2', undefined, 'human: exhausted'],
    ['stufe-1', 'abort', 'fail'],
  ] as const)('an error that matches a pattern for %s, action %s: %s', (level, action, next) => {
    const matched = { pattern: 'x', level, ...(action !== undefined && { action }) };
    expect(rung([gate('retry')], { ...EXHAUSTED, rung: onRung({ judged: 1 }), matched })).toBe(next);
  });

  it('who is asked because of a pattern is told of it, whatever a consultant advised', () => {
    const matched = { pattern: 'no space', level: 'stufe-2' } as const;
    const state = { ...FRESH, ...EXHAUSTED, rung: onRung({ judged: 1, advice: ADVICE }), matched };
    const because = 'its gate files_exist failed with what only a human can mend: no space';
    expect(ladder(samplePhase('a'), state, RUN)).toEqual({ kind: 'human', reason: 'exhausted', because });
  });

  it('a human whose own change does not pass is asked again at once', () => {
    const state = {
      ...EXHAUSTED,
      rung: onRung({ judged: 1 }),
      climbed: GRANTED,
      current: { ...CURRENT, manual: true },
    };
    expect(rung([gate('retry')], state)).toBe('human: exhausted');
    expect(rung([gate('retry')], { ...state, rung: NEW_RUNG })).toBe('attempt');
  });

  it('the first gate that did not pass decides, and revise does not pass', () => {
    const gates = [gate('retry'), gate('abort', 3, 'custom'), gate('retry')];
    const following = (...lastVerdicts: Verdict[]) =>
      rung(gates, { rung: onRung({ judged: 1 }), lastVerdicts, current: CURRENT });
    expect(following(verdict('reject'))).toBe('attempt');
    expect(following(verdict('pass'), verdict('reject', 'custom'))).toBe('fail');
    expect(following(verdict('pass'), verdict('revise', 'custom'))).toBe('fail');
    expect(following(verdict('pass'), verdict('pass'), verdict('reject'))).toBe('attempt');
  });

  it('each gate has its own number of attempts', () => {
    const state = { rung: onRung({ judged: 2 }), lastVerdicts: [verdict('reject')], current: CURRENT };
    expect(rung([gate('retry', 2)], state)).toBe('consult: decide');
    expect(rung([gate('retry', 5)], state)).toBe('attempt');
  });

  it('the consultant is told which gate failed how often', () => {
    const state = {
      ...FRESH,
      history: { ...NO_HISTORY, judged: 7 },
      rung: onRung({ judged: 3 }),
      lastVerdicts: [verdict('reject')],
    };
    expect(ladder(samplePhase('a'), state, RUN)).toMatchObject({ because: 'its gate files_exist failed 7 times' });
    const two = samplePhase('a', { gates: [gate('retry', 2), gate('retry', 2)] });
    expect(ladder(two, state, RUN)).toMatchObject({
      because: 'none of its 7 attempts passed its gates; the last failed files_exist',
    });
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
      expect(rung([gate(onFailure)], { rung: onRung({ interruptions }), current })).toBe(next);
    }
  });

  it('they use up no attempt: an interrupted try after a failed gate is tried again', () => {
    const current = { ...CURRENT, stage: 'interrupted' } as const;
    const state = {
      history: JUDGED,
      rung: onRung({ judged: 2, interruptions: 4 }),
      lastVerdicts: [verdict('reject')],
      current,
    };
    expect(rung([gate('retry')], state)).toBe('attempt');
  });

  it('work that came back from elsewhere is not said to have failed whenever it was judged', () => {
    const merged = { by: 'merge', from: 'b', target: 'a', verdicts: [] } as const;
    const state = { ...FRESH, history: JUDGED, rung: onRung({ judged: 2 }), lastVerdicts: [verdict('reject')] };
    const because = (more: Partial<PhaseState>) =>
      ladder(samplePhase('a', { gates: [gate('retry', 2)] }), { ...state, ...more }, RUN);
    const { type } = gate('retry');
    expect(because({})).toMatchObject({ because: `its gate ${type} failed ${JUDGED.judged} times` });
    expect(because({ returns: [merged] })).toMatchObject({
      because: `its gate ${type} failed in the last of its ${JUDGED.judged} attempts`,
    });
  });

  it('a judgement that keeps being interrupted asks too', () => {
    const current = { ...CURRENT, stage: 'finished', tree: 't' } as const;
    expect(rung([gate('retry')], { rung: onRung({ interruptions: 4 }), current })).toBe('judge');
    expect(rung([gate('retry')], { rung: onRung({ interruptions: 5 }), current })).toBe('human: interrupted');
  });

  it('the human is told by what it was interrupted last', () => {
    const current = { ...CURRENT, stage: 'interrupted', failure: 'crash' } as const;
    const next = ladder(samplePhase('a'), { ...FRESH, rung: onRung({ interruptions: 5 }), current }, RUN);
    expect(next).toMatchObject({ because: 'interrupted 5 times in a row; the last time its program crashed' });
  });
});

describe('otherwise', () => {
  it('a phase that was never tried is tried', () => {
    expect(rung([gate('abort')], {})).toBe('attempt');
  });

  it('finished work is judged before anything else follows from earlier verdicts', () => {
    const current = { ...CURRENT, stage: 'finished', tree: 't' } as const;
    const state = { rung: onRung({ judged: 3 }), lastVerdicts: [verdict('reject')], current };
    for (const onFailure of ['retry', 'escalation', 'abort'] as const)
      expect(rung([gate(onFailure)], state)).toBe('judge');
  });

  it('what blocks a phase is put before a human at once, with its reason', () => {
    const blocked = { failure: 'auth', message: 'log in first' } as const;
    const current = { ...CURRENT, stage: 'finished', tree: 't' } as const;
    const next = ladder(
      samplePhase('a', { gates: [gate('abort')] }),
      { ...FRESH, rung: onRung({ blocked }), current },
      RUN,
    );
    expect(next).toEqual({
      kind: 'human',
      reason: 'blocked',
      because: 'its login is missing or was refused: log in first',
    });
  });
});
