import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBelow } from '../../disk/is-below.ts';

/** What a control group can limit. */
export const CONTROLLERS = ['memory', 'pids'] as const;
export type Controller = (typeof CONTROLLERS)[number];

/** The tree of control groups that has a controller, and the group of this process in it. */
export type Hierarchy = { readonly version: 1 | 2; readonly mount: string; readonly own: string };

/** A group in which HELIX can make groups that limit something. */
export type GroupParent = { readonly version: 1 | 2; readonly dir: string };

/** Where HELIX can make groups, controller by controller. */
export type GroupParents = Partial<Record<Controller, GroupParent>>;

/** The files by which the kernel tells of control groups. */
export type KernelTexts = { readonly groups: string; readonly mounts: string };

/** What the kernel says of control groups; nothing where there are none. */
export function kernelTexts(): KernelTexts {
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { groups: read('/proc/self/cgroup'), mounts: read('/proc/self/mountinfo') };
}

/** Where the group of this process is, controller by controller, by `/proc/self/cgroup` and `/proc/self/mountinfo`. */
export function findHierarchies({ groups, mounts }: KernelTexts): Partial<Record<Controller, Hierarchy>> {
  const mounted = mounts.split('\n').flatMap(mountOf);
  const found: Partial<Record<Controller, Hierarchy>> = {};
  for (const controller of CONTROLLERS) {
    const first = hierarchyOf(controller, groups);
    const mount = mounted.find(({ type, options }) =>
      first?.version === 1 ? type === 'cgroup' && options.includes(controller) : type === 'cgroup2',
    );
    const own = first && mount && below(mount, first.path);
    if (first !== undefined && mount !== undefined && own !== undefined)
      found[controller] = { version: first.version, mount: mount.at, own };
  }
  return found;
}

/** A controller belongs to version 2 unless a tree of version 1 has it. */
function hierarchyOf(controller: Controller, groups: string): { version: 1 | 2; path: string } | undefined {
  const lines = groups.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []);
  const [, , old] = lines.find(([, names]) => names?.split(',').includes(controller)) ?? [];
  if (old !== undefined) return { version: 1, path: old };
  const [, , path] = lines.find(([, names]) => names === '') ?? [];
  return path === undefined ? undefined : { version: 2, path };
}

type Mount = { readonly root: string; readonly at: string; readonly type: string; readonly options: readonly string[] };

/** `36 31 0:33 <root> <mount point> rw,relatime shared:1 - cgroup cgroup rw,memory` */
function mountOf(line: string): Mount[] {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, at] = before.split(' ');
  const [type, , options] = after.split(' ');
  if (root === undefined || at === undefined || type === undefined || options === undefined) return [];
  return [{ root, at, type, options: options.split(',') }];
}

/** In a container only a part of the tree may be mounted, and this process may be outside of it. */
function below({ root, at }: Mount, path: string): string | undefined {
  if (path.split('/').includes('..') || !isBelow(path, root)) return undefined;
  return join(at, path.slice(root === '/' ? 0 : root.length)).replace(/\/$/, '');
}
