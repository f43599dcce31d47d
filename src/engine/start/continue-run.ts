import { publishedOf } from '../../domain/facts/accepted-state.ts';
import type { RunBase } from '../../domain/facts/result-branch.ts';
import { resultOf } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { World } from '../../ports/world.ts';
import type { Beginning } from './prepare-run.ts';

/** Where a run begins that goes on from the result of another one, on the same branch. */
export async function continueRun(
  world: World,
  run: string,
): Promise<Required<Pick<Beginning, 'continues' | 'simulated'>> & { readonly base: RunBase }> {
  const source = replay(await (await world.journal()).read(run));
  const base = source?.base;
  const { tip } = source ?? {};
  if (source === undefined || base === undefined || tip === undefined || resultOf(source) === undefined) {
    throw new HelixError('usage', `run ${run} has no result to go on from`, { hint: `See it: helix status ${run}` });
  }
  return {
    // What is on the branch is all that somebody else can go on from.
    base: { ...publishedOf(tip), branch: base.branch },
    continues: { run, tree: source.continues?.tree ?? base.tree },
    simulated: source.simulated,
  };
}
