import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWalled } from '../../src/adapters/programs/walls/walled.fixture.ts';
import { repetitions } from '../repetitions.ts';
import { HIDING } from './forking-scenario.ts';
import { killAgents, SEED } from './kill-agents.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const WORKERS = 3;
const REAL_KILLS = repetitions(2, 30);

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({ forks: HIDING });
});
afterAll(() => model.close());

describeWalled(`HELIX or its agent, killed at random moments behind walls (HELIX_SEED=${SEED})`, () => {
  it(`${REAL_KILLS} times with the real claude, whose shell's children fork and leave their session: nothing lives on, and every run ends the same`, async (test) => {
    const command = [requireAgent(test, 'claude-code')];
    const env = { ANTHROPIC_BASE_URL: model.url('forks'), ANTHROPIC_API_KEY: 'a-dummy-key' };
    const { kills } = await killAgents({ command, level: 'strict', kills: REAL_KILLS, env }, WORKERS);
    expect(kills).toBeGreaterThanOrEqual(REAL_KILLS);
  }, 400_000);
});
