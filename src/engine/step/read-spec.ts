import { posix } from 'node:path';
import { criteriaIn, type ReadCriterion } from '../../domain/documents/check-criteria.ts';
import { SpecFile } from '../../domain/documents/spec-file.ts';
import { lastTree } from '../../domain/facts/last-tree.ts';
import type { RunState, SpecChange } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { phasesBefore } from '../../domain/ladder/plan-graph.ts';
import { acceptanceCriteria, amendedSpec } from '../../domain/ladder/spec-changes.ts';
import type { SpecNow } from '../../domain/ladder/spec-updates.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
import type { Tree } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { yamlLibrary } from '../../text/yaml/yaml-library.ts';
import type { EnginePorts } from './engine-ports.ts';
import { readInput } from './read-input.ts';

const SPEC_FILE = 'spec.yaml';
const SPEC_BYTES = 256 * 1024;

type Around = {
  readonly ports: Pick<EnginePorts, 'workspace'> & { readonly project: Pick<Project, 'read'> };
  readonly state: RunState;
};

/** The specification as it stands now. */
export type Spec = {
  readonly now: SpecNow;
  /** As it can be shown: with all that was changed, unless it could not be read. */
  readonly text?: string;
  /** What was changed in it since the run began; in `now` and `text` already, if it could be read. */
  readonly changes: readonly SpecChange[];
  /** Its acceptance criteria, wherever they stand in it. */
  readonly criteria: readonly string[];
  /** The same with their ids. */
  readonly listed: readonly ReadCriterion[];
};

/**
 * The specification a phase goes by: what it was given, else what lies in what it works on or builds on, else that of the project;
 * with all that consultants and people have changed in it.
 */
export async function readSpec(phase: Phase, around: Around): Promise<Spec> {
  return amended(await writtenSpec(() => fromRun(phase, around), around), around.state);
}

/** The specification that work of a phase is judged by: whoever is not there to write it cannot have changed it on the way. */
export async function readSpecForJudge(phase: Phase, around: Around): Promise<Spec> {
  return amended(await writtenSpec(() => fromItsAuthors(phase, around), around), around.state);
}

type Written = { readonly now: SpecNow; readonly text?: string };

function amended({ now, text }: Written, { specChanges: changes }: RunState): Spec {
  if (now === 'unreadable') return { now, changes, criteria: [], listed: [], ...present({ text }) };
  const value = amendedSpec(now?.value, changes);
  const read = { criteria: acceptanceCriteria(value), listed: listedCriteria(value) };
  if (changes.length === 0) return { now, changes, ...read, ...present({ text }) };
  return { now: { value }, changes, ...read, text: yamlLibrary().stringify(value, { lineWidth: 0 }) };
}

/** Of a specification that is none in form, the criteria are words without ids. */
function listedCriteria(value: unknown): ReadCriterion[] {
  const read = SpecFile.safeParse(value ?? {});
  if (read.success) return criteriaIn(read.data);
  return criteriaIn({ acceptance_criteria: acceptanceCriteria(value) });
}

/** As it was written, whatever was decided since. */
async function writtenSpec(find: () => Promise<Buffer | undefined>, around: Around): Promise<Written> {
  try {
    const found = (await find()) ?? (await around.ports.project.read(SPEC_FILE, SPEC_BYTES));
    if (found === undefined) return { now: undefined };
    const text = typeof found === 'string' ? found : found.toString('utf8');
    const { value, complete } = parseYaml(text, SPEC_FILE);
    const readable = complete && found.length <= SPEC_BYTES;
    return { now: readable ? { value } : 'unreadable', text };
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return { now: 'unreadable' };
  }
}

async function fromRun(phase: Phase, { ports: { workspace }, state }: Around): Promise<Buffer | undefined> {
  const { plan, phases, tip } = state;
  const at = phases.get(phase.id);
  const given = await readInput(at?.current?.inputs ?? [], workspace)(SPEC_FILE, SPEC_BYTES + 1);
  if (given !== undefined) return given;
  const before = phasesBefore(phase, plan).toReversed();
  const newest = at && lastTree(at)?.tree;
  // In a repository a tree holds what all phases made, else only what its own phase did.
  const places = placesOf(tip === undefined ? [phase] : [phase, ...before]);
  for (const tree of [newest, tip?.tree]) {
    const found = tree === undefined ? undefined : await specIn(await workspace.tree(tree), places);
    if (found !== undefined) return found;
  }
  return fromEarlier(before, { workspace, phases });
}

/** The trees of accepted phases in which there is none: looked at once, because a tree never changes and phases are many. */
const WITHOUT_SPEC = new WeakMap<Workspace, WeakMap<Phase, string>>();

type Earlier = { readonly workspace: Workspace; readonly phases: RunState['phases'] };

async function fromEarlier(before: readonly Phase[], { workspace, phases }: Earlier): Promise<Buffer | undefined> {
  const without = WITHOUT_SPEC.get(workspace) ?? new WeakMap<Phase, string>();
  WITHOUT_SPEC.set(workspace, without);
  for (const phase of before) {
    const tree = phases.get(phase.id)?.accepted?.tree;
    if (tree === undefined || without.get(phase) === tree) continue;
    const found = await specIn(await workspace.tree(tree), placesOf([phase]));
    if (found !== undefined) return found;
    without.set(phase, tree);
  }
  return undefined;
}

/** The phases whose part it is to say what is wanted. */
const SPECIFYING: ReadonlySet<Phase['type']> = new Set(['meeting', 'consultant', 'planning']);

async function fromItsAuthors(phase: Phase, { ports: { workspace }, state }: Around): Promise<Buffer | undefined> {
  const { plan, phases, base, tip } = state;
  const at = phases.get(phase.id);
  const own = isAuthor(phase) ? at && lastTree(at)?.tree : undefined;
  const written = own === undefined ? undefined : await specIn(await workspace.tree(own), placesOf([phase]));
  const before = phasesBefore(phase, plan).toReversed().filter(isAuthor);
  const found = written ?? (await fromEarlier(before, { workspace, phases }));
  if (found !== undefined) return found;
  if (tip !== undefined) return base && specIn(await workspace.tree(base.tree), [SPEC_FILE]);
  const given = (at?.current?.inputs ?? []).filter(({ from }) => from.phase === undefined);
  return readInput(given, workspace)(SPEC_FILE, SPEC_BYTES + 1);
}

function isAuthor({ type, output }: Phase): boolean {
  return SPECIFYING.has(type) || output.files.some(isSpec);
}

function isSpec(path: string): boolean {
  return posix.basename(path) === SPEC_FILE;
}

async function specIn(tree: Tree, places: readonly string[]): Promise<Buffer | undefined> {
  for (const path of places) {
    const found = await tree.read(path, SPEC_BYTES + 1);
    if (found !== undefined) return found;
    if (tree.links?.some((link) => link.path === path))
      throw new HelixError('io', `${path} is a link that leads nowhere`);
  }
  return undefined;
}

function placesOf(phases: readonly Phase[]): string[] {
  const own = phases.flatMap(({ output: { directory, files } }) => [
    posix.join(directory, SPEC_FILE),
    ...files.filter(isSpec),
  ]);
  return [...new Set([SPEC_FILE, ...own])];
}
