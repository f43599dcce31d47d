import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** The object stores that the git of a worktree reads besides its own, without which it finds no history. */
export function gitStoresOf(dir: string): string[] {
  for (let at = dir; dirname(at) !== at; at = dirname(at)) {
    const objects = join(at, '.git', 'objects');
    if (existsSync(objects)) return borrowed(objects);
  }
  return [];
}

function borrowed(objects: string): string[] {
  const file = join(objects, 'info', 'alternates');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(isAbsolute) : [];
}
