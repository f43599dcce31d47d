import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from '../../disk/process-identity.ts';
import { findHierarchies, type KernelTexts } from './hierarchies.ts';

/** Its maker's number and start time, and which of its groups it is. */
const NAME = /^helix-(\d+)-(\d+)-\d+$/;

/** Removes the groups in a directory whose HELIX has died, as far as nobody is in them. */
export function clearGroups(parent: string): void {
  for (const dir of deadGroups(parent)) removeGroup(dir);
}

/** All groups of this machine that a HELIX made which does not live any more. */
export function allDeadGroups(texts: KernelTexts): string[] {
  const mounts = new Set(Object.values(findHierarchies(texts)).map(({ mount }) => mount));
  return [...mounts].flatMap(deadBelow);
}

function deadBelow(dir: string): string[] {
  return [...deadGroups(dir), ...namesIn(dir).flatMap((name) => (NAME.test(name) ? [] : deadBelow(join(dir, name))))];
}

function deadGroups(parent: string): string[] {
  return namesIn(parent).flatMap((name) => {
    const [, pid, start] = NAME.exec(name) ?? [];
    if (pid === undefined || identityOf(Number(pid))?.start === start) return [];
    return [join(parent, name)];
  });
}

/** Removes a group with those that were made in it; false while a process is in one of them. */
export function removeGroup(dir: string): boolean {
  try {
    for (const name of namesIn(dir)) removeGroup(join(dir, name));
    rmdirSync(dir);
  } catch {
    return !existsSync(dir);
  }
  return true;
}

function namesIn(dir: string): string[] {
  try {
    const items = readdirSync(dir, { withFileTypes: true });
    return items.filter((item) => item.isDirectory()).map(({ name }) => name);
  } catch {
    // Gone meanwhile, or not for this user to read.
    return [];
  }
}
