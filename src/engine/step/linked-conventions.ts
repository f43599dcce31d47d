import { type LinkedSource, linkedFiles } from '../../approval/linked-files.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Tree } from '../../ports/tree.ts';

/** Where skills and roles lie that may be links to elsewhere in the project. */
const FOLDERS = ['skills', '.claude/skills', '.agents/skills', '.claude/agents'];

/**
 * Where the files lie that are skills and roles by way of a link, by the paths they have there. A link that leads out of the project, or
 * nowhere, is passed over: nothing is read through it. What lies in one of these folders itself is not told twice.
 */
export async function linkedConventions(source: LinkedSource): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const told = new Set((await Promise.all(FOLDERS.map((folder) => source.list(folder)))).flat());
  for (const folder of FOLDERS) {
    const links = [folder, ...((await source.links?.(folder)) ?? [])];
    for (const link of new Set(links)) {
      for (const [path, real] of await behind(folder, link, source)) {
        if (path === real || told.has(real)) continue;
        told.add(real);
        found.set(path, real);
      }
    }
  }
  return found;
}

async function behind(folder: string, link: string, source: LinkedSource): Promise<ReadonlyMap<string, string>> {
  try {
    return await linkedFiles(folder, source, (path) => path === link || path.startsWith(`${link}/`));
  } catch (error) {
    if (error instanceof HelixError && error.code === 'config') return new Map();
    throw error;
  }
}

/** A tree's files and links, by their paths in it. */
export function linksOf(tree: Tree): LinkedSource {
  const below = (folder: string, found: readonly { readonly path: string }[] = []) =>
    found.map(({ path }) => path).filter((path) => path === folder || path.startsWith(`${folder}/`));
  return {
    read: async (path, limit) => (await tree.read(path, limit))?.toString('utf8'),
    list: async (folder) => below(folder, tree.files),
    links: async (folder) => below(folder, tree.links),
    target: async (path) => tree.target?.(path),
  };
}
