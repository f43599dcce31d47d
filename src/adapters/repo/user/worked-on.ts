import { HelixError } from '../../../domain/helix-error.ts';
import type { Project } from '../../../ports/project.ts';

/**
 * The directory that a plan works on as it lies in the user's checkout, looked at anew each time: it may have become a link
 * meanwhile. Throws HelixError `config` where there is none.
 */
export async function workedOn(project: Project, root: string | undefined): Promise<Project> {
  const found = root === undefined ? { project } : await project.fromTop(root);
  if ('project' in found) return found.project;
  throw new HelixError('config', `workspace.root: ${JSON.stringify(root)} ${found.problem}`, {
    hint: 'Bring the directory back as it was, or start a new run with another root.',
  });
}
