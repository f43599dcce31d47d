import type { Project } from '../../ports/project.ts';

/** A project that has a plan and a request although no file of either lies there; all else is as its owner left it. */
export function taskProject(project: Project, texts: Readonly<Record<string, string>>): Project {
  return {
    dir: project.dir,
    read: async (path, limit) => (Object.hasOwn(texts, path) ? texts[path] : project.read(path, limit)),
    match: (pattern) => project.match(pattern),
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
    hasDirectory: (path) => project.hasDirectory(path),
    inGit: () => project.inGit(),
    fromTop: (path) => project.fromTop(path),
  };
}
