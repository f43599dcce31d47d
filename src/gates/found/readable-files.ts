import { posix } from 'node:path';
import type { Tree } from '../../ports/tree.ts';
import { linkFollower } from './follow-links.ts';

const MAX_ROUNDS = 3;
const MAX_ADDED = 10_000;

/** The digests of all that can be read in a tree, by path: its files, its links, and what lies behind these. */
export async function readableFiles(tree: Tree): Promise<Map<string, string>> {
  const readable = new Map(tree.files.map(({ path, digest }) => [path, digest]));
  const links = tree.links ?? [];
  if (links.length === 0) return readable;
  const follow = await linkFollower(tree);
  const linksTo = new Map<string, string[]>();
  for (const { path } of links) {
    const target = follow(path);
    if (!readable.has(path)) readable.set(path, `-> ${target}`);
    linksTo.set(target, [...(linksTo.get(target) ?? []), path]);
  }
  const most = readable.size + MAX_ADDED;
  for (let [round, open] = [0, [...readable]]; round < MAX_ROUNDS && open.length > 0; round += 1) {
    const added: [string, string][] = [];
    for (const [path, digest] of open)
      for (const seen of seenAs(path, linksTo)) if (!seen.startsWith('../')) added.push([seen, digest]);
    open = added.filter(([path, digest]) => readable.get(path) !== digest).slice(0, most - readable.size);
    for (const [path, digest] of open) readable.set(path, digest);
  }
  return readable;
}

/** The other paths of a file: by links that lead to it, or to a folder above it. */
function seenAs(path: string, linksTo: ReadonlyMap<string, readonly string[]>): string[] {
  const seen: string[] = [];
  for (let at = path; at !== '.' && at !== '/' && at !== '..'; at = posix.dirname(at))
    for (const link of linksTo.get(at) ?? []) seen.push(link + path.slice(at.length));
  for (const link of linksTo.get('.') ?? []) seen.push(posix.join(link, path));
  return seen;
}
