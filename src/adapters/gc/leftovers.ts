import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { allDeadGroups, removeGroup } from '../programs/limits/clear-groups.ts';
import { kernelTexts } from '../programs/limits/hierarchies.ts';
import { carries, listProcesses, type ProcessRow } from '../programs/process-table.ts';
import { endProcesses } from '../programs/process-tree.ts';
import { goneName, isGone, ownerOf } from '../repo/work/clear-dead-work.ts';
import { lockedWork } from '../repo/work/work-lock.ts';
import { visitLives, visitMarker } from '../visit.ts';
import { claim, type LockPlaces } from './claim.ts';
import type { Survey } from './survey.ts';
import { listed, removeWhole, type Sweep, sizeOf } from './sweep.ts';

const GRACE_MS = 2000;

/** What was there before anybody looked who lives, so that nothing that came later is in it. */
export type Candidates = {
  readonly processes: readonly ProcessRow[];
  readonly groups: readonly string[];
  readonly worktrees: readonly string[];
  readonly locks: readonly string[];
  readonly indexes: readonly string[];
  readonly guards: readonly string[];
};

type Places = LockPlaces & { readonly marker: string };

export async function findCandidates({ helixDir, cacheDir, marker }: Places): Promise<Candidates> {
  const ours = [marker, visitMarker(marker)];
  return {
    processes: (await listProcesses()).filter((row) => ours.some((each) => carries(row, each))),
    groups: allDeadGroups(kernelTexts()),
    worktrees: listed(join(cacheDir, 'work')),
    locks: lockedWork(cacheDir),
    indexes: listed(join(helixDir, 'repo', 'indexes')),
    guards: listed(join(helixDir, 'repo', 'guards')),
  };
}

/** Clears up after every run and visit that nobody works on: its processes, worktrees, indexes and locks. */
export async function removeLeftovers(
  sweep: Sweep,
  { places, found, around }: { places: Places; found: Candidates; around: Survey },
): Promise<void> {
  const markers = new Map(around.runs.flatMap(({ row, state }) => (state ? [[row.run, state.marker] as const] : [])));
  const named = [...found.indexes, ...found.guards].flatMap((file) => ownerOf(file) ?? []);
  const worktrees = found.worktrees.filter((name) => !isGone(name));
  for (const name of new Set([...markers.keys(), ...worktrees, ...found.locks, ...named])) {
    const leftover = leftoverOf(name, { found, around, marker: markers.get(name) });
    if (around.lives(name)) {
      sweep.keep({ kind: 'run', name }, 'somebody works there');
    } else if (!isNothing(leftover)) await clear(sweep, { name, leftover, places });
  }
  for (const name of found.worktrees.filter(isGone))
    await sweep.removePath({ kind: 'worktree', name, path: join(places.cacheDir, 'work', name) });
  for (const dir of found.groups) await removeEmpty(sweep, dir);
  await endNameless(sweep, { places, found, around, known: new Set(markers.values()) });
}

async function removeEmpty(sweep: Sweep, dir: string): Promise<void> {
  const item = { kind: 'group', name: basename(dir) } as const;
  if (sweep.dryRun || removeGroup(dir)) await sweep.remove({ ...item, bytes: 0 }, () => undefined);
  else sweep.keep(item, 'a process is in it');
}

type Leftover = {
  readonly marker: string | undefined;
  readonly processes: readonly ProcessRow[];
  readonly worktree: boolean;
  readonly lock: boolean;
  readonly indexes: readonly string[];
  readonly guards: readonly string[];
};

function leftoverOf(
  name: string,
  { found, around, marker }: { found: Candidates; around: Survey; marker: string | undefined },
): Leftover {
  const isOwn = (file: string) => ownerOf(file) === name;
  // Whoever takes an unfinished run up again compares the refs with what they were.
  const unfinished = around.runs.some(({ row }) => row.run === name && row.status === 'open');
  return {
    marker,
    processes: marker === undefined ? [] : found.processes.filter((row) => carries(row, marker)),
    worktree: found.worktrees.includes(name),
    lock: found.locks.includes(name),
    indexes: found.indexes.filter(isOwn),
    guards: unfinished ? [] : found.guards.filter(isOwn),
  };
}

function isNothing({ processes, worktree, lock, indexes, guards }: Leftover): boolean {
  return !worktree && !lock && processes.length + indexes.length + guards.length === 0;
}

async function clear(
  sweep: Sweep,
  { name, leftover, places }: { name: string; leftover: Leftover; places: Places },
): Promise<void> {
  const work = join(places.cacheDir, 'work');
  const gone = join(work, goneName());
  const release = sweep.dryRun ? () => undefined : claim(name, places);
  if (release === undefined) return sweep.keep({ kind: 'run', name }, 'somebody works there');
  try {
    const { marker } = leftover;
    if (marker !== undefined) await end(sweep, leftover.processes, (row) => carries(row, marker));
    if (leftover.worktree) await sweep.remove(sizedWorktree(name, work), () => renameSync(join(work, name), gone));
    for (const [folder, files] of [['indexes', leftover.indexes] as const, ['guards', leftover.guards] as const])
      for (const file of files)
        await sweep.removePath({ kind: 'index', name: file, path: join(places.helixDir, 'repo', folder, file) });
  } finally {
    release();
  }
  await sweep.attempt({ kind: 'worktree', name }, () => removeWhole(gone));
  // Whoever gives a lock back takes its file away.
  if (leftover.lock) await sweep.remove({ kind: 'lock', name, bytes: 0 }, () => undefined);
}

function sizedWorktree(name: string, work: string) {
  return { kind: 'worktree', name, bytes: sizeOf(join(work, name)) } as const;
}

/** Processes of visits, and of runs that died before they were in the journal: their marks are never used again. */
async function endNameless(
  sweep: Sweep,
  { found, around, places, known }: { found: Candidates; around: Survey; places: Places; known: ReadonlySet<string> },
): Promise<void> {
  const certain = !around.someoneStarts && around.runs.every(({ state }) => state !== undefined);
  const dead = found.processes.filter((row) => {
    const own = row.marker ?? '';
    if (carries(row, visitMarker(places.marker))) return visitLives(own) === false;
    return own !== places.marker && !known.has(own.split(':').slice(0, 2).join(':')) && certain;
  });
  const markers = new Set(dead.map(({ marker }) => marker));
  await end(sweep, dead, ({ marker }) => marker !== undefined && markers.has(marker));
}

async function end(sweep: Sweep, left: readonly ProcessRow[], isLeft: (row: ProcessRow) => boolean): Promise<void> {
  if (left.length === 0) return;
  for (const { pid } of left) await sweep.remove({ kind: 'process', name: String(pid), bytes: 0 }, () => undefined);
  if (!sweep.dryRun) await endProcesses((table) => table.filter(isLeft), GRACE_MS);
}
