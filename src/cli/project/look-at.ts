import { Git, nulSeparated } from '../../adapters/repo/git/git.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Look } from '../../gates/detect/place.ts';
import type { Project } from '../../ports/project.ts';
import type { World } from '../../ports/world.ts';

const LIST = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const FILE_LIMIT = 1024 * 1024;

/** The files of a project as a phase will find them: what git ignores is left out. */
export async function lookAt({ project, marker }: Pick<World, 'project' | 'marker'>): Promise<Look> {
  return {
    paths: (await tracked(project, marker)) ?? (await project.match('**')),
    read: (path) => readable(() => project.read(path, FILE_LIMIT)),
  };
}

/** Undefined where git cannot tell, or is not there. */
function tracked(project: Project, marker: string): Promise<readonly string[] | undefined> {
  return readable(async () => {
    const { out } = await new Git(process.env, marker).run(LIST, { cwd: project.dir });
    return [...new Set(nulSeparated(out).map((path) => path.toString('utf8')))];
  });
}

/** What cannot be read tells nothing; that is no reason to stop. */
async function readable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HelixError) return undefined;
    throw error;
  }
}
