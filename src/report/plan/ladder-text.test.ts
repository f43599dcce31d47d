import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { DEFAULT_ESCALATION } from '../../domain/plan/escalation-settings.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { renderLadder } from './ladder-text.ts';

function ladder(phase: Partial<Phase>, attempts?: number): string {
  const { consultant } = DEFAULT_ESCALATION;
  const escalation = {
    ...DEFAULT_ESCALATION,
    consultant: { ...consultant, ...(attempts !== undefined && { attempts }) },
  };
  const plan = samplePlan([samplePhase('work'), samplePhase('a', { dependsOn: ['work'], ...phase })]);
  return renderLadder(plan.phases[1] ?? samplePhase('a'), { plan, escalation });
}

function gate(type: string, onFailure: Gate['onFailure'], maxRetries: number): Gate {
  return { type, settings: {}, onFailure, maxRetries };
}

it.each<[says: string, phase: Partial<Phase>, attempts?: number]>([
  ['3 attempts, consultant, 3 attempts, human', {}],
  ['3 attempts, consultant, 1 attempt, human', {}, 1],
  ['3 attempts, human', {}, 0],
  ['1 attempt, consultant, 2 attempts, human', { gates: [gate('custom', 'escalation', 5)] }, 2],
  ['the run ends', { gates: [gate('custom', 'abort', 5)] }],
  ['x: the run ends; y: 2 attempts, human', { gates: [gate('x', 'abort', 1), gate('y', 'retry', 2)] }, 0],
  ['the run ends', { type: 'approval' }],
  ['human', { type: 'approval', onRejection: { action: 'escalate' } }],
  ['1 rework of work, human', { type: 'approval', onRejection: { action: 'retry_phase', max_retries: 1 } }],
  [
    '2 reworks of work, consultant, 2 reworks of work, human',
    { type: 'review', gates: [gate('review_approved', 'retry', 2)] },
  ],
  ['consultant, 1 rework of work, human', { type: 'review', gates: [gate('review_approved', 'escalation', 2)] }, 1],
  ['the run ends', { type: 'review', gates: [gate('review_approved', 'abort', 2)] }],
  ['human', { type: 'review', dependsOn: [], gates: [gate('review_approved', 'retry', 2)] }],
])('%s', (says, phase, attempts) => {
  expect(ladder(phase, attempts)).toBe(says);
});
