import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isBelow } from '../../disk/is-below.ts';

/** What belongs to the machine and not to a user: programs, libraries and their settings. */
const SYSTEM = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'usr', 'etc', 'opt', 'nix', 'gnu', 'snap'].map(
  (name) => `/${name}`,
);

/** Of the kernel's own files, those that tell how many processors and how much memory there is; older cgroups are many. */
const KERNEL = ['/sys/devices/system', ...(existsSync('/sys/fs/cgroup/cgroup.controllers') ? ['/sys/fs/cgroup'] : [])];

/** What of `/etc` only root can read anyway, and must not when it runs what an agent wrote. */
const ROOT_ONLY = ['shadow', 'shadow-', 'gshadow', 'gshadow-', 'ssh', 'ssl/private', 'krb5.keytab', 'sudoers.d'].map(
  (name) => join('/etc', name),
);

/** What every process needs; of `/run` and `/var` only what is not some service's. */
const COMMON = ['/proc', '/sys', '/dev', '/tmp', '/run', '/var', '/var/tmp'];

/** Tells whether a path is the machine's. */
export function isSystem(path: string): boolean {
  return SYSTEM.some((dir) => isBelow(path, dir));
}

/** What lies on the machine and is neither its own nor needed to run programs: homes, disks, services, the secrets of root. */
export function foreignPaths({ isRoot }: { isRoot: boolean }): string[] {
  const isForeign = (path: string) => !isSystem(path) && !COMMON.includes(path);
  return [
    ...['/', '/run', '/var'].filter(existsSync).flatMap(placesIn).filter(isForeign),
    ...(isRoot ? ROOT_ONLY.filter(existsSync) : []),
  ];
}

function placesIn(dir: string): string[] {
  const items = readdirSync(dir, { withFileTypes: true });
  return items.filter((item) => item.isDirectory() || item.isSocket()).map(({ name }) => join(dir, name));
}

/** The system as closed walls show it: its directories, and links for those that are links. */
export function systemWalls({ isRoot, network }: { isRoot: boolean; network: 'loopback' | 'open' }): string[] {
  const links = readdirSync('/', { withFileTypes: true }).filter((item) => item.isSymbolicLink());
  const dirs = SYSTEM.filter((dir) => lstatSync(dir, { throwIfNoEntry: false })?.isDirectory());
  return [
    ...dirs.flatMap((dir) => ['--ro-bind', dir, dir]),
    ...links.flatMap(({ name }) => ['--symlink', readlinkSync(`/${name}`), `/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', '/run', '--symlink', '/tmp', '/var/tmp'],
    ...KERNEL.filter(existsSync).flatMap((dir) => ['--ro-bind-try', dir, dir]),
    ...(network === 'open' ? nameService() : []),
    ...(isRoot ? rootWalls() : []),
  ];
}

/** Root without its powers still owns the kernel's settings and the machine's secrets. */
function rootWalls(): string[] {
  return ['--cap-drop', 'ALL', '--ro-bind', '/proc/sys', '/proc/sys', ...ROOT_ONLY.flatMap(masked)];
}

/** What hides a path: an empty directory or an empty file in its place. */
export function masked(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return ['--tmpfs', path];
  return stat?.isFile() ? ['--ro-bind', '/dev/null', path] : [];
}

/** Where names are looked up is often a link to a file that some service keeps outside `/etc`. */
function nameService(): string[] {
  if (!existsSync('/etc/resolv.conf')) return [];
  const file = realpathSync('/etc/resolv.conf');
  return isSystem(file) ? [] : ['--ro-bind-try', file, file];
}
