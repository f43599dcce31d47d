import { expect, it } from 'vitest';
import { playSchedules } from './ladder-schedules.ts';

const SCHEDULES = 1_000_000;
const SEED = Number(process.env.HELIX_SEED ?? Date.now() % 1_000_000_000);

it(`the ladder keeps its promises over ${SCHEDULES} random runs (HELIX_SEED=${SEED})`, () => {
  const ends = playSchedules(SCHEDULES, SEED);
  expect(ends.passed).toBeGreaterThan(1000);
});
