import {
  CONVENTION_GLOBS,
  type ConventionSource,
  type Conventions,
  isConvention,
  readConventions,
} from '../../brief/conventions.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import { linkedConventions, linksOf } from './linked-conventions.ts';
import { projectFiles } from './question-source.ts';

const LIMIT = 256 * 1024;

type Places = {
  readonly state: RunState;
  readonly workspace: Workspace;
  readonly project: Project;
  readonly shippedSkills: World['shippedSkills'];
};

/**
 * What the project's owner wrote for agents, with the skills that are named: in a repository as it was where the run began,
 * so that no agent has a hand in it. Looked for once.
 */
export function conventionsOf(places: Places): (skills: readonly string[]) => Promise<Conventions> {
  const { guidelines } = places.state;
  let source: Promise<ConventionSource> | undefined;
  return async (skills) => {
    source ??= guidelines === undefined ? inProject(places) : inTree(guidelines, places);
    return readConventions(await source, skills, places.shippedSkills());
  };
}

async function inTree(id: string, { workspace }: Places): Promise<ConventionSource> {
  const tree = await workspace.tree(id);
  const sizes = new Map(tree.files.map(({ path, size }) => [path, size]));
  const linked = await linkedConventions(linksOf(tree));
  const isFit = ([path, real]: readonly [string, string]) => isConvention(path) && (sizes.get(real) ?? 0) <= LIMIT;
  const all = [...tree.files.map(({ path }) => [path, path] as const), ...linked];
  return {
    paths: all.filter(isFit).map(([path]) => path),
    read: async (path) => (await tree.read(linked.get(path) ?? path, LIMIT))?.toString('utf8'),
  };
}

async function inProject({ project }: Places): Promise<ConventionSource> {
  const found = await Promise.all(CONVENTION_GLOBS.map((glob) => project.match(glob)));
  const linked = await linkedConventions(projectFiles(project));
  const paths = new Set([...found.flat(), ...[...linked.keys()].filter(isConvention)]);
  return { paths: [...paths], read: (path) => project.read(linked.get(path) ?? path, LIMIT) };
}
