import type { QuestionSource } from '../../approval/make-question.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Tree } from '../../ports/tree.ts';
import type { World } from '../../ports/world.ts';
import type { EnginePorts } from './engine-ports.ts';

/** The project's own files, before any agent works. */
export function projectSource({
  project,
  shippedApproval,
}: Pick<World, 'project' | 'shippedApproval'>): Pick<QuestionSource, 'read' | 'list' | 'links' | 'shipped'> {
  return {
    read: (path, limit) => project.read(path, limit),
    list: (folder) => project.match(`${folder}/**`),
    links: (folder) => project.links(folder),
    shipped: (type) => shippedApproval(type),
  };
}

type Places = { readonly ports: EnginePorts; readonly state: RunState };

/** What a run's judges are told comes from where no agent of the run has a hand in it: the tree it began with, or the project itself. */
export async function questionSource({ ports, state }: Places): Promise<QuestionSource> {
  const told = {
    ...projectSource(ports),
    conventions: await ports.conventions([]),
    language: state.language ?? 'en',
  };
  return { ...told, ...(state.guidelines !== undefined && treeSource(await ports.workspace.tree(state.guidelines))) };
}

/** What was frozen when a run began. */
export function treeSource(tree: Tree): Pick<QuestionSource, 'read' | 'list' | 'links'> {
  return {
    read: async (path, limit) => (await tree.read(path, limit))?.toString('utf8'),
    list: async (folder) => tree.files.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`)),
    links: async (folder) =>
      (tree.links ?? []).map(({ path }) => path).filter((path) => path === folder || path.startsWith(`${folder}/`)),
  };
}
