import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HelixError } from '../domain/helix-error.ts';
import { ioError } from './io-error.ts';
import { removeTree } from './make-accessible.ts';
import { isBelow } from './sandbox/is-below.ts';

/** A new, empty directory that only this user can enter, outside a project and the repository around it. */
export function makePrivateDirectory(name: string, project: string): string {
  const top = repositoryTop(realpathSync(project));
  const places = [tmpdir(), '/tmp', '/var/tmp', join(homedir(), '.cache', 'helix')];
  for (const place of places) {
    const dir = madeIn(place, name, top);
    if (dir !== undefined) return dir;
  }
  throw new HelixError('config', `there is no place for temporary files outside ${top}`, {
    hint: 'Set TMPDIR to a directory outside the project.',
  });
}

function madeIn(place: string, name: string, top: string): string | undefined {
  if (isBelow(existsSync(place) ? realpathSync(place) : place, top)) return undefined;
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    return mkdtempSync(join(realpathSync(place), `helix-${name}-`));
  } catch (error) {
    const refusal = ioError(error, place);
    if (refusal instanceof HelixError && refusal.code === 'io') return undefined;
    throw refusal;
  }
}

/** The directory with the repository a directory lies in, or itself. */
export function repositoryTop(dir: string): string {
  for (let at = dir; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return dir;
}

/** Removes a directory with all in it, as far as it can be. */
export function removeQuietly(dir: string): void {
  try {
    removeTree(dir);
  } catch {
    // Somebody may still write there, or own a part of it; nothing depends on its being gone.
  }
}
