import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { AttemptState, PhaseState } from '../facts/run-state.ts';
import { fresh, NEW_RUNG } from '../facts/state-draft.ts';
import { DEFAULT_ESCALATION } from '../plan/escalation-settings.ts';
import type { Gate } from '../plan/gate.ts';
import type { Phase } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';
import { nearestCreator, returnTargets } from './authors.ts';
import { ladder } from './escalation.ts';

const REJECTED: Verdict = { gate: 'review_approved', outcome: 'reject', findings: [], tree: 't', durationMs: 1 };
const READ: AttemptState = { attempt: 1, start: 't', inputs: [], startedAt: '', agent: 'x', stage: 'judged' };
const AUTHORS = [{ phase: 'b', findings: [] }];

function gate(onFailure: Gate['onFailure'], maxRetries = 2): Gate {
  return { type: 'review_approved', settings: {}, onFailure, maxRetries };
}

function planOf(review: Partial<Phase> = {}) {
  return samplePlan([
    samplePhase('a'),
    samplePhase('b', { dependsOn: ['a'] }),
    samplePhase('look', { type: 'review', dependsOn: ['b'] }),
    samplePhase('r', { type: 'review', dependsOn: ['look'], gates: [gate('retry')], ...review }),
  ]);
}

type Case = { review?: Partial<Phase>; state?: Partial<PhaseState>; only?: string };

function next({ review = {}, state = {}, only }: Case): string {
  const plan = planOf(review);
  const phase = plan.phases[3];
  if (phase === undefined) throw new Error('no review');
  const at = { ...fresh('r'), current: { ...READ, authors: AUTHORS }, lastVerdicts: [REJECTED], ...state };
  const run = { plan, escalation: DEFAULT_ESCALATION, ...(only !== undefined && { only }) };
  const rung = ladder(phase, at, run);
  if (rung.kind === 'send-back') return `send-back: ${rung.targets.join(' ')}`;
  if (rung.kind === 'consult') return `consult: ${rung.purpose}`;
  return rung.kind === 'human' ? `human: ${rung.reason}` : rung.kind;
}

const onRung = (reworks: number, climbed: Partial<PhaseState['climbed']> = {}): Partial<PhaseState> => ({
  rung: { ...NEW_RUNG, judged: 1, reworks },
  climbed: { consulted: false, granted: false, ...climbed },
});

describe('a review that rejects', () => {
  it.each<[Gate['onFailure'], reworks: number, 'first' | 'consulted' | 'granted', string]>([
    ['retry', 0, 'first', 'send-back: b'],
    ['retry', 1, 'first', 'send-back: b'],
    ['retry', 2, 'first', 'consult: decide'],
    ['retry', 0, 'consulted', 'send-back: b'],
    ['retry', 2, 'consulted', 'consult: advise'],
    ['retry', 1, 'granted', 'send-back: b'],
    ['retry', 2, 'granted', 'consult: advise'],
    ['escalation', 0, 'first', 'consult: decide'],
    ['escalation', 1, 'consulted', 'send-back: b'],
    ['escalation', 2, 'consulted', 'consult: advise'],
    ['escalation', 0, 'granted', 'send-back: b'],
    ['abort', 0, 'first', 'fail'],
  ])('with on_failure %s after %i reworks, %s: %s', (onFailure, reworks, stage, expected) => {
    const climbed = { consulted: stage === 'consulted', granted: stage === 'granted' };
    expect(next({ review: { gates: [gate(onFailure)] }, state: onRung(reworks, climbed) })).toBe(expected);
  });

  it('never leads to another reading of the same work, however often it is asked what follows', () => {
    for (let reworks = 0; reworks < 5; reworks += 1) expect(next({ state: onRung(reworks) })).not.toBe('attempt');
  });

  it('follows on_rejection where the plan has it', () => {
    const escalates = { onRejection: { action: 'escalate' } } as const;
    expect(next({ review: escalates })).toBe('human: rejected');
    const again = { onRejection: { action: 'retry_phase', target_phase: 'a', max_retries: 1 } } as const;
    expect(next({ review: again })).toBe('send-back: a');
    expect(next({ review: { onRejection: { action: 'fail' } } })).toBe('fail');
  });

  it('asks a human where nobody of the run made the work', () => {
    expect(next({ only: 'r' })).toBe('human: rejected');
    expect(next({ review: { dependsOn: [] } })).toBe('human: rejected');
    const granted = { ...onRung(0, { granted: true }), overruled: true };
    expect(next({ only: 'r', state: granted })).toBe('attempt');
  });
});

it('a human who let work pass before it was read has not overruled the review of it', () => {
  const override = { request: 'q', actor: 'me', reason: '', attempt: 1, waived: 0 };
  expect(next({ state: { rulings: { override } } })).toBe('send-back: b');
});

it('a review that was not delivered as it should is tried again, like any other phase', () => {
  expect(next({ state: { current: READ } })).toBe('attempt');
});

it('the nearest creator is the last one a judge depends on, or else the last before it, and never a judge', () => {
  const plan = planOf();
  const [, , look, review] = plan.phases as [Phase, Phase, Phase, Phase];
  expect([nearestCreator(look, plan), nearestCreator(review, plan)]).toEqual(['b', 'b']);
  expect(nearestCreator({ ...look, dependsOn: ['a'] }, samplePlan([...plan.phases]))).toBe('a');
});

it('findings about phases that are no longer in the plan go to the creator next to the review', () => {
  const plan = planOf();
  const review = plan.phases[3] as Phase;
  const authors = [{ phase: 'gone', findings: [] }];
  expect(returnTargets(review, { ...fresh('r'), current: { ...READ, authors } }, { plan })).toEqual(['b']);
});
