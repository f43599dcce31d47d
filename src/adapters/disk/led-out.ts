import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { isBelow } from './is-below.ts';

const MOST_LINKS = 40;

/**
 * Refuses a path, whether or not it is there yet, that lies in a repository by its name and elsewhere by a link: the link may have come
 * with a clone. Throws HelixError `usage`.
 */
export function requireInRepository(path: string, cwd: string): void {
  const whole = resolve(cwd, path);
  const real = leadsTo(whole);
  const top = [...above(whole)].find((dir) => existsSync(join(dir, '.git')) && !isBelow(real, realpathSync(dir)));
  if (top === undefined) return;
  throw new HelixError('usage', `${relative(cwd, whole) || '.'} leads out of the repository by a link, to ${real}`, {
    hint: `Nothing was written. Replace the link; or, if you mean it, work where it leads: cd ${dirname(real)}`,
  });
}

/** Refuses a file that is a link out of its repository; where its folder lies was the choice of whoever named it. */
export function requireOwnFile(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) requireInRepository(file, process.cwd());
}

function* above(path: string): Iterable<string> {
  for (let at = dirname(path); ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

/** Where a path leads, also where its end, or what a link leads to, is not there yet. */
function leadsTo(path: string, links = 0): string {
  if (existsSync(path)) return realpathSync(path);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() && links < MOST_LINKS)
    return leadsTo(resolve(leadsTo(dirname(path)), readlinkSync(path)), links + 1);
  return dirname(path) === path ? path : join(leadsTo(dirname(path), links), path.slice(dirname(path).length));
}
