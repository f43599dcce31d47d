import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { acceptedTrees, essence, judgedTwice } from './essence.ts';
import { helix, startHelix } from './helix-process.ts';
import { randomNumbers } from './random-numbers.ts';
import { Stage } from './run-scenario.ts';

const PLANS = fileURLToPath(new URL('./plans', import.meta.url));
const KILLS = 150;
const SEED = Number(process.env.HELIX_SEED ?? 20_261_115);

/** Kills real processes of one run at random moments until it has ended or has been killed often enough. */
async function killAtRandom(random: () => number, most: number): Promise<{ kills: number; stage: Stage }> {
  const stage = new Stage('killed', PLANS);
  let kills = 0;
  for (let round = 0; kills < most; round += 1) {
    const { child, end } = startHelix(round === 0 ? ['run'] : ['resume'], { cwd: stage.dir });
    await Promise.race([pause(60 + random() * 700), end]);
    const killed = child.exitCode === null && child.kill('SIGKILL');
    const { code, signal, stderr } = await end;
    if (killed && signal === 'SIGKILL') kills += 1;
    else if (code === 0) break;
    else if (!(code === 2 && stderr.includes('there is no run')))
      throw new Error(`helix ended with ${code}: ${stderr}`);
    else round = -1;
  }
  return { kills, stage };
}

async function finish(stage: Stage) {
  const { code, stderr } = await helix(['resume'], { cwd: stage.dir });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const world = stage.world();
  const [row] = await (await world.journal()).list();
  const events = await stage.events(world, row?.run ?? '');
  const state = await stage.read(world, row?.run ?? '');
  const left = await world.processes.endMarked(state.marker);
  world.close();
  return { events, left };
}

describe(`real processes killed with SIGKILL at random moments (HELIX_SEED=${SEED})`, () => {
  it(`end the same after at least ${KILLS} kills: same verdicts and trees, nothing judged twice, no process left`, async () => {
    const reference = new Stage('killed', PLANS);
    const world = reference.world();
    const { run } = await reference.play(world);
    const uncut = await reference.events(world, run);
    world.close();
    reference.dispose();
    const whole = { essence: essence(uncut), trees: acceptedTrees(uncut), again: [], left: 0 };
    let kills = 0;
    let runs = 0;
    const worker = async (random: () => number) => {
      while (kills < KILLS) {
        const result = await killAtRandom(random, 1 + Math.floor(random() * 10));
        kills += result.kills;
        runs += 1;
        const { events, left } = await finish(result.stage);
        const found = { essence: essence(events), trees: acceptedTrees(events), again: judgedTwice(events), left };
        expect(found).toEqual(whole);
        result.stage.dispose();
      }
    };
    await Promise.all([worker(randomNumbers(SEED)), worker(randomNumbers(SEED + 1))]);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    process.stdout.write(`${kills} kills in ${runs} runs, seed ${SEED}\n`);
  }, 400_000);
});
