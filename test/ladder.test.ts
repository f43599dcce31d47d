import { expect, it } from 'vitest';
import { playSchedules } from './ladder-schedules.ts';
import { MEETING_FACTS } from './meeting-ledger.ts';

const SCHEDULES = 20_000;
const SEED = Number(process.env.HELIX_SEED ?? 1);

it(`the ladder keeps its promises over ${SCHEDULES} random runs with kills, consultants and humans (HELIX_SEED=${SEED})`, () => {
  const ends = playSchedules(SCHEDULES, SEED);
  for (const kind of ['passed', 'failed', 'retry', 'take', 'accept', 'revert', 'abort', 'override', 'answered twice']) {
    expect(ends[kind], kind).toBeGreaterThan(100);
  }
  for (const fact of [
    'plan_reverted',
    'consultation_refused',
    'phase_sent_back',
    'review sent back',
    'attempt_joined',
    ...MEETING_FACTS,
    'plan asked',
  ]) {
    expect(ends[fact], fact).toBeGreaterThan(100);
  }
});
