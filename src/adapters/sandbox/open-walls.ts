import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../../ports.ts';
import { stateDirectory } from '../trust-store.ts';
import { isBelow } from './is-below.ts';
import { INSTALLATION } from './own-files.ts';

type Open = Extract<Confinement, { kind: 'open' }>;

/**
 * The arguments of bubblewrap for walls behind which a program sees everything, but cannot change what is protected. HELIX
 * itself and what the user has trusted always are: else an agent could judge, and trust, in their name.
 */
export function openWalls({ protect, writable }: Open): string[] {
  const home = realpathSync(homedir());
  const trusted = join(stateDirectory(process.env, homedir()), 'trust');
  const locked = [...protect.flatMap((path) => lockable(path, home)), INSTALLATION, trusted];
  const modes = new Map([
    ...locked.filter(existsSync).map((path) => [realpathSync(path), '--ro-bind'] as const),
    ...writable.filter(existsSync).map((path) => [realpathSync(path), '--bind'] as const),
  ]);
  const inner = [...modes].sort(([a], [b]) => a.split('/').length - b.split('/').length);
  return [
    ...['--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--proc', '/proc'],
    ...inner.flatMap(([path, bind]) => [bind, path, path]),
  ];
}

/** A home that is a repository cannot be locked as a whole: agents keep their logins and sessions there. */
function lockable(path: string, home: string): string[] {
  const isHome = existsSync(path) && isBelow(home, realpathSync(path));
  return isHome ? ['.git', '.helix'].map((name) => join(path, name)) : [path];
}
