import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { globBase, globMatcher } from '../../text/glob.ts';

/** What is protected in a plan: what it says, and what its gates' commands run, also those of phases to come. */
export function protectedPatterns(plan: Plan): string[] {
  return [...plan.protected, ...plan.phases.flatMap((phase) => phase.gates).flatMap(programsOf)];
}

/** What a phase is there to write: nothing outside the work, and beside the plan only what is declared as lying there. */
export function declaredBy({ output: { directory, files } }: Phase, plan: Plan): (path: string) => boolean {
  const declared = [...files, ...files.map((file) => posix.join(directory, file))];
  const anywhere = matcherOf(declared);
  const besidePlan = matcherOf(declared.filter((pattern) => isBeside(globBase(posix.normalize(pattern)), plan)));
  return (path) => !path.startsWith('../') && (isHome(path, plan) ? besidePlan : anywhere)(path);
}

/** Tells whether a path is the folder of a plan that lies elsewhere than the work, something in it, or in the place of one above it. */
export function isHome(path: string, plan: Plan): boolean {
  return isBeside(path, plan) || plan.workspace.home?.startsWith(`${path}/`) === true;
}

function isBeside(path: string, { workspace: { home } }: Plan): boolean {
  return home !== undefined && `${path}/`.startsWith(`${home}/`);
}

const SHELLS = /^(sh|bash|dash|zsh|ksh)$/;
const INTERPRETERS = /^(node|deno|bun|python[\d.]*|ruby|perl|php)$/;

/** The programs and scripts of the project that a gate's command runs; what they are given to look at is there to be changed. */
function programsOf({ type, settings: { command } }: Gate): string[] {
  const words = Array.isArray(command) ? command.map(String) : typeof command === 'string' ? command.split(/\s+/) : [];
  const [program = '', ...rest] = words.slice(words.findIndex((word) => word !== 'env' && !/^\w+=/.test(word)));
  if (program.includes('/')) return [posix.normalize(program)];
  const runsScript = SHELLS.test(program) || (type === 'custom' && INTERPRETERS.test(program));
  const [script = ''] = runsScript ? rest.filter((word) => !word.startsWith('-')) : [];
  return /^[\w.][\w./-]*$/.test(script) ? [posix.normalize(script)] : [];
}

/** Tells whether any of several patterns matches a path. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map((pattern) => globMatcher(posix.normalize(pattern)));
  return (path) => matchers.some((matches) => matches(path));
}
