import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openProject } from '../adapters/project-directory.ts';
import { openWorld } from '../adapters/world.ts';
import type { World } from '../ports.ts';
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
    openProject(dir ?? nearest(process.cwd())),
    script === undefined ? {} : { script: scriptPath(script) },
  );
}

function scriptPath(path: string): string {
  return resolve(process.cwd(), path);
}

function nearest(from: string): string {
  for (let dir = from; dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, 'phases.yaml')) || existsSync(join(dir, '.helix', 'helix.db'))) return dir;
  }
  return from;
}
