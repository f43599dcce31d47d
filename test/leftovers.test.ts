import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { startHelix } from './helix-process.ts';
import { Stage } from './run-scenario.ts';

let stage: Stage | undefined;
let marker = '';
afterEach(() => {
  for (const pid of marker === '' ? [] : carrying(marker)) process.kill(pid, 'SIGKILL');
  stage?.dispose();
});

/** Living processes that carry a marker, looked up without HELIX's own code. */
function carrying(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const alive = !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
        return alive && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}

it('the next start ends what a killed HELIX left behind, even in sessions of their own', async () => {
  stage = new Stage('straight');
  writeFileSync(
    join(stage.dir, 'scripted.yaml'),
    'phases: { one: [{ forks: 3, sleep: 3600 }, { writes: { output/plan.md: x } }] }\n',
  );
  const first = startHelix(['run'], { cwd: stage.dir });
  await once(first.child.stderr ?? first.child, 'data');
  const world = stage.world();
  while (carrying(marker || 'no marker yet').length < 3) {
    await pause(50);
    const [row] = world.hasJournal() ? await (await world.journal()).list() : [];
    if (row !== undefined) marker = (await stage.read(world, row.run)).marker;
  }
  first.child.kill('SIGKILL');
  await first.end;
  expect(carrying(marker)).toHaveLength(3);
  writeFileSync(
    join(stage.dir, 'scripted.yaml'),
    'phases: { one: [{ writes: { output/plan.md: x } }], two: [{ writes: { output/code.txt: x } }] }\n',
  );
  const { code } = await startHelix(['resume'], { cwd: stage.dir }).end;
  expect({ code, left: carrying(marker) }).toEqual({ code: 0, left: [] });
  world.close();
});
