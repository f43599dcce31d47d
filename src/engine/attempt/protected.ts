import { posix } from 'node:path';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { findsCommand, rewritingCommand } from '../../gates/commands/found-command.ts';
import type { EnginePorts } from '../step/engine-ports.ts';
import type { Recorder } from '../step/recorder.ts';
import { guardedThroughLinks } from './linked-paths.ts';
import { declaredBy, isHome, matcherOf, protectedPatterns } from './protected-paths.ts';

const MAX_PATHS = 200;

type Attempt = { readonly phase: Phase; readonly tree: string; readonly start: string };

/**
 * The protected paths a phase has changed since it began, but for those it is there to write. What a gate's command names
 * is protected, too, and so is what makes a gate find another test command: who writes the work must not rewrite what
 * judges it. So is all that lies outside the directory that is worked on, or beside a plan that lies below it, and what links at
 * protected places lead to.
 */
export async function changedProtected(
  { phase, tree, start }: Attempt,
  { ports, recorder }: { ports: EnginePorts; recorder: Recorder },
): Promise<string[]> {
  const { plan, phases } = recorder.state;
  const from = phases.get(phase.id)?.baseTree ?? start;
  const changed = await ports.workspace.changed(from, tree);
  if (changed.length === 0) return [];
  const base = await ports.workspace.tree(from);
  // Also those of phases to come: what judges them is not this one's to write either.
  const gates = plan.phases.flatMap((each) => each.gates);
  const rewriting = gates.some(findsCommand)
    ? await rewritingCommand(changed, { base, tree: await ports.workspace.tree(tree) })
    : [];
  const patterns = protectedPatterns(plan);
  const isNamed = matcherOf([...patterns, ...patterns.flatMap(foldersAbove)]);
  const isProtected = await guardedThroughLinks(base, {
    isGuarded: (path) => isHome(path, plan) || isNamed(path),
    root: workedOn(ports.project.dir, plan),
  });
  const isDeclared = declaredBy(phase, plan);
  return changed
    .filter((path) => path.startsWith('../') || rewriting.includes(path) || isProtected(path))
    .filter((path) => !isDeclared(path))
    .slice(0, MAX_PATHS);
}

/** The directory that is worked on, as its user sees it: the project's own, or one above it. */
function workedOn(project: string, { workspace: { home } }: Plan): string {
  return home !== undefined && project.endsWith(`/${home}`) ? project.slice(0, -home.length - 1) : project;
}

/** What is changed in the place of a folder is a link or a file: all that lay below it has gone elsewhere. */
function foldersAbove(pattern: string): string[] {
  const names = posix.normalize(pattern).split('/');
  return names
    .slice(1)
    .map((_, index) => names.slice(0, index + 1).join('/'))
    .filter((folder) => !folder.includes('**'));
}
