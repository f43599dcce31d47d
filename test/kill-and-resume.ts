import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { acceptedTrees, essence, judgedTwice } from './essence.ts';
import { startHelix } from './helix-process.ts';
import { randomNumbers } from './random-numbers.ts';
import { Stage } from './run-scenario.ts';

/** Plans made for being killed. */
export const PLANS = fileURLToPath(new URL('./plans', import.meta.url));
/** Where random moments come from; printed, so that a failure can be played again. */
export const SEED = Number(process.env.HELIX_SEED ?? 20_261_115);

async function newestRun(stage: Stage): Promise<string | undefined> {
  const world = stage.world();
  const [row] = world.hasJournal() ? await (await world.journal()).list() : [];
  world.close();
  return row?.run;
}

/** Runs or resumes in a real process; with `killAfter` it is killed that long after its first word. */
export async function takeUp(stage: Stage, killAfter?: number): Promise<'killed' | 'ended'> {
  const { child, end } = startHelix((await newestRun(stage)) === undefined ? ['run', '--trust'] : ['resume'], {
    cwd: stage.dir,
  });
  if (killAfter !== undefined) {
    await Promise.race([once(child.stderr ?? child, 'data'), end]);
    await Promise.race([pause(killAfter), end]);
    child.kill('SIGKILL');
  }
  const { code, signal, stderr } = await end;
  if (signal === 'SIGKILL') return 'killed';
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return 'ended';
}

/** What came of a run, however often it was killed. */
export async function outcome(stage: Stage) {
  const world = stage.world();
  const run = (await newestRun(stage)) ?? '';
  const events = await stage.events(world, run);
  const left = await (await world.processes()).endMarked((await stage.read(world, run)).marker);
  world.close();
  return { essence: essence(events), trees: acceptedTrees(events), again: judgedTwice(events), left };
}

type Sweep = {
  readonly plan: string;
  readonly kills: number;
  /** Looks at a run that has come to its end. */
  readonly check: (stage: Stage) => Promise<void>;
};

/** Kills real runs of a plan at random moments and takes them up again, until there were enough kills. */
export async function killAndResume({ plan, kills: wanted, check }: Sweep): Promise<{ kills: number; runs: number }> {
  let kills = 0;
  let runs = 0;
  const worker = async (random: () => number) => {
    while (kills < wanted) {
      const stage = new Stage(plan, PLANS);
      const most = 1 + Math.floor(random() * 12);
      for (let n = 0; n < most && (await takeUp(stage, 5 + random() * 500)) === 'killed'; n += 1) kills += 1;
      await takeUp(stage);
      runs += 1;
      await check(stage);
      stage.dispose();
    }
  };
  await Promise.all([worker(randomNumbers(SEED)), worker(randomNumbers(SEED + 1))]);
  process.stdout.write(`${kills} kills in ${runs} runs of ${plan}, seed ${SEED}\n`);
  return { kills, runs };
}
