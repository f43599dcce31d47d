import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBelow } from '../../disk/is-below.ts';
import { clearGroups } from './clear-groups.ts';
import { Group } from './group.ts';
import {
  CONTROLLERS,
  type Controller,
  findHierarchies,
  type GroupParent,
  type GroupParents,
  type Hierarchy,
  type KernelTexts,
  kernelTexts,
} from './hierarchies.ts';
import { withinLimits } from './within-limits.ts';

const TRIAL_MS = 10_000;

let found: Promise<GroupParents> | undefined;

/** Looks once for groups that can be made and entered; what HELIX left there when it was killed is removed. */
export function groupParents(): Promise<GroupParents> {
  found ??= findParents(kernelTexts());
  return found;
}

async function findParents(texts: KernelTexts): Promise<GroupParents> {
  const hierarchies = findHierarchies(texts);
  const tried = CONTROLLERS.map(async (controller) => {
    const hierarchy = hierarchies[controller];
    for (const parent of hierarchy === undefined ? [] : candidates(controller, hierarchy)) {
      clearGroups(parent.dir);
      if (await works(controller, parent)) return [[controller, parent]] as const;
    }
    return [];
  });
  return Object.fromEntries((await Promise.all(tried)).flat());
}

/**
 * In version 1 a group is made below the own one, whose limits then hold, too. In version 2 a group with processes cannot hand
 * its controllers on: there it is the nearest one around it that does.
 */
export function candidates(controller: Controller, { version, mount, own }: Hierarchy): GroupParent[] {
  if (version === 1) return [{ version, dir: own }];
  const parents: GroupParent[] = [];
  for (let dir = own; isBelow(dir, mount); dir = dirname(dir)) {
    const control = join(dir, 'cgroup.subtree_control');
    if (existsSync(control) && readFileSync(control, 'utf8').split(/\s/).includes(controller))
      parents.push({ version, dir });
  }
  return parents;
}

/** Only a process that was moved shows that one can be: the kernel also asks who may write to the groups around. */
async function works(controller: Controller, parent: GroupParent): Promise<boolean> {
  try {
    const group = Group.make({ [controller]: parent }, TRIAL);
    const [file, ...args] = withinLimits(['/bin/sh', '-c', ':'], { limits: TRIAL, group });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    execFile(file, args, { timeout: TRIAL_MS, env: {}, cwd: '/' }, (error) => resolve(error === null));
    const entered = await promise;
    await group.remove();
    return entered;
  } catch {
    return false;
  }
}

const TRIAL = { memory: 64 * 1024 ** 2, processes: 64, file_size: 'unlimited' } as const;
