import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ageOf, listed, type Sweep } from './sweep.ts';

/** What is younger may belong to somebody who has just begun. */
const YOUNG_MS = 3_600_000;

const TEMPORARY = /^\..+\.[0-9a-f]{12}$|^\.[0-9a-f]{16}\.tmp$|^detached-[0-9a-f]{8}\.log$/;

/** What a human changes there is theirs, whatever it is called. */
const OWN_COPY = /\/escalation\/stufe-2\/worktree$/;

/** Tells whether something was left long enough to be nobody's. */
export function isOld(path: string): boolean {
  return (ageOf(path) ?? 0) > YOUNG_MS;
}

/** Removes what was being written when somebody was killed, and locks that git has left. */
export async function removeTemporary(sweep: Sweep, helixDir: string): Promise<void> {
  for (const below of ['', 'left', 'trees', 'repo', 'repo/info', 'repo/objects/info', 'repo/guards']) {
    const dir = join(helixDir, below);
    const isLock = (name: string) => below === 'repo' && name.endsWith('.lock');
    for (const name of listed(dir).filter((each) => TEMPORARY.test(each) || isLock(each)))
      await removeOld(sweep, dir, name);
  }
  const queue = listed(join(helixDir, 'runs')).map((name) => join(helixDir, 'runs', name));
  for (let dir = queue.pop(); dir !== undefined; dir = queue.pop()) {
    for (const name of listed(dir)) {
      const path = join(dir, name);
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) queue.push(...(OWN_COPY.test(path) ? [] : [path]));
      else if (TEMPORARY.test(name)) await removeOld(sweep, dir, name);
    }
  }
}

async function removeOld(sweep: Sweep, dir: string, name: string): Promise<void> {
  const path = join(dir, name);
  if (isOld(path)) await sweep.removePath({ kind: 'temporary', name, path });
}
