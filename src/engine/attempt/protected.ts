import { posix } from 'node:path';
import { planFileOf } from '../../domain/growing/growing-phase.ts';
import { isGrown } from '../../domain/growing/growth-state.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { guardedOutputHarm } from '../../domain/plan/trust.ts';
import { growsPlan } from '../../domain/plan-growth.ts';
import { isTestSetting } from '../../gates/commands/former-settings.ts';
import { isDeciding, type Rewritten, rewritingCommand, runsWritten } from '../../gates/found/found-command.ts';
import type { Tree } from '../../ports/tree.ts';
import { isGlob } from '../../text/glob.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { gatePrograms, mayName } from './gate-programs.ts';
import { guardedThroughLinks } from './linked-paths.ts';
import { foldersAbove, isHome, matcherOf } from './protected-paths.ts';

/** One more than is ever shown, so that it is known when there are more. */
const MAX_PATHS = 201;

type Attempt = { readonly phase: Phase; readonly tree: string; readonly start: string };

/** What an attempt's end says about protected paths, if there is anything to say. */
type Trespass = {
  readonly protected?: string[];
  /** What gates ran, and what they would run now. */
  readonly foundCommand?: { readonly before: string; readonly after: string };
};

/**
 * The protected paths a phase has changed since it began, but for those the plan names as its
 * output, which is shown before it is trusted. What a gate's command names
 * is protected, too, and so is what makes a gate find another test command: who writes the work must not rewrite what
 * judges it. So is all that lies outside the directory that is worked on, or beside a plan that lies below it, and what links at
 * protected places lead to.
 */
export async function changedProtected(
  { phase, tree, start }: Attempt,
  { ports, recorder }: Pick<StepContext, 'ports' | 'recorder'>,
): Promise<Trespass> {
  const { plan, phases } = recorder.state;
  const from = phases.get(phase.id)?.baseTree ?? start;
  const changed = await ports.workspace.changed(from, tree);
  if (changed.length === 0) return {};
  // Also those of phases to come: what judges them is not this one's to write either.
  const gates = plan.phases.flatMap((each) => each.gates);
  const trees = { base: await ports.workspace.tree(from), tree: await ports.workspace.tree(tree) };
  const declared = guardedOutputs(phase, plan);
  const isDeclared = isGrown(phase.id, recorder.state) ? itsPlan(phase) : (path: string) => declared.includes(path);
  const rewriting = await rewritingCommand(changed, { ...trees, gates });
  const guilty = new Set(rewriting?.files.filter((path) => !isDeclared(path)));
  const programs = await gatePrograms(gates, trees.base);
  const isNamed = namedIn(plan);
  const isAbove = matcherOf(plan.protected.flatMap(foldersAbove));
  const isPlain = plainFiles(trees);
  const isOfSkill = skillFiles(trees);
  const exact = new Set([...programs, ...programs.flatMap(foldersAbove)]);
  const isProtected = await guardedThroughLinks(trees.base, {
    isGuarded: (path) => isNamed(path) || exact.has(path) || isOfSkill(path) || (isAbove(path) && !isPlain(path)),
    root: workedOn(ports.project.dir, plan),
  });
  const found = changed
    .filter((path) => path.startsWith('../') || guilty.has(path) || isProtected(path))
    .filter((path) => !isDeclared(path));
  if (found.length === 0) return {};
  return { protected: found.slice(0, MAX_PATHS), ...(guilty.size > 0 && rewriting && commandsOf(rewriting)) };
}

/** What an agent declared for a phase is no leave of the user's; only what the plan grows by is looked at in another way. */
function itsPlan(phase: Phase): (path: string) => boolean {
  return (path) => growsPlan(phase) && path === planFileOf(phase);
}

function commandsOf({ before, after }: Rewritten): Pick<Trespass, 'foundCommand'> {
  return { foundCommand: { before, after } };
}

/** The directory that is worked on, as its user sees it: the project's own, or one above it. */
function workedOn(project: string, { workspace: { home } }: Plan): string {
  return home !== undefined && project.endsWith(`/${home}`) ? project.slice(0, -home.length - 1) : project;
}

/**
 * What a phase may write although it is guarded: outputs its plan names one by one, which its user trusted one by one. A
 * pattern takes no protection away.
 */
export function guardedOutputs({ output: { directory, files } }: Phase, plan: Plan): string[] {
  const named = [...files, ...files.map((file) => posix.join(directory, file))]
    .map((file) => posix.normalize(file))
    .filter((file) => !isGlob(file) && !file.startsWith('../'));
  const gates = plan.phases.flatMap((phase) => phase.gates);
  const decides = gates.some(runsWritten);
  const isTested = gates.some(({ type }) => type === 'tests_pass');
  const isNamed = namedIn(plan);
  const isGuarded = (path: string) =>
    isNamed(path) ||
    (decides && isDeciding(path)) ||
    (isTested && isTestSetting(path)) ||
    gates.some((gate) => mayName(gate, path));
  return [...new Set(named)].filter(isGuarded);
}

/** The lines of outputs that protect no more what they name. */
export function guardedOutputHarms(plan: Plan): string[] {
  return plan.phases.flatMap((phase) => guardedOutputs(phase, plan).map((path) => guardedOutputHarm(phase.id, path)));
}

type Trees = { readonly base: Tree; readonly tree: Tree };

/** A file such as `skills/jump.ts` lies beside protected folders: were it in the place of one, what lay there would be changed, too. */
function plainFiles({ base, tree }: Trees): (path: string) => boolean {
  const files = new Set([...base.files, ...tree.files].map(({ path }) => path));
  const links = new Set([...(base.links ?? []), ...(tree.links ?? [])].map(({ path }) => path));
  return (path) => files.has(path) && !links.has(path);
}

const SKILL = /^(skills\/[^/]+\/)SKILL\.md$/;

/** What lies in the folder of a skill is part of it: agents read it, and run what it tells them to. */
function skillFiles({ base, tree }: Trees): (path: string) => boolean {
  const paths = [base, tree].flatMap(({ files, links = [] }) => [...files, ...links]).map(({ path }) => path);
  const folders = [...new Set(paths.flatMap((path) => SKILL.exec(path)?.[1] ?? []))];
  return (path) => folders.some((folder) => path.startsWith(folder));
}

/** What a plan protects by its patterns and by where it lies. */
function namedIn(plan: Plan): (path: string) => boolean {
  const isNamed = matcherOf(plan.protected);
  return (path) => isHome(path, plan) || isNamed(path);
}
