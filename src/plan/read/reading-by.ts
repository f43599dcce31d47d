import type { Project } from '../../ports/project.ts';

/** A project some of whose files are read elsewhere; all else is as its owner left it. */
export function readingBy(read: Project['read'], project: Project): Project {
  return {
    dir: project.dir,
    read,
    match: (pattern) => project.match(pattern),
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
    hasDirectory: (path) => project.hasDirectory(path),
    inGit: () => project.inGit(),
    fromTop: (path) => project.fromTop(path),
  };
}
