import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockRun } from '../disk/run-lock.ts';
import { tryWork } from '../repo/work/work-lock.ts';
import { visitLives } from '../visit.ts';

/** Where the locks of a project are. */
export type LockPlaces = { readonly helixDir: string; readonly cacheDir: string };

/** Takes the name of a run or a visit for a moment, so that nobody begins to work under it; undefined when somebody does. */
export function claim(name: string, { helixDir, cacheDir }: LockPlaces): (() => void) | undefined {
  const visited = visitLives(name);
  if (visited !== undefined) return visited ? undefined : () => tryWork(cacheDir, name)?.();
  const path = join(helixDir, 'runs', name, 'owner.lock');
  const owner = existsSync(path) ? lockRun(path, 0) : () => undefined;
  if (owner === undefined) return undefined;
  const work = existsSync(cacheDir) ? tryWork(cacheDir, name) : () => undefined;
  if (work === undefined) {
    owner();
    return undefined;
  }
  return () => {
    work();
    owner();
  };
}
