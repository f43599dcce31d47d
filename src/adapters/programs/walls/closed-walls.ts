import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Confinement } from '../../../ports/processes.ts';
import { isBelow } from '../../disk/is-below.ts';
import { inFront } from './layers.ts';
import { ownFiles } from './own-files.ts';
import { programFiles } from './program-file.ts';
import { isSystem, systemWalls } from './system-directories.ts';
import { CREDENTIAL_FILES, findToolchains } from './toolchains.ts';
import { View } from './view.ts';

type Closed = Extract<Confinement, { kind: 'closed' }>;
type Env = Readonly<Record<string, string>>;
type Program = { readonly argv: readonly [file: string, ...args: string[]]; readonly env: Env };

/** Of a project that can be read: its history, and what HELIX knows of its runs. */
const HIDDEN = ['.git', '.helix'];

/** The arguments of bubblewrap for walls behind which a program sees what it needs to run and what it is given. */
export function closedWalls(confine: Closed, { argv, env }: Program): string[] {
  const home = homeOf(env);
  const view = new View();
  view.name(nameOf(env));
  const { toolchains, credentials } = toolsOf(env, home);
  for (const path of toolchains) view.show(path, 'ro');
  for (const path of credentials) view.show(path, 'hidden');
  const [, ...interpreter] = programFiles(inFront(argv[0], confine.layers ?? []));
  for (const path of [...ownFiles(argv), argv[0], ...interpreter].filter(existsSync)) view.show(path, 'ro');
  const readable = confine.readable.filter((path) => !isBelow(home, path));
  for (const path of readable) view.show(path, 'ro');
  for (const path of readable.flatMap((dir) => inside(dir, HIDDEN))) view.show(path, 'hidden');
  for (const path of confine.writable) view.show(path, 'rw');
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent'],
    ...(confine.network === 'loopback' ? ['--unshare-net'] : []),
    ...systemWalls({ isRoot: process.getuid?.() === 0, network: confine.network }),
    ...(home === '/' || (isSystem(home) && !existsSync(home)) ? [] : ['--tmpfs', home]),
    ...view.walls(),
    ...['--remount-ro', '/'],
    ...(env.TMPDIR === undefined ? [] : ['--setenv', 'TMPDIR', '/tmp']),
  ];
}

/** The home as programs call it, which may be by a link. */
function nameOf({ HOME = homedir() }: Env): string {
  return resolve('/', HOME);
}

function homeOf(env: Env): string {
  const name = nameOf(env);
  return existsSync(name) ? realpathSync(name) : name;
}

type Tools = { readonly toolchains: readonly string[]; readonly credentials: readonly string[] };

let known: (Tools & { readonly key: string }) | undefined;

/** Looked up once for each PATH and home: toolchains stay where they are while HELIX runs. */
function toolsOf(env: Env, home: string): Tools {
  const key = JSON.stringify([env.PATH, home]);
  if (known?.key !== key) {
    const toolchains = findToolchains({ ...process.env, ...env }, home);
    known = { key, toolchains, credentials: toolchains.flatMap((dir) => inside(dir, CREDENTIAL_FILES)) };
  }
  return known;
}

function inside(dir: string, names: readonly string[]): string[] {
  return names.map((name) => join(dir, name)).filter(existsSync);
}
