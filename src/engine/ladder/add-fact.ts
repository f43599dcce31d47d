import type { NewEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { World } from '../../ports/world.ts';

const TRIES = 20;

/** Adds a human's fact to a run that somebody else may be working on; it is thought over again whenever the run has moved on. */
export async function addFact(
  world: World,
  run: string,
  think: (state: RunState) => NewEvent | undefined,
): Promise<RunState> {
  const journal = await world.journal();
  let state = replay(await journal.read(run));
  for (let n = 0; state !== undefined && n < TRIES; n += 1) {
    const fact = think(state);
    if (fact === undefined) return state;
    try {
      return replay(await journal.append(run, { expectedSeq: state.seq }, [fact]), state) ?? state;
    } catch (error) {
      if (!(error instanceof HelixError) || error.code !== 'conflict') throw error;
      state = replay(await journal.read(run, state.seq), state);
    }
  }
  throw new HelixError('conflict', `run ${run} is too busy to take this in`, { hint: 'Try again.' });
}
