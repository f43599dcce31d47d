import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { findProgram } from '../../disk/find-program.ts';
import { isBelow } from '../../disk/is-below.ts';

const BUBBLEWRAP = 'bwrap';
/** Where a system keeps its own programs, as a PATH. */
export const SYSTEM_PROGRAMS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'].join(delimiter);
const PROJECT_FILES = ['.git', 'phases.yaml'];

let found: string | undefined;

/** The program that builds the walls: the machine's own, or else one in PATH that no project brought along. */
export async function findBubblewrap(): Promise<string | undefined> {
  found ??= await findProgram(BUBBLEWRAP, SYSTEM_PROGRAMS);
  found ??= await findProgram(BUBBLEWRAP, entriesOutside(process.env.PATH, process.cwd()).join(delimiter));
  return found;
}

/**
 * The entries of a PATH that belong neither to the project around a directory nor to installed packages: what lies there would
 * be run before anybody has trusted it, and could leave the walls out.
 */
export function entriesOutside(searchPath: string | undefined, cwd: string): string[] {
  const project = projectAround(realpathSync(cwd));
  const isInside = (dir: string) => project !== undefined && isBelow(dir, project);
  const isOutside = (dir: string) => !isInside(dir) && !dir.split('/').includes('node_modules');
  const entries = (searchPath ?? '').split(delimiter).filter((dir) => isAbsolute(dir) && existsSync(dir));
  return entries.filter((dir) => isOutside(join(dir)) && isOutside(realpathSync(dir)));
}

/** The outermost project a directory lies in, if it lies in one. */
function projectAround(dir: string): string | undefined {
  const isProject = PROJECT_FILES.some((name) => existsSync(join(dir, name)));
  const outer = dirname(dir) === dir ? undefined : projectAround(dirname(dir));
  return outer ?? (isProject ? dir : undefined);
}
