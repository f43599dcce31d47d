import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import type { ProjectFiles } from '../../gates/gate/gate-context.ts';
import type { Tree } from '../../ports/tree.ts';
import type { EnginePorts } from '../step/engine-ports.ts';

/** Where phases work, beside the project. */
const WORK = /^phases\//;

type Judged = { readonly tree: Tree; readonly inputs: readonly InputFile[] };
type Places = Pick<EnginePorts, 'workspace' | 'project'>;

/** The files of the project as a run began, and those that its phases have made since, by their paths. */
export async function projectFiles(
  { tree, inputs }: Judged,
  state: RunState,
  { workspace, project }: Places,
): Promise<ProjectFiles | undefined> {
  const accepted = [...state.phases.values()].flatMap((each) => each.accepted?.tree ?? []);
  const others = state.tip === undefined ? accepted.filter((id) => id !== tree.id) : [];
  const made = [tree, ...(await Promise.all([...new Set(others)].map((id) => workspace.tree(id))))];
  const inRepository = state.tip !== undefined && state.base !== undefined;
  const before = inRepository ? await workspace.tree(state.base.tree) : undefined;
  return filesAround({ made, inputs, ...present({ before }) }, project);
}

type Around = { readonly made: readonly Tree[]; readonly inputs: readonly InputFile[]; readonly before?: Tree };

/** The files of a tree, else of the project as it lies there beside the directories of phases, and those that were made since. */
export async function filesAround(
  { made, inputs, before }: Around,
  project: Places['project'],
): Promise<ProjectFiles | undefined> {
  const since = [...made.flatMap(pathsOf), ...inputs.map(({ path }) => path)];
  if (before !== undefined) return { before: pathsOf(before), since };
  try {
    return { before: (await project.match('**')).filter((path) => !WORK.test(path)), since };
  } catch (error) {
    if (error instanceof HelixError && error.code === 'io') return undefined;
    throw error;
  }
}

function pathsOf({ files, outside = [], links = [] }: Tree): string[] {
  return [...files, ...outside, ...links].map(({ path }) => path);
}
