import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeWalled } from '../../src/adapters/programs/walls/walled.fixture.ts';
import { repetitions } from '../repetitions.ts';
import { killAgents, SEED, type Series } from './kill-agents.ts';

const STAND_IN = fileURLToPath(new URL('./programs/forking-stand-in.ts', import.meta.url));
const WORKERS = 3;
const WALLED_KILLS = repetitions(2, 45);
const UNWALLED_KILLS = repetitions(3, 25);

function standIn(level: Series['level'], kills: number): Series {
  const manner = level === 'strict' ? 'hiding' : 'open';
  return { command: [process.execPath, STAND_IN, manner], level, kills, env: { ANTHROPIC_API_KEY: 'a-dummy-key' } };
}

describeWalled(`HELIX or its agent, killed at random moments behind walls (HELIX_SEED=${SEED})`, () => {
  it(`${WALLED_KILLS} times with a stand-in whose children fork and leave their session: nothing lives on, and every run ends the same`, async () => {
    const { kills } = await killAgents(standIn('strict', WALLED_KILLS), WORKERS);
    expect(kills).toBeGreaterThanOrEqual(WALLED_KILLS);
  }, 400_000);
});

it(`${UNWALLED_KILLS} kills without walls leave processes, which the next start ends, and every run ends the same (HELIX_SEED=${SEED})`, async () => {
  const { kills, survivors } = await killAgents(standIn('basic', UNWALLED_KILLS), WORKERS);
  expect(kills).toBeGreaterThanOrEqual(UNWALLED_KILLS);
  expect(survivors).toBeGreaterThan(0);
}, 400_000);
