import { posix } from 'node:path';
import type { Plan } from '../../domain/plan/plan.ts';
import { setUpPrograms } from '../../domain/plan/set-up-programs.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import type { Project } from '../../ports/project.ts';
import type { Tree } from '../../ports/tree.ts';

type Settings = Plan['workspace'];

/** The directory that a plan works on as it lies in the user's checkout; undefined where its root is no directory there (any more). */
export async function workedIn<P extends Pick<Project, 'fromTop'>>(
  project: P,
  { root }: Settings,
): Promise<P | Project | undefined> {
  if (root === undefined) return project;
  const found = await project.fromTop(root);
  return 'problem' in found ? undefined : found.project;
}

/** A path that belongs to the plan, as the directory that is worked on sees it. */
export function besidePlan({ home = '' }: Settings, path: string): string {
  return posix.join(home, path);
}

type Surroundings = Pick<GateContext, 'projectFile' | 'settingsFile' | 'binaries'>;

/** What gates find beside the judged tree: texts of what is worked on and of what lies beside the plan, and what set-up installed. */
export function gateTexts(project: Project, settings: Settings, base: Tree): Surroundings {
  return {
    binaries: setUpPrograms(settings),
    projectFile: async (path, limit) => (await workedIn(project, settings))?.read(path, limit),
    settingsFile: async (path, limit) =>
      (await base.read(besidePlan(settings, path), limit))?.toString('utf8') ?? project.read(path, limit),
  };
}
