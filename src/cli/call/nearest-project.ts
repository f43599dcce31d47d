import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PLAN_OR_RUNS = ['phases.yaml', join('.helix', 'helix.db')];

/** The nearest directory at or above this one that has a plan or runs. */
export function nearestProject(from: string): string | undefined {
  return nearestWith(PLAN_OR_RUNS, from);
}

/**
 * Where files are judged without a run: in a repository the nearest directory with files of HELIX, else its root, because
 * what lies above it has no say in it; outside of one the nearest project.
 */
export function judgingPlace(from: string): string {
  const root = repositoryRoot(from);
  if (root === undefined) return nearestProject(from) ?? from;
  const found = nearestWith([...PLAN_OR_RUNS, 'helix.yaml'], from);
  return found !== undefined && (found === root || found.startsWith(`${root}/`)) ? found : root;
}

/** The root of the repository around a directory. */
export function repositoryRoot(from: string): string | undefined {
  return nearestWith(['.git'], from);
}

function nearestWith(signs: readonly string[], from: string): string | undefined {
  for (let dir = from; dir !== dirname(dir); dir = dirname(dir)) {
    if (signs.some((sign) => existsSync(join(dir, sign)))) return dir;
  }
  return undefined;
}
