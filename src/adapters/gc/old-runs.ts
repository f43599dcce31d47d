import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { publishedOf } from '../../domain/facts/accepted-state.ts';
import type { Journal } from '../../ports/journal.ts';
import { lockRun } from '../disk/run-lock.ts';
import { type Branches, isOwnBranch, type RunBranch } from './branches.ts';
import { isOld } from './own-files.ts';
import type { KnownRun, Survey } from './survey.ts';
import { listed, removeWhole, type Sweep, sizeOf } from './sweep.ts';

type Means = {
  readonly journal: Journal;
  readonly branches: Branches;
  readonly helixDir: string;
  /** Runs that ended before this moment, in milliseconds, are old. */
  readonly before: number;
};

/** Removes runs that ended long ago, and the branches of ended runs that nobody needs; resolves to the runs that are gone. */
export async function removeOldRuns(sweep: Sweep, { runs }: Survey, means: Means): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (const known of runs) {
    const { row, owned } = known;
    if (owned) continue;
    const item = { kind: 'run', name: row.run } as const;
    if (row.status === 'open') sweep.keep(item, 'not ended yet; helix cancel ends one for good');
    else if (known.state === undefined) sweep.keep(item, 'the journal cannot be read');
    else if (await removed(sweep, known, means)) gone.add(row.run);
  }
  const theirs = new Set(runs.flatMap(({ state }) => state?.base?.branch ?? []));
  for (const branch of means.branches.left.filter(({ ref }) => !theirs.has(ref))) {
    if (await means.branches.removed(branch)) means.branches.forget(branch.ref);
  }
  await removeOrphans(sweep, new Set(runs.map(({ row }) => row.run)), means);
  return gone;
}

/** In this order: whoever dies in between leaves nothing that is not found again. */
async function removed(sweep: Sweep, { row, state }: KnownRun, means: Means): Promise<boolean> {
  const { journal, branches, helixDir, before } = means;
  const old = Date.parse(row.updatedAt) <= before;
  const branch: RunBranch | undefined =
    state?.base !== undefined && isOwnBranch(state.base.branch)
      ? { ref: state.base.branch, commit: state.tip && publishedOf(state.tip).commit, old }
      : undefined;
  const free = branch === undefined || (await branches.removed(branch));
  if (!old) {
    sweep.keep({ kind: 'run', name: row.run }, 'ended lately');
    return false;
  }
  if (branch !== undefined && !free) branches.remember(branch);
  const path = join(helixDir, 'runs', row.run);
  const item = { kind: 'run', name: row.run, bytes: sizeOf(path) } as const;
  return sweep.remove(item, async () => {
    await journal.remove(row.run);
    removeWhole(path);
  });
}

/** What a run left that was removed from the journal, or never came to be in it. */
async function removeOrphans(sweep: Sweep, known: ReadonlySet<string>, { helixDir }: Means): Promise<void> {
  for (const name of listed(join(helixDir, 'runs'))) {
    const path = join(helixDir, 'runs', name);
    if (known.has(name) || !isOld(path) || isOwned(path)) continue;
    await sweep.removePath({ kind: 'run', name, path });
  }
}

function isOwned(path: string): boolean {
  const lock = join(path, 'owner.lock');
  if (!existsSync(lock)) return false;
  const release = lockRun(lock, 0);
  release?.();
  return release === undefined;
}
