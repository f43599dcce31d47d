import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { GcDocument } from '../../domain/documents/documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { World } from '../../ports/world.ts';
import { ioError } from '../disk/io-error.ts';
import { lockRun } from '../disk/run-lock.ts';
import { sqliteError } from '../disk/sqlite-error.ts';
import { Branches } from './branches.ts';
import { findCandidates, removeLeftovers } from './leftovers.ts';
import { removeOldRuns } from './old-runs.ts';
import { removeTemporary } from './own-files.ts';
import { removeObjects } from './own-objects.ts';
import { removeCopiesAndTrees } from './phase-copies.ts';
import { removeSetUps } from './set-up-store.ts';
import { survey } from './survey.ts';
import { listed, Sweep } from './sweep.ts';

/** How much may be cleared away. */
export type GarbageOptions = {
  readonly olderThanMs: number;
  /** Only tell. */
  readonly dryRun: boolean;
  /** Delete the branches of old runs although they are not merged. */
  readonly branches: boolean;
};

/** Clears up a project: after the dead, and what is old. Nothing of a run that somebody works on is touched. */
export async function collectGarbage(
  world: World,
  cache: string,
  options: GarbageOptions,
): Promise<Pick<GcDocument, 'removed' | 'kept'>> {
  const projectDir = world.project.dir;
  const helixDir = join(projectDir, '.helix');
  const cacheDir = existsSync(cache) ? realpathSync(cache) : cache;
  const sweep = new Sweep(options.dryRun);
  if (!existsSync(helixDir) && !existsSync(cacheDir)) return sweep;
  refuseLinks(projectDir);
  const release = options.dryRun || !existsSync(helixDir) ? undefined : alone(helixDir);
  try {
    const journal = world.hasJournal() ? await world.journal() : undefined;
    const { marker } = world;
    const places = { helixDir, cacheDir, marker };
    const found = await findCandidates(places);
    const first = await survey(journal, cacheDir);
    await removeLeftovers(sweep, { places, found, around: first });
    await removeTemporary(sweep, helixDir);
    const branches = await Branches.open({ projectDir, marker }, { sweep, willing: options.branches });
    await branches.clearReserved(cacheDir, new Set(first.runs.flatMap(({ state }) => state?.base?.branch ?? [])));
    const before = Date.parse(world.clock.now()) - options.olderThanMs;
    const gone =
      journal === undefined
        ? new Set<string>()
        : await removeOldRuns(sweep, first, { journal, branches, helixDir, before });
    const around = await survey(journal, cacheDir);
    await removeCopiesAndTrees(sweep, { projectDir, around, gone });
    await removeObjects(sweep, { helixDir, marker, around, gone });
    await removeSetUps(sweep, { cacheDir, around, olderThanMs: options.olderThanMs });
    tellAside(sweep, helixDir);
    return sweep;
  } catch (error) {
    throw ioError(sqliteError(error, helixDir), helixDir);
  } finally {
    release?.();
  }
}

const FOLDERS = [
  '',
  'runs',
  'trees',
  'left',
  'aside',
  'repo',
  'repo/indexes',
  'repo/guards',
  'repo/objects',
  'repo/info',
];

/** Behind a link lies what belongs to somebody else. */
function refuseLinks(projectDir: string): void {
  for (const path of FOLDERS.map((folder) => join(projectDir, '.helix', folder))) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new HelixError('io', `${path} is a symbolic link; nothing was removed`, { hint: 'Remove the link.' });
  }
}

/** Two that clear up at the same time would only tell each other's work as their own. */
function alone(helixDir: string): () => void {
  const release = lockRun(join(helixDir, 'gc.lock'), 0);
  if (release !== undefined) return release;
  throw new HelixError('run_owned', `another helix gc is at work in ${helixDir}`, { hint: 'Wait until it has ended.' });
}

/** The user's own files are never removed: only they know what they are worth. */
function tellAside(sweep: Sweep, helixDir: string): void {
  const why = {
    aside: 'files that were moved out of the way of a phase; look through them, and remove what you do not need',
    left: 'notes by which your files in phases/ are told from those of runs',
  };
  for (const [name, reason] of Object.entries(why)) {
    const path = join(helixDir, name);
    if (listed(path).length > 0) sweep.keep({ kind: 'files', name: path }, `${reason}`);
  }
}
