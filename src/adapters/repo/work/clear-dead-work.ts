import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockedWork, tryWork } from './work-lock.ts';
import { removeDirectory } from './worktree.ts';

const GONE = /^\.gone-/;
const OWNER = /^([^.]+(?:\.(?:gate|shell|diff|brief)-\d+-\w+)?)\./;

/** The name of the run or the visit that a file belongs to: what stands before its own part. */
export function ownerOf(file: string): string | undefined {
  return OWNER.exec(file)?.[1];
}

/** Tells whether a directory of worktrees is on its way out: it belongs to nobody. */
export function isGone(name: string): boolean {
  return GONE.test(name);
}

/** A name for worktrees that are removed: moved first, whoever comes back to the run does not have to wait. */
export function goneName(): string {
  return `.gone-${randomBytes(6).toString('hex')}`;
}

/** Clears away the worktrees, indexes and locks that a HELIX left that died, be its run in the journal or not; what somebody holds stays. */
export function clearDeadWork(cacheDir: string, indexes: string): Promise<void>[] {
  const work = join(cacheDir, 'work');
  for (const name of lockedWork(cacheDir)) {
    const release = tryWork(cacheDir, name);
    if (release === undefined) continue;
    try {
      if (existsSync(join(work, name))) renameSync(join(work, name), join(work, goneName()));
      for (const file of namesIn(indexes).filter((each) => ownerOf(each) === name))
        rmSync(join(indexes, file), { force: true });
    } finally {
      release();
    }
  }
  return namesIn(work)
    .filter(isGone)
    .map((name) => removeDirectory(join(work, name)));
}

function namesIn(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir) : [];
}
