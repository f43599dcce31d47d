import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Survey } from './survey.ts';
import { ageOf, listed, removeWhole, type Sweep, sizeOf } from './sweep.ts';

/** What set-up installed is there once it is complete; while it is copied together it has a longer name. */
const COMPLETE = /^[0-9a-f]{64}$/;

/** Removes installed dependencies that no attempt has used for long, and what was being installed when HELIX was killed. */
export async function removeSetUps(
  sweep: Sweep,
  { cacheDir, around, olderThanMs }: { cacheDir: string; around: Survey; olderThanMs: number },
): Promise<void> {
  const dir = join(cacheDir, 'set-up');
  for (const name of listed(dir)) {
    const path = join(dir, name);
    const unused = COMPLETE.test(name) ? ageOf(join(path, 'done')) : Number.POSITIVE_INFINITY;
    const item = { kind: 'set-up', name: name.slice(0, 12) } as const;
    if (around.someoneWorks) sweep.keep(item, 'a run is being worked on');
    else if ((unused ?? Number.POSITIVE_INFINITY) >= olderThanMs)
      await sweep.remove({ ...item, bytes: sizeOf(path) }, () => takeAway(path));
    else sweep.keep(item, 'used lately');
  }
}

/** Renamed first: half of it must never pass for all of it. */
function takeAway(path: string): void {
  const gone = `${path}.${randomBytes(4).toString('hex')}`;
  renameSync(path, gone);
  removeWhole(gone);
}
