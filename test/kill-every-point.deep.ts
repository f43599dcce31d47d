import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { carries } from '../src/adapters/programs/process-table.ts';
import { allGone } from '../src/adapters/programs/process-tree.ts';
import { acceptedTrees, essence, judgedTwice } from './essence.ts';
import { SCENARIOS, Stage } from './run-scenario.ts';

const NODE = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
const DYING = fileURLToPath(new URL('./programs/dying.ts', import.meta.url));
const SIDES = ['before', 'after'] as const;

async function die(stage: Stage, at: number, side: string): Promise<NodeJS.Signals | number | null> {
  const child = spawn(NODE, [DYING, stage.dir, String(at), side], { stdio: 'ignore' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal ?? code;
}

async function finish(stage: Stage) {
  const world = stage.world();
  const [row] = await (await world.journal()).list();
  const { run, marker } = row === undefined ? await stage.play(world) : await stage.finish(world, row.run);
  const events = await stage.events(world, run);
  // The git that reads objects was told to end with the run, and does so a moment later.
  await allGone((table) => table.filter((row) => carries(row, marker)), 5000);
  const left = await (await world.processes()).endMarked(marker);
  world.close();
  return { essence: essence(events), trees: acceptedTrees(events), again: judgedTwice(events), left };
}

describe.each(SCENARIOS)('the scenario %s, its process killed for real at every append', (scenario) => {
  it('comes to the same judgements, trees and end, judges nothing twice and leaves no process', async () => {
    const reference = new Stage(scenario);
    const whole = await finish(reference);
    reference.dispose();
    let points = 0;
    for (let at = 1, alive = false; !alive; at += 1) {
      const ends = SIDES.map(async (side) => {
        const stage = new Stage(scenario);
        const end = await die(stage, at, side);
        expect({ at, side, ...(await finish(stage)) }).toEqual({ at, side, ...whole });
        stage.dispose();
        return end;
      });
      const seen = await Promise.all(ends);
      alive = seen.every((end) => end === 0);
      if (!alive) expect(seen).toEqual(['SIGKILL', 'SIGKILL']);
      points += alive ? 0 : 2;
    }
    expect(points).toBeGreaterThan(8);
  });
});
