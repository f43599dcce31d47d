import { readingBy } from '../../plan/read/reading-by.ts';
import type { Project } from '../../ports/project.ts';

/** A project that has a plan and a request although no file of either lies there; all else is as its owner left it. */
export function taskProject(project: Project, texts: Readonly<Record<string, string>>): Project {
  return readingBy(
    async (path, limit) => (Object.hasOwn(texts, path) ? texts[path] : project.read(path, limit)),
    project,
  );
}
