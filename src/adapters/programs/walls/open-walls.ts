import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Confinement } from '../../../ports/processes.ts';
import { cacheDirectory } from '../../disk/cache-directory.ts';
import { INSTALLATION } from '../../disk/installation.ts';
import { isBelow } from '../../disk/is-below.ts';
import { isDenied } from '../../disk/make-accessible.ts';
import { stateDirectory, trustedProjects } from '../../secrets/trust-store.ts';

const GROUPS = '/sys/fs/cgroup';

/** How many projects' states are hidden. */
const MOST_STATES = 100;

type Open = Extract<Confinement, { kind: 'open' }>;

/**
 * The arguments of bubblewrap for walls behind which a program sees everything but what is hidden and what HELIX keeps for its user and
 * of the projects they trusted, and cannot change what is protected, nor HELIX: else an agent could judge, trust and answer in their name.
 */
export function openWalls({ protect, hidden, writable, limits }: Open): string[] {
  const home = realpathSync(homedir());
  const locked = [...protect.flatMap((path) => lockable(path, home)), INSTALLATION].filter(existsSync);
  const modes = new Map<string, Mode>([
    ...usersOwn().map((path) => [path, 'hidden'] as const),
    ...statesOf(trustedProjects(process.env, homedir())).map((path) => [path, 'hidden'] as const),
    ...hidden.filter(existsSync).map((path) => [realpathSync(path), 'hidden'] as const),
    ...locked.map((path) => [realpathSync(path), 'locked'] as const),
    ...writable.filter(existsSync).map((path) => [realpathSync(path), 'writable'] as const),
  ]);
  for (const path of holding(modes)) modes.set(path, 'held');
  return [
    ...['--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--proc', '/proc'],
    // Who may make groups may leave theirs.
    ...(limits !== undefined && existsSync(GROUPS) ? ['--ro-bind', GROUPS, GROUPS] : []),
    ...byDepth(modes).flatMap(([path, mode]) => (mode === 'hidden' ? ['--tmpfs', path] : [BIND[mode], path, path])),
  ];
}

type Mode = 'hidden' | 'locked' | 'writable' | 'held';

const BIND = { locked: '--ro-bind', writable: '--bind', held: '--dev-bind' } as const;

/** What the user trusted, the key of their approvals, approvals, the work of other phases and projects; made where there is none yet. */
function usersOwn(): string[] {
  return [stateDirectory(process.env, homedir()), cacheDirectory(process.env, homedir())].flatMap((path) => {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch (error) {
      // Where HELIX can make no such place, an agent can neither.
      if (!isDenied(error) && (error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    }
    return existsSync(path) ? [realpathSync(path)] : [];
  });
}

/** What HELIX keeps of the runs of some projects, as far as there is any; each costs a millisecond or two at every start. */
function statesOf(projects: readonly string[]): string[] {
  const dirs = projects.map((dir) => join(dir, '.helix'));
  const there = dirs.filter((dir) => statSync(dir, { throwIfNoEntry: false })?.isDirectory());
  return there.slice(0, MOST_STATES).map((dir) => realpathSync(dir));
}

/**
 * The directories on the way to what is locked or hidden, as far as they can be changed: each is bound onto itself, because what a mount
 * is on can be neither renamed nor removed, and another one put in its place.
 */
function holding(modes: ReadonlyMap<string, Mode>): string[] {
  const given = byDepth(modes);
  const isFree = (path: string) => !isShut(given.findLast(([dir]) => isBelow(path, dir))?.[1]);
  const shut = given.filter(([, mode]) => isShut(mode)).map(([path]) => path);
  return shut.flatMap(above).filter((path) => !modes.has(path) && isFree(path));
}

function isShut(mode: Mode | undefined): boolean {
  return mode === 'locked' || mode === 'hidden';
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
