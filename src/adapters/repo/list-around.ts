import type { Project } from '../../ports/project.ts';
import { listSome } from '../disk/list-project.ts';
import { Git } from './git/git.ts';
import { listWorkTree } from './user/list-work-tree.ts';
import { UserRepository } from './user/user-repository.ts';

/** The files of a project that work is done beside: in a repository what git knows or does not ignore. */
export async function listAround(project: Project, marker: string): Promise<readonly string[]> {
  if (!(await project.inGit())) return listSome(project.dir);
  const user = await UserRepository.open(new Git(process.env, marker), project.dir);
  return (await listWorkTree(user)).files;
}
