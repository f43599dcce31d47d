import { posix } from 'node:path';
import { lastTree } from '../../domain/facts/last-tree.ts';
import type { RunState, SpecChange } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { followersOf } from '../../domain/ladder/amend.ts';
import { acceptanceCriteria, amendedSpec } from '../../domain/ladder/spec-changes.ts';
import type { SpecNow } from '../../domain/ladder/spec-updates.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
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
type Source = { readonly tree: string; readonly places: readonly string[] };

/** The specification as it stands now. */
export type Spec = {
  readonly now: SpecNow;
  /** As it can be shown: with all that was changed, unless it could not be read. */
  readonly text?: string;
  /** What was changed in it since the run began; in `now` and `text` already, if it could be read. */
  readonly changes: readonly SpecChange[];
  /** Its acceptance criteria, wherever they stand in it. */
  readonly criteria: readonly string[];
};

/**
 * The specification a phase goes by: what it was given, else what lies in what it works on or builds on, else that of the project;
 * with all that consultants and people have changed in it.
 */
export async function readSpec(phase: Phase, around: Around): Promise<Spec> {
  const { specChanges: changes } = around.state;
  const { now, text } = await writtenSpec(phase, around);
  if (now === 'unreadable') return { now, changes, criteria: [], ...present({ text }) };
  const value = amendedSpec(now?.value, changes);
  const criteria = acceptanceCriteria(value);
  if (changes.length === 0) return { now, changes, criteria, ...present({ text }) };
  return { now: { value }, changes, criteria, text: yamlLibrary().stringify(value, { lineWidth: 0 }) };
}

/** As it was written, whatever was decided since. */
async function writtenSpec(phase: Phase, around: Around): Promise<{ readonly now: SpecNow; readonly text?: string }> {
  try {
    const found = (await fromRun(phase, around)) ?? (await around.ports.project.read(SPEC_FILE, SPEC_BYTES));
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
  const inputs = state.phases.get(phase.id)?.current?.inputs ?? [];
  const given = await readInput(inputs, workspace)(SPEC_FILE, SPEC_BYTES + 1);
  if (given !== undefined) return given;
  for (const { tree: id, places } of sourcesOf(phase, state)) {
    const tree = await workspace.tree(id);
    for (const path of places) {
      const found = await tree.read(path, SPEC_BYTES + 1);
      if (found !== undefined) return found;
      if (tree.links?.some((link) => link.path === path))
        throw new HelixError('io', `${path} is a link that leads nowhere`);
    }
  }
  return undefined;
}

/** The trees a specification can lie in, newest first, each with the places to look at. */
function sourcesOf(phase: Phase, { plan, phases, tip }: RunState): Source[] {
  const before = plan.phases.filter(({ id }) => id !== phase.id && followersOf(id, plan).has(phase.id)).toReversed();
  const at = phases.get(phase.id);
  const newest = at && lastTree(at)?.tree;
  // In a repository a tree holds what all phases made, else only what its own phase did.
  const places = placesOf(tip === undefined ? [phase] : [phase, ...before]);
  const sources = [newest, tip?.tree].flatMap((tree) => (tree === undefined ? [] : [{ tree, places }]));
  for (const each of before) {
    const tree = phases.get(each.id)?.accepted?.tree;
    if (tree !== undefined) sources.push({ tree, places: placesOf([each]) });
  }
  return sources;
}

function placesOf(phases: readonly Phase[]): string[] {
  const own = phases.flatMap(({ output: { directory, files } }) => [
    posix.join(directory, SPEC_FILE),
    ...files.filter((file) => posix.basename(file) === SPEC_FILE),
  ]);
  return [...new Set([SPEC_FILE, ...own])];
}
