import { relative, resolve } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { openWorld } from '../../adapters/world.ts';
import type { World } from '../../ports/world.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { Call } from './command.ts';
import { nearestProject } from './nearest-project.ts';

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
  return openWorld(openProject(dir ?? projectHere()), script === undefined ? {} : { script: scriptPath(script) });
}

function scriptPath(path: string): string {
  return resolve(process.cwd(), path);
}

function projectHere(): string {
  const here = process.cwd();
  return nearestProject(here) ?? here;
}

/** What a printed command needs so that it finds this project from here: nothing, or `-C` and where it is. */
export function projectOption(dir: string): string {
  if (projectHere() === dir) return '';
  return ` -C ${shellWord(relative(process.cwd(), dir))}`;
}
