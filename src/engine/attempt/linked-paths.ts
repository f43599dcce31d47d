import { posix } from 'node:path';
import type { Tree } from '../../ports/tree.ts';

const MAX_STEPS = 16;
/** A project with more links than these at protected places is none that HELIX knows. */
const MAX_LINKS = 1000;
const MAX_NAMES = 1000;

type Link = { readonly path: string; readonly target: string };

/**
 * Tells whether a path is guarded by its own name or by one under which a link of a tree shows it: what a protected link
 * leads to is read in its place. `root` is the directory that absolute links are seen from.
 */
export async function guardedThroughLinks(
  tree: Tree,
  { isGuarded, root }: { readonly isGuarded: (path: string) => boolean; readonly root: string },
): Promise<(path: string) => boolean> {
  const links = await relevantLinks(tree, isGuarded, root);
  return (path) => isGuarded(path) || (links.length > 0 && namesOf(path, links).some(isGuarded));
}

/** Every name a path has by way of links, as far as they can be followed. */
function namesOf(path: string, links: readonly Link[]): string[] {
  const names = new Set([path]);
  for (const name of names) {
    if (names.size > MAX_NAMES) break;
    for (const link of links) if (isAt(name, link.target)) names.add(link.path + name.slice(link.target.length));
  }
  return [...names];
}

/** The links at guarded places, and those on the way to where they lead. */
async function relevantLinks(tree: Tree, isGuarded: (path: string) => boolean, root: string): Promise<Link[]> {
  const waiting = new Set((tree.links ?? []).map(({ path }) => path));
  const found: Link[] = [];
  const isOnTheWay = (path: string) =>
    isGuarded(path) || found.some(({ target }) => isAt(target, path) || isAt(path, target));
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = [...waiting].filter(isOnTheWay).slice(0, MAX_LINKS - found.length);
    if (next.length === 0) break;
    for (const path of next) {
      waiting.delete(path);
      const target = (await tree.target?.(path)) ?? '';
      found.push({ path, target: placeOf(path, target, root) });
    }
  }
  return found;
}

function placeOf(path: string, target: string, root: string): string {
  const place = target.startsWith('/') ? posix.relative(root, target) : posix.join(posix.dirname(path), target);
  return place.replace(/\/$/, '');
}

/** Tells whether a path is a place or lies below it. */
function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
