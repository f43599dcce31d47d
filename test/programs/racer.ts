// One of two orchestrators that race for runs: for each run it is sent, it tries to take it up and says how that went.

import { openProject } from '../../src/adapters/project-directory.ts';
import { openWorld } from '../../src/adapters/world.ts';
import { HelixError } from '../../src/domain/helix-error.ts';
import { resumeRun } from '../../src/engine/run.ts';
import { GATES } from '../../src/gates/registry.ts';

const world = openWorld(openProject(process.argv[2] ?? '.'));

process.on('message', async (run: string) => {
  try {
    const { ended } = await resumeRun(world, run, { gates: GATES, stop: new AbortController().signal, wait: false });
    process.send?.({ run, outcome: ended?.status ?? 'open' });
  } catch (error) {
    process.send?.({ run, outcome: error instanceof HelixError ? error.code : String(error) });
  }
});
process.send?.('ready');
