import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { Changes } from '../../domain/facts/consultation.ts';
import type { PhaseState } from '../../domain/facts/run-state.ts';
import { NEW_RUNG, NO_HISTORY } from '../../domain/facts/state-draft.ts';
import { Simulation } from '../../domain/run/simulation.fixture.ts';
import { lastAttempt, setupOf } from './changed-phase.ts';

const PHASE = samplePhase('hard', { config: { model: 'planned', skills: ['one'] } });

const AGENTS = {
  default: { driver: 'scripted', model: 'own' },
  other: { driver: 'claude-code', model: 'others' },
} as const;

function stateWith(change: Partial<PhaseState>, more: { model?: string } = {}) {
  const { state } = new Simulation(samplePlan([PHASE]), { agents: AGENTS, ...more });
  const at = state.phases.get('hard');
  if (at === undefined) throw new TypeError('no such phase');
  return { ...state, phases: state.phases.with({ ...at, ...change }) };
}

it.each<[Changes, { model?: string }, ReturnType<typeof setupOf>]>([
  [{}, {}, { agent: 'default', model: 'planned', skills: ['one'] }],
  [{}, { model: 'wanted' }, { agent: 'default', model: 'wanted', skills: ['one'] }],
  [{ model: 'm' }, { model: 'wanted' }, { agent: 'default', model: 'm', skills: ['one'] }],
  [{ agent: 'other' }, { model: 'wanted' }, { agent: 'other', model: 'others', skills: ['one'] }],
  [{ agent: 'other', model: 'm' }, {}, { agent: 'other', model: 'm', skills: ['one'] }],
  [{ skills: ['two', 'one'] }, {}, { agent: 'default', model: 'planned', skills: ['one', 'two'] }],
])('with the changes %j and the options %j an attempt runs with %j', (changes, options, setup) => {
  expect(setupOf(PHASE, stateWith({ history: { ...NO_HISTORY, changes } }, options))).toEqual(setup);
});

const CONSULTED = { consulted: true, granted: false };
const judged = (times: number) => ({ ...NO_HISTORY, judged: times });

it.each<[string, Partial<PhaseState>, number]>([
  ['the first attempt', {}, 3],
  ['the second one', { history: judged(1), rung: { ...NEW_RUNG, judged: 1 } }, 3],
  [
    'the first one after the consultant',
    { history: judged(3), rung: { ...NEW_RUNG, judged: 0 }, climbed: CONSULTED },
    5,
  ],
  [
    'the next one after the consultant',
    { history: judged(4), rung: { ...NEW_RUNG, judged: 1 }, climbed: CONSULTED },
    5,
  ],
  [
    'the first one a human granted',
    { history: judged(5), rung: { ...NEW_RUNG, judged: 0 }, climbed: { ...CONSULTED, granted: true } },
    8,
  ],
])('the number of the last attempt of its rung is known for %s', (_, change, last) => {
  const state = stateWith(change);
  const escalation = { ...state.escalation, consultant: { ...state.escalation.consultant, attempts: 2 } };
  expect(lastAttempt(PHASE, state.phases.get('hard'), { ...state, escalation })).toBe(last);
});

it('a phase that names no model is worked on with that of its agent', () => {
  const { model: _, ...config } = PHASE.config;
  expect(setupOf({ ...PHASE, config }, stateWith({})).model).toBe('own');
});
