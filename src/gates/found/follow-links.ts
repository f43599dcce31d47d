import { posix } from 'node:path';
import type { Tree } from '../../ports/tree.ts';

const MAX_LINKS = 1000;
const MAX_STEPS = 20;

/** Reads where the links of a tree lead; the result tells what lies behind a path, all links on the way followed. */
export async function linkFollower(tree: Tree): Promise<(path: string) => string> {
  const targets = new Map<string, string>();
  for (const { path } of (tree.links ?? []).slice(0, MAX_LINKS)) {
    const target = await tree.target?.(path);
    if (target !== undefined) targets.set(path, posix.normalize(posix.join(posix.dirname(path), target)));
  }
  if (targets.size === 0) return (path) => path;
  return (path) => {
    let at = path;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const names = at.split('/');
      const length = names.findIndex((_, index) => targets.has(names.slice(0, index + 1).join('/')));
      if (length === -1) break;
      const [link, rest] = [names.slice(0, length + 1).join('/'), names.slice(length + 1)];
      at = posix.normalize(posix.join(targets.get(link) ?? '', ...rest));
    }
    return at;
  };
}
