import type { Project } from '../../ports/project.ts';
import type { Tree } from '../../ports/tree.ts';
import { globMatcher, globProblem } from '../../text/glob.ts';
import { normalisePath } from '../../text/safe-path.ts';

/** A project together with what its run has made so far and nobody has merged yet. */
export function withTree(project: Project, tree: Tree): Project {
  return {
    dir: project.dir,
    read: (path, limit) => project.read(path, limit),
    match: async (pattern) => {
      const usable = globProblem(pattern) === undefined;
      const matches = usable ? globMatcher(normalisePath(pattern)) : () => false;
      const made = tree.files.map(({ path }) => path).filter(matches);
      return made.length > 0 ? made : project.match(pattern);
    },
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
    hasDirectory: async (path) =>
      tree.files.some((file) => file.path.startsWith(`${path}/`)) || (await project.hasDirectory(path)),
    inGit: () => project.inGit(),
    fromTop: (path) => project.fromTop(path),
  };
}
