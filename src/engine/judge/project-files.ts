import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Step } from '../../domain/run/decide.ts';
import type { ProjectFiles } from '../../gates/gate/gate-context.ts';
import type { Tree } from '../../ports/tree.ts';
import type { EnginePorts } from '../step/engine-ports.ts';

/** Where phases work, beside the project. */
const WORK = /^phases\//;

type JudgeStep = Pick<Extract<Step, { do: 'judge' }>, 'phase' | 'tree'>;
type Around = { readonly ports: Pick<EnginePorts, 'workspace' | 'project'>; readonly state: RunState };

/** The files of the project as the run began, and those that its phases have made since, by their paths. */
export async function projectFiles(
  { phase, tree }: JudgeStep,
  { ports, state }: Around,
): Promise<ProjectFiles | undefined> {
  const { workspace, project } = ports;
  const accepted = [...state.phases.values()].flatMap((each) => each.accepted?.tree ?? []);
  const inputs = state.phases.get(phase.id)?.current?.inputs ?? [];
  const made = await Promise.all(
    [...new Set([tree, ...(state.tip === undefined ? accepted : [])])].map((id) => workspace.tree(id)),
  );
  const since = [...made.flatMap(pathsOf), ...inputs.map(({ path }) => path)];
  if (state.tip !== undefined && state.base !== undefined) {
    return { before: pathsOf(await workspace.tree(state.base.tree)), since };
  }
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
