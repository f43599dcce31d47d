import { describe, expect, it } from 'vitest';
import { FORKING, HIDING } from './forking-scenario.ts';
import { killAgents, SEED } from './kill-agents.ts';
import { startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const KILLS = 100;
const WORKERS = 3;

describe.each(['strict', 'basic'] as const)('HELIX or the real claude, killed in the sandbox %s', (level) => {
  it(`${KILLS} times at random moments: every run ends the same (HELIX_SEED=${SEED})`, async (test) => {
    const command = [requireAgent(test, 'claude-code')];
    const model = await startLoopbackModel({ forks: level === 'strict' ? HIDING : FORKING });
    const env = { ANTHROPIC_BASE_URL: model.url('forks'), ANTHROPIC_API_KEY: 'a-dummy-key' };
    const { kills } = await killAgents({ command, level, kills: KILLS, env }, WORKERS);
    await model.close();
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  });
});
