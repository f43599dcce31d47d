import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { openWorld } from '../../adapters/world.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { World } from '../../ports/world.ts';
import type { Call } from './command.ts';

/** `--dir`, which every command about runs takes. */
export const DIR_OPTION = {
  type: 'string',
  short: 'C',
  value: 'DIR',
  help: 'the project (default: the nearest one at or above this directory)',
} as const;

/** Opens the project a command is about: the one named, or the nearest one at or above the current directory. */
export function openWorldOf(call: Call, named?: string): World {
  const dir = named ?? call.text('dir');
  const script = call.text('script');
  return openWorld(
    openProject(dir ?? nearest(currentDirectory())),
    script === undefined ? {} : { script: scriptPath(script) },
  );
}

function scriptPath(path: string): string {
  return resolve(currentDirectory(), path);
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new HelixError('not_found', 'the current directory is gone', {
      hint: 'Change to one that exists.',
      cause: error,
    });
  }
}

function nearest(from: string): string {
  for (let dir = from; dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, 'phases.yaml')) || existsSync(join(dir, '.helix', 'helix.db'))) return dir;
  }
  return from;
}

/** What a printed command needs so that it finds this project from here: nothing, or `-C` and where it is. */
export function projectOption(dir: string): string {
  const here = currentDirectory();
  if (nearest(here) === dir) return '';
  const path = relative(here, dir);
  return ` -C ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`;
}
