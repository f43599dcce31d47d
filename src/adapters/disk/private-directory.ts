import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { sha256 } from '../../text/digest.ts';
import { cacheDirectory } from './cache-directory.ts';
import { ioError } from './io-error.ts';
import { isBelow } from './is-below.ts';
import { removeTree } from './make-accessible.ts';
import { HAS_PROC, identityOf, self } from './process-identity.ts';

const OURS = /^helix-[a-z]+-([0-9a-f]{12})-(\d+)-(\w*)-\w{6}$/;

/**
 * A new, empty directory that only this user can enter, outside a project and the repository around it; first of all in HELIX's cache,
 * which no agent behind walls can see: temporary directories of the machine are open to the agents of every project.
 */
export function makePrivateDirectory(name: string, project: string): string {
  const top = repositoryTop(realpathSync(project));
  const places = [join(cacheDirectory(process.env, homedir()), 'scratch'), tmpdir(), '/tmp', '/var/tmp'];
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
    const { pid, start } = self();
    clearDead(realpathSync(place));
    return mkdtempSync(join(realpathSync(place), `helix-${name}-${machine()}-${pid}-${plain(start)}-`));
  } catch (error) {
    const refusal = ioError(error, place);
    if (refusal instanceof HelixError && refusal.code === 'io') return undefined;
    throw refusal;
  }
}

/** Removes what processes left that were killed; those of another machine or container may live. */
function clearDead(place: string): void {
  const here = machine();
  for (const name of readdirSync(place)) {
    const [, where, pid, start] = OURS.exec(name) ?? [];
    if (where !== here || plain(identityOf(Number(pid))?.start ?? '') === start) continue;
    const stat = lstatSync(join(place, name), { throwIfNoEntry: false });
    if (stat?.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid)) removeQuietly(join(place, name));
  }
}

/** Names the space in which the numbers of processes mean anything, as far as it can be told. */
function machine(): string {
  const { host, boot } = self();
  return sha256([host, boot, HAS_PROC ? readlinkSync('/proc/self/ns/pid') : ''].join('\0')).slice(0, 12);
}

function plain(start: string): string {
  return start.replaceAll(/\W/g, '');
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
