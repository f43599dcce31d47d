import { present } from '../domain/present.ts';
import type { JudgingWorld } from '../ports/judging-world.ts';
import type { Project } from '../ports/project.ts';
import { approvalFolder } from './judging/approval-folder.ts';
import { pinProject } from './repo/project-snapshot.ts';
import { openWorld } from './world.ts';

/** The world of a project for an approval outside of any run: whoever is judged has no say in the models either. */
export function openJudgingWorld(project: Project, { script }: { readonly script?: string } = {}): JudgingWorld {
  let before: Pick<Project, 'read'> = project;
  const world = openWorld(project, {
    ...present({ script }),
    models: { read: (path, limit) => before.read(path, limit) },
  });
  return {
    ...world,
    pin: async (pinning) => {
      const tools = { processes: await world.processes(), env: world.env };
      const pinned = await pinProject({ project: project.dir, ...pinning }, tools);
      before = pinned.before;
      return pinned;
    },
    approvalFolder: (id) => approvalFolder(project.dir, id),
  };
}
