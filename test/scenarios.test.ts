import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { evolve, replay } from '../src/domain/evolve.ts';
import type { RunState } from '../src/domain/run-state.ts';
import { brief, SCENARIOS, Stage } from './run-scenario.ts';

let stage: Stage | undefined;
afterEach(() => stage?.dispose());

describe.each(SCENARIOS)('the scenario %s', (scenario) => {
  it('has just the expected facts, and folding them one by one gives the same state as replaying them', async () => {
    stage = new Stage(scenario);
    const world = stage.world();
    const { run } = await stage.play(world);
    const events = await stage.events(world, run);
    const expected = fileURLToPath(new URL(`./scenarios/${scenario}/expected.txt`, import.meta.url));
    const text = `${brief(events).join('\n')}\n`;
    if (!existsSync(expected) && process.env.HELIX_RECORD === '1') writeFileSync(expected, text);
    expect(text).toBe(readFileSync(expected, 'utf8'));
    const folded = events.reduce<RunState | undefined>(evolve, undefined);
    expect(folded).toEqual(replay(events));
    world.close();
  });
});
