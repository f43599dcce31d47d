import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Confinement } from '../../../ports/processes.ts';
import { isBelow } from '../../disk/is-below.ts';
import { stateDirectory } from '../../secrets/trust-store.ts';
import { INSTALLATION } from './own-files.ts';

type Open = Extract<Confinement, { kind: 'open' }>;

/**
 * The arguments of bubblewrap for walls behind which a program sees everything, but cannot change what is protected. HELIX
 * itself and what the user has trusted always are: else an agent could judge, and trust, in their name.
 */
export function openWalls({ protect, writable }: Open): string[] {
  const home = realpathSync(homedir());
  const trusted = join(stateDirectory(process.env, homedir()), 'trust');
  const locked = [...protect.flatMap((path) => lockable(path, home)), INSTALLATION, trusted].filter(existsSync);
  const modes = new Map<string, Mode>([
    ...locked.map((path) => [realpathSync(path), 'locked'] as const),
    ...writable.filter(existsSync).map((path) => [realpathSync(path), 'writable'] as const),
  ]);
  for (const path of holding(modes)) modes.set(path, 'held');
  return [
    ...['--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--proc', '/proc'],
    ...byDepth(modes).flatMap(([path, mode]) => [BIND[mode], path, path]),
  ];
}

type Mode = 'locked' | 'writable' | 'held';

const BIND: Readonly<Record<Mode, string>> = { locked: '--ro-bind', writable: '--bind', held: '--dev-bind' };

/**
 * The directories on the way to what is locked, as far as they can be changed: each is bound onto itself, because what a mount
 * is on can be neither renamed nor removed, and another one put in its place.
 */
function holding(modes: ReadonlyMap<string, Mode>): string[] {
  const given = byDepth(modes);
  const isFree = (path: string) => given.findLast(([dir]) => isBelow(path, dir))?.[1] !== 'locked';
  const locked = given.filter(([, mode]) => mode === 'locked').map(([path]) => path);
  return locked.flatMap(above).filter((path) => !modes.has(path) && isFree(path));
}

function above(path: string): string[] {
  const dir = dirname(path);
  return dirname(dir) === dir ? [] : [...above(dir), dir];
}

function byDepth(modes: ReadonlyMap<string, Mode>): [string, Mode][] {
  return [...modes].sort(([a], [b]) => a.split('/').length - b.split('/').length);
}

/** A home that is a repository cannot be locked as a whole: agents keep their logins and sessions there. */
function lockable(path: string, home: string): string[] {
  const isHome = existsSync(path) && isBelow(home, realpathSync(path));
  return isHome ? ['.git', '.helix'].map((name) => join(path, name)) : [path];
}
