import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../../disk/atomic-file.ts';
import type { UserRepository } from '../user/user-repository.ts';
import { holdWork, tryWork } from './work-lock.ts';

/** A branch that holds the name of a run which is in no journal yet. */
export type Reservation = {
  readonly ref: string;
  /** Where it was made. */
  readonly commit: string;
  /** What was to be done, in a line. */
  readonly task: string;
};

/** One whose process is dead. */
export type DeadReservation = Reservation & { readonly file: string; readonly id: string; readonly dir: string };

/** How a reservation ends: as the branch of a run, or with the branch gone. */
export type Held = { readonly settle: () => void; readonly giveBack: () => Promise<void> };

const SUFFIX = '.json';

function placeIn(cacheDir: string): string {
  return join(cacheDir, 'reserved');
}

/** Makes a branch, and notes it first: where this process is killed, the next one finds it. */
export async function reserve(user: UserRepository, cacheDir: string, wanted: Reservation): Promise<Held> {
  const dir = placeIn(cacheDir);
  const id = randomBytes(8).toString('hex');
  const file = join(dir, `${id}${SUFFIX}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const release = holdWork(dir, id);
  const settle = () => {
    rmSync(file, { force: true });
    release();
  };
  try {
    writeAtomic(file, JSON.stringify(wanted));
    await user.pointRef(wanted.ref, wanted.commit);
  } catch (error) {
    settle();
    throw error;
  }
  return { settle, giveBack: () => drop(user, wanted).finally(settle) };
}

/** The reservations that nobody holds any more. */
export function deadReservations(cacheDir: string): DeadReservation[] {
  const dir = placeIn(cacheDir);
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(SUFFIX)) : [];
  return names.flatMap((name) => {
    const id = name.slice(0, -SUFFIX.length);
    const file = join(dir, name);
    const release = tryWork(dir, id);
    if (release === undefined) return [];
    try {
      return existsSync(file) ? [{ ...(JSON.parse(readFileSync(file, 'utf8')) as Reservation), file, id, dir }] : [];
    } finally {
      release();
    }
  });
}

/** Takes away a branch that a dead process had made, unless it is the one of a run or points elsewhere by now. */
export async function clearReservation(user: UserRepository, dead: DeadReservation, isOfRun: boolean): Promise<void> {
  const release = tryWork(dead.dir, dead.id);
  if (release === undefined) return;
  try {
    if (!isOfRun && existsSync(dead.file)) await drop(user, dead);
    rmSync(dead.file, { force: true });
  } finally {
    release();
  }
}

/** A branch that somebody works on, or has moved, is theirs. */
async function drop(user: UserRepository, { ref, commit }: Reservation): Promise<void> {
  const { commit: now, place } = await user.branch(ref);
  if (now === commit && place === undefined) await user.dropRef(ref, commit);
}
