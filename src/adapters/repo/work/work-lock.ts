import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import { ioError } from '../../disk/io-error.ts';
import { lockRun } from '../../disk/run-lock.ts';
import { sqliteError } from '../../disk/sqlite-error.ts';

/** Long enough for somebody who only moves a leftover out of the way. */
const PATIENCE_MS = 3000;
const TRIES = 20;

const SUFFIX = '.lock';

/** The files of the locks that this process holds: it would lose one by opening and closing its file once more. */
const own = new Set<number>();

function lockPath(cacheDir: string, run: string): string {
  return join(cacheDir, 'locks', `${run}${SUFFIX}`);
}

/** The runs whose worktrees somebody holds, or held when they died. */
export function lockedWork(cacheDir: string): string[] {
  const dir = join(cacheDir, 'locks');
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(SUFFIX)) : [];
  return files.map((name) => name.slice(0, -SUFFIX.length)).sort();
}

/** Holds the worktrees of a run for the life of this process, so that nobody clears them away; returns how to give them back. */
export function holdWork(cacheDir: string, run: string): () => void {
  const release = tryWork(cacheDir, run, PATIENCE_MS);
  if (release !== undefined) return release;
  throw new HelixError('run_owned', `somebody is clearing up after run ${run}`, { hint: 'Try again in a moment.' });
}

/** The same for whoever wants to clear them away; undefined when somebody works there. */
export function tryWork(cacheDir: string, run: string, patienceMs = 0): (() => void) | undefined {
  const path = lockPath(cacheDir, run);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (let n = 0; n < TRIES; n += 1) {
      if (isOwn(path)) return undefined;
      writeFileSync(path, '', { flag: 'a', mode: 0o600 });
      const before = fileAt(path);
      const release = lockRun(path, patienceMs);
      if (release === undefined) return undefined;
      // Whoever held it before may have taken the file away: only the one that lies there now counts.
      if (before !== undefined && fileAt(path) === before) {
        own.add(before);
        return () => giveBack(path, before, release);
      }
      release();
    }
    return undefined;
  } catch (error) {
    throw ioError(sqliteError(error, path), path);
  }
}

/** Tells whether somebody holds the worktrees of a run, and changes nothing. */
export function isHeld(cacheDir: string, run: string): boolean {
  const path = lockPath(cacheDir, run);
  if (fileAt(path) === undefined) return false;
  if (isOwn(path)) return true;
  const release = lockRun(path, 0);
  release?.();
  return release === undefined;
}

function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function isOwn(path: string): boolean {
  const file = fileAt(path);
  return file !== undefined && own.has(file);
}

function giveBack(path: string, file: number, release: () => void): void {
  rmSync(path, { force: true });
  release();
  own.delete(file);
}
