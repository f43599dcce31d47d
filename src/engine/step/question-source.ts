import type { LinkedSource } from '../../approval/linked-files.ts';
import type { QuestionSource } from '../../approval/make-question.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
import type { Tree } from '../../ports/tree.ts';
import type { World } from '../../ports/world.ts';
import type { EnginePorts } from './engine-ports.ts';
import { besidePlan } from './worked.ts';

/** The project's own files, before any agent works. */
export function projectSource({
  project,
  shippedApproval,
}: Pick<World, 'project' | 'shippedApproval'>): LinkedSource & Pick<QuestionSource, 'shipped'> {
  return { ...projectFiles(project), shipped: (type) => shippedApproval(type) };
}

/** The project's files and links as they lie there. */
export function projectFiles(project: Pick<Project, 'read' | 'match' | 'links' | 'target'>): LinkedSource {
  return {
    read: (path, limit) => project.read(path, limit),
    list: (folder) => project.match(`${folder}/**`),
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
  };
}

type Places = {
  readonly ports: Pick<EnginePorts, 'project' | 'shippedApproval' | 'conventions' | 'workspace'>;
  readonly state: RunState;
};

/** What a run's judges are told comes from where no agent of the run has a hand in it: the tree it began with, or the project itself. */
export async function questionSource({ ports, state }: Places): Promise<QuestionSource> {
  const told = {
    ...projectSource(ports),
    conventions: await ports.conventions([]),
    ...present({ language: state.language }),
  };
  if (state.guidelines === undefined) return told;
  return { ...told, ...treeSource(await ports.workspace.tree(state.guidelines), state.plan.workspace) };
}

/** What lay beside the plan when a run began. */
export function treeSource(tree: Tree, settings: Plan['workspace']): LinkedSource {
  const at = (folder: string) => besidePlan(settings, folder);
  const named = (paths: readonly string[]) => paths.map((path) => path.slice(at('x').length - 1));
  const below = (folder: string, found: readonly { readonly path: string }[] = []) =>
    found.map(({ path }) => path).filter((path) => path.startsWith(`${at(folder)}/`));
  return {
    read: async (path, limit) => (await tree.read(at(path), limit))?.toString('utf8'),
    list: async (folder) => named([...below(folder, tree.files), ...below(folder, tree.outside)]),
    links: async (folder) => {
      const itself = tree.links?.some(({ path }) => path === at(folder)) ? [at(folder)] : [];
      return named([...itself, ...below(folder, tree.links)]);
    },
    target: async (path) => tree.target?.(at(path)),
  };
}
