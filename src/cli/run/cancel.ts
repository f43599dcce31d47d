import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { addFact } from '../../engine/ladder/add-fact.ts';
import { resumeRun } from '../../engine/run.ts';
import { GATES } from '../../gates/registry.ts';
import type { World } from '../../ports/world.ts';
import type { Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';

const PATIENCE_MS = 15_000;

/** `helix cancel` */
export const cancel: Command = {
  usage: 'cancel [run]',
  about: 'Stops a run for good: its agents are ended, everything they did is kept. It works from any terminal.',
  positionals: { min: 0, max: 1 },
  options: { dir: DIR_OPTION },
  examples: ['helix cancel', 'helix cancel 20261115-1a2b3c4d'],
  run: async (call) => {
    const world = openWorldOf(call);
    const id = await pickRun(world, call.positionals[0], (row) => row.status === 'open');
    const state = await addFact(world, id, (before) => {
      if (before.ended !== undefined) {
        throw new HelixError('usage', `run ${id} has already ended: ${before.ended.status}`, {
          hint: `See it: helix status ${id}`,
        });
      }
      return before.cancelRequested ? undefined : { type: 'cancel_requested', data: { actor: world.actor } };
    });
    const end = await finish(world, state);
    call.terminal.err(
      end ? `run ${id} is cancelled\n` : `run ${id} will be cancelled by the process that works on it\n`,
    );
    return EXIT.passed;
  },
};

/** Waits for the owner to wind up or, where there is none, does it itself. */
async function finish(world: World, { run }: RunState): Promise<boolean> {
  const began = world.clock.monotonic();
  while (world.clock.monotonic() - began < PATIENCE_MS) {
    const { state, owned } = await readRun(world, run);
    if (state.ended !== undefined) return true;
    if (!owned) {
      await resumeRun(world, run, { gates: GATES, stop: new AbortController().signal, wait: false });
      return true;
    }
    await world.clock.sleep(100);
  }
  return false;
}
