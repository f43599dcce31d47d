import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';

const SIGNS = ['phases.yaml', 'helix.yaml', join('.helix', 'helix.db')];

/** The nearest directory at or above this one that has files of HELIX. */
export function nearestProject(from: string): string | undefined {
  return nearestWith(SIGNS, from);
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

/** The directory the command was called in; throws when it is gone. */
export function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new HelixError('not_found', 'the current directory is gone', {
      hint: 'Change to one that exists.',
      cause: error,
    });
  }
}
