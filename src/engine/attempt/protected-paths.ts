import { posix } from 'node:path';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { globBase, globMatcher } from '../../text/glob.ts';

/** What a phase is there to write: nothing outside the work, and beside the plan only what is declared as lying there. */
export function declaredBy(
  { output: { directory, files } }: Phase,
  plan: Pick<Plan, 'workspace'>,
): (path: string) => boolean {
  const declared = [...files, ...files.map((file) => posix.join(directory, file))];
  const anywhere = matcherOf(declared);
  const besidePlan = matcherOf(declared.filter((pattern) => isBeside(globBase(posix.normalize(pattern)), plan)));
  return (path) => !path.startsWith('../') && (isHome(path, plan) ? besidePlan : anywhere)(path);
}

/** Tells whether a path is the folder of a plan that lies elsewhere than the work, something in it, or in the place of one above it. */
export function isHome(path: string, plan: Pick<Plan, 'workspace'>): boolean {
  return isBeside(path, plan) || plan.workspace.home?.startsWith(`${path}/`) === true;
}

function isBeside(path: string, { workspace: { home } }: Pick<Plan, 'workspace'>): boolean {
  return home !== undefined && `${path}/`.startsWith(`${home}/`);
}

/** Tells whether any of several patterns matches a path. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map((pattern) => globMatcher(posix.normalize(pattern)));
  return (path) => matchers.some((matches) => matches(path));
}

/** What is changed in the place of a folder is a link or a file: all that lay below it has gone elsewhere. */
export function foldersAbove(pattern: string): string[] {
  const names = posix.normalize(pattern).split('/');
  return names
    .slice(1)
    .map((_, index) => names.slice(0, index + 1).join('/'))
    .filter((folder) => !folder.includes('**'));
}
