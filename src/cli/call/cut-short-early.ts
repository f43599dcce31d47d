import { homedir } from 'node:os';
import { projectCache } from '../../adapters/disk/cache-directory.ts';
import { type DeadReservation, deadReservations } from '../../adapters/repo/work/reserved-branch.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { World } from '../../ports/world.ts';

/** A task whose process was killed, and whether its run has come to be all the same. */
export type CutShort = { readonly dead: DeadReservation; readonly isOfRun: boolean };

/** The tasks that were killed about when their run began. */
export async function cutShortEarly(world: World): Promise<CutShort[]> {
  const dead = deadReservations(projectCache(world.project.dir, process.env, homedir()));
  if (dead.length === 0) return [];
  const theirs = new Set<string | undefined>();
  const journal = world.hasJournal() ? await world.journal() : undefined;
  for (const { run } of (await journal?.list()) ?? [])
    theirs.add(replay((await journal?.read(run)) ?? [])?.base?.branch);
  return dead.map((each) => ({ dead: each, isOfRun: theirs.has(each.ref) }));
}
