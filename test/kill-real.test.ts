import { describe, expect, it } from 'vitest';
import { killAndResume, outcome, PLANS, SEED, takeUp } from './kill-and-resume.ts';
import { repetitions } from './repetitions.ts';
import { Stage } from './run-scenario.ts';

const KILLS = repetitions(8, 300);

describe(`real processes killed with SIGKILL at random moments (HELIX_SEED=${SEED})`, () => {
  it(`end the same after at least ${KILLS} kills: same verdicts and trees, nothing judged twice, no process left`, async () => {
    const reference = new Stage('killed', PLANS);
    await takeUp(reference);
    const whole = await outcome(reference);
    reference.dispose();
    const check = async (stage: Stage) => expect(await outcome(stage)).toEqual(whole);
    const { kills } = await killAndResume({ plan: 'killed', kills: KILLS, check });
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  }, 400_000);
});
