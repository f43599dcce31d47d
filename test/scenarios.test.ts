import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import type { RunState } from '../src/domain/facts/run-state.ts';
import { evolve, replay } from '../src/domain/run/evolve.ts';
import { scopeOf } from '../src/engine/run.ts';
import type { World } from '../src/ports/world.ts';
import { brief, SCENARIOS, Stage } from './run-scenario.ts';

let stage: Stage | undefined;
afterEach(() => stage?.dispose());

/** The facts of each phase in their order; which of two parallel phases is faster is nobody's promise. */
function byPhase(events: readonly RunEvent[]): string[] {
  const subject = ({ data }: RunEvent) => ('phase' in data ? data.phase : '');
  const groups = Map.groupBy(events, subject);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, facts]) => brief(facts));
}

/** What lies in the tree of every accepted phase: leftovers of interrupted attempts must not be among it. */
async function acceptedFiles(world: World, events: readonly RunEvent[]): Promise<string[]> {
  const state = replay(events);
  if (state === undefined) return [];
  const workspace = await world.workspace(scopeOf(state));
  const lines = events.map(async (event) => {
    if (event.type !== 'phase_accepted') return [];
    const { phase, tree, published } = event.data;
    const names = async (id: string) => (await workspace.tree(id)).files.map(({ path }) => path).join(' ');
    const accepted = `accepted ${phase}: ${await names(tree)}`;
    return published === undefined ? [accepted] : [`${accepted}, published: ${await names(published.tree)}`];
  });
  return (await Promise.all(lines)).flat().sort();
}

describe.each(SCENARIOS)('the scenario %s', (scenario) => {
  it('has just the expected facts, and folding them one by one gives the same state as replaying them', async () => {
    stage = new Stage(scenario);
    const world = stage.world();
    const { run } = await stage.play(world);
    const events = await stage.events(world, run);
    const expected = fileURLToPath(new URL(`./scenarios/${scenario}/expected.txt`, import.meta.url));
    const text = `${[...byPhase(events), ...(await acceptedFiles(world, events))].join('\n')}\n`;
    if (!existsSync(expected) && process.env.HELIX_RECORD === '1') writeFileSync(expected, text);
    expect(text).toBe(readFileSync(expected, 'utf8'));
    const folded = events.reduce<RunState | undefined>(evolve, undefined);
    expect(folded).toEqual(replay(events));
    world.close();
  });
});
