import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { findsCommand, rewritingCommand } from '../../gates/commands/found-command.ts';
import { globBase, globMatcher } from '../../text/glob.ts';
import type { EnginePorts } from '../step/engine-ports.ts';
import type { Recorder } from '../step/recorder.ts';

const MAX_PATHS = 200;

type Attempt = { readonly phase: Phase; readonly tree: string; readonly start: string };

/**
 * The protected paths a phase has changed since it began, but for those it is there to write. What a gate's command names
 * is protected, too, and so is what makes a gate find another test command: who writes the work must not rewrite what
 * judges it. So is all that lies outside the directory that is worked on, or beside a plan that lies below it.
 */
export async function changedProtected(
  { phase, tree, start }: Attempt,
  { ports, recorder }: { ports: EnginePorts; recorder: Recorder },
): Promise<string[]> {
  const { plan, phases } = recorder.state;
  const from = phases.get(phase.id)?.baseTree ?? start;
  const changed = await ports.workspace.changed(from, tree);
  if (changed.length === 0) return [];
  // Also those of phases to come: what judges them is not this one's to write either.
  const gates = plan.phases.flatMap((each) => each.gates);
  const rewriting = gates.some(findsCommand)
    ? await rewritingCommand(changed, {
        base: await ports.workspace.tree(from),
        tree: await ports.workspace.tree(tree),
      })
    : [];
  const patterns = [...plan.protected, ...gates.flatMap(programsOf)];
  const isProtected = matcher([...patterns, ...patterns.flatMap(foldersAbove)]);
  const isDeclared = declaredBy(phase, plan);
  return changed
    .filter((path) => path.startsWith('../') || isHome(path, plan) || rewriting.includes(path) || isProtected(path))
    .filter((path) => !isDeclared(path))
    .slice(0, MAX_PATHS);
}

/** What a phase is there to write: nothing outside the work, and beside the plan only what is declared as lying there. */
function declaredBy({ output: { directory, files } }: Phase, plan: Plan): (path: string) => boolean {
  const declared = [...files, ...files.map((file) => posix.join(directory, file))];
  const anywhere = matcher(declared);
  const besidePlan = matcher(declared.filter((pattern) => isBeside(globBase(posix.normalize(pattern)), plan)));
  return (path) => !path.startsWith('../') && (isHome(path, plan) ? besidePlan : anywhere)(path);
}

/** Tells whether a path is the folder of a plan that lies elsewhere than the work, something in it, or in the place of one above it. */
function isHome(path: string, plan: Plan): boolean {
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

/** What is changed in the place of a folder is a link or a file: all that lay below it has gone elsewhere. */
function foldersAbove(pattern: string): string[] {
  const names = posix.normalize(pattern).split('/');
  return names
    .slice(1)
    .map((_, index) => names.slice(0, index + 1).join('/'))
    .filter((folder) => !folder.includes('**'));
}

function matcher(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map((pattern) => globMatcher(posix.normalize(pattern)));
  return (path) => matchers.some((matches) => matches(path));
}
