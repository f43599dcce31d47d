import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { repetitions } from './repetitions.ts';
import { Stage } from './run-scenario.ts';
import { samplePhase, samplePlan, sampleStart } from './sample-start.ts';

const RACES = repetitions(25, 200);
/** Whoever has lost hears so at once; a racer that says nothing for so long holds the run as well. */
const PATIENCE = 240_000;
const RACER = fileURLToPath(new URL('./programs/racer.ts', import.meta.url));
const NODE = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

let stage: Stage | undefined;
const racers: ChildProcess[] = [];
afterEach(() => {
  for (const racer of racers.splice(0)) racer.kill('SIGKILL');
  stage?.dispose();
});

async function racer(dir: string): Promise<ChildProcess> {
  const child = fork(RACER, [dir], { execPath: NODE, execArgv: [], stdio: 'inherit' });
  racers.push(child);
  await once(child, 'message');
  return child;
}

/** How it went for one racer; a word of its own when it does not end. */
async function answer(child: ChildProcess): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE);
  const [message] = await once(child, 'message', { signal }).catch(() => [{ outcome: 'no answer' }]);
  return (message as { outcome: string }).outcome;
}

/** Lets two go for a run, and whoever has it finish only when the other one has been told how it went. */
async function race(run: string, two: readonly ChildProcess[]): Promise<[loser: string, winner: string]> {
  const answers = two.map(async (child, index) => ({ index, outcome: await answer(child) }));
  for (const child of two) child.send({ run });
  const first = await Promise.race(answers);
  for (const child of two) child.send({});
  const second = await answers[1 - first.index];
  return [first.outcome, second?.outcome ?? ''];
}

describe('two orchestrators on one run', () => {
  it(`are never both its owner: ${RACES} of ${RACES} races have one winner, and the loser is told so`, async () => {
    stage = new Stage('straight');
    const world = stage.world();
    const journal = await world.journal();
    const plan = samplePlan([samplePhase('one')]);
    for (let n = 0; n < RACES; n += 1) {
      const { ownership } = await journal.create(`race-${n}`, sampleStart(`race-${n}`, plan));
      ownership.release();
    }
    writeFileSync(join(stage.dir, 'scripted.yaml'), 'phases: { one: [{ writes: { output/x: x } }] }\n');
    const two = [await racer(stage.dir), await racer(stage.dir)];
    for (let n = 0; n < RACES; n += 1) {
      expect(await race(`race-${n}`, two), `race ${n}`).toEqual(['run_owned', 'passed']);
      const events = await journal.read(`race-${n}`);
      for (const once of ['run_resumed', 'attempt_started']) {
        expect(events.filter(({ type }) => type === once)).toHaveLength(1);
      }
    }
    world.close();
  }, 400_000);

  it('who comes after the end is told the outcome and does nothing', async () => {
    stage = new Stage('straight');
    const world = stage.world();
    const { run, seq } = await stage.start(world);
    const late = await racer(stage.dir);
    late.send({ run });
    expect(await answer(late)).toBe('passed');
    expect(await stage.events(world, run)).toHaveLength(seq);
    world.close();
  });
});
