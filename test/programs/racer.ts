// One of two orchestrators that race for runs: for each run it is sent, it tries to take it up and says how that went. Its
// agent works only when it is told to go on, so that the other one arrives while the run has an owner, however slow it is.

import { openProject } from '../../src/adapters/disk/project-directory.ts';
import { openWorld } from '../../src/adapters/world.ts';
import { HelixError } from '../../src/domain/helix-error.ts';
import { resumeRun } from '../../src/engine/run.ts';
import { GATES } from '../../src/gates/registry.ts';
import type { World } from '../../src/ports/world.ts';

const world = openWorld(openProject(process.argv[2] ?? '.'));
let go = Promise.withResolvers<void>();

const held: World = {
  ...world,
  agent: async (settings) => {
    const agent = await world.agent(settings);
    const perform: typeof agent.perform = async (task) => {
      await go.promise;
      return agent.perform(task);
    };
    return { ...agent, perform };
  },
};

async function take(run: string): Promise<string> {
  try {
    const { ended } = await resumeRun(held, run, { gates: GATES, stop: new AbortController().signal, wait: false });
    return ended?.status ?? 'open';
  } catch (error) {
    return error instanceof HelixError ? error.code : String(error);
  }
}

process.on('message', async ({ run }: { run?: string }) => {
  if (run === undefined) return go.resolve();
  go = Promise.withResolvers();
  process.send?.({ run, outcome: await take(run) });
});
process.send?.('ready');
