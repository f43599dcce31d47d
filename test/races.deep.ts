import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { helix } from './helix-process.ts';
import { Stage } from './run-scenario.ts';
import { sampleStart } from './sample-start.ts';

const PAIRS = 200;

it(`of two real helix processes started at once on one run exactly one owns it, ${PAIRS} of ${PAIRS} times`, async () => {
  const stage = new Stage('straight');
  writeFileSync(join(stage.dir, 'scripted.yaml'), 'phases: { one: [{ sleep: 1.5, writes: { output/x: x } }] }\n');
  const world = stage.world();
  const journal = await world.journal();
  let right = 0;
  for (let n = 0; n < PAIRS; n += 1) {
    const run = `pair-${n}`;
    (await journal.create(run, sampleStart(run))).ownership.release();
    const ends = await Promise.all([0, 1].map(() => helix(['resume', run], { cwd: stage.dir })));
    const codes = ends.map(({ code }) => code).sort();
    const refused = ends.filter(({ stderr }) => stderr.includes('is being worked on by another helix'));
    if (codes.join() === '0,2' && refused.length === 1) right += 1;
  }
  expect(right).toBe(PAIRS);
  world.close();
  stage.dispose();
});
