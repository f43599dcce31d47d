import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { ioError } from '../io-error.ts';
import { lockRun } from '../run-lock.ts';
import { sqliteError } from '../sqlite-error.ts';

/** Long enough for somebody who only moves a leftover out of the way. */
const PATIENCE_MS = 3000;
const TRIES = 20;

/** Where it is known who works in a project's worktrees: a lock for each run. */
export function locksIn(cacheDir: string): string {
  return join(cacheDir, 'locks');
}

/** Holds the worktrees of a run for the life of this process, so that nobody clears them away; returns how to give them back. */
export function holdWork(cacheDir: string, run: string): () => void {
  const release = tryWork(cacheDir, run, PATIENCE_MS);
  if (release !== undefined) return release;
  throw new HelixError('run_owned', `somebody is clearing up after run ${run}`, { hint: 'Try again in a moment.' });
}

/** The same for whoever wants to clear them away; undefined when somebody works there. */
export function tryWork(cacheDir: string, run: string, patienceMs = 0): (() => void) | undefined {
  const path = join(locksIn(cacheDir), run);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (let n = 0; n < TRIES; n += 1) {
      writeFileSync(path, '', { flag: 'a', mode: 0o600 });
      const before = fileAt(path);
      const release = lockRun(path, patienceMs);
      if (release === undefined) return undefined;
      // Whoever held it before may have taken the file away: only the one that lies there now counts.
      if (before !== undefined && fileAt(path) === before) return () => giveBack(path, release);
      release();
    }
    return undefined;
  } catch (error) {
    throw ioError(sqliteError(error, path), path);
  }
}

function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function giveBack(path: string, release: () => void): void {
  rmSync(path, { force: true });
  release();
}
