import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Stage } from './run-scenario.ts';
import { samplePhase, samplePlan, sampleStart } from './sample-start.ts';

const RACES = 200;
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

async function race(run: string, two: readonly ChildProcess[]): Promise<string[]> {
  const answers = two.map((child) => once(child, 'message'));
  for (const child of two) child.send(run);
  const outcomes = await Promise.all(answers);
  return outcomes.map(([message]) => (message as { outcome: string }).outcome).sort();
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
    await import('node:fs').then(({ writeFileSync }) =>
      writeFileSync(`${stage?.dir}/scripted.yaml`, 'phases: { one: [{ sleep: 0.25, writes: { output/x: x } }] }\n'),
    );
    const two = [await racer(stage.dir), await racer(stage.dir)];
    let won = 0;
    for (let n = 0; n < RACES; n += 1) {
      const outcomes = await race(`race-${n}`, two);
      if (outcomes.join() === 'passed,run_owned') won += 1;
      else expect(outcomes).toEqual(['passed', 'run_owned']);
      const events = await journal.read(`race-${n}`);
      expect(events.filter(({ type }) => type === 'attempt_started')).toHaveLength(1);
    }
    expect(won).toBe(RACES);
    world.close();
  }, 400_000);
});
