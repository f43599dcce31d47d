import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

const DEPTH = 6;

/** The directories below one that fit, none inside another that does; links are not followed. */
export function listDirectories(root: string, fits: (path: string) => boolean): string[] {
  const found: string[] = [];
  const queue = [''];
  for (let dir = queue.pop(); dir !== undefined; dir = queue.pop()) {
    for (const item of readdirSync(join(root, dir), { withFileTypes: true })) {
      const path = posix.join(dir, item.name);
      if (!item.isDirectory() || item.name === '.git') continue;
      if (fits(path)) found.push(path);
      else if (item.name !== 'node_modules' && path.split('/').length < DEPTH) queue.push(path);
    }
  }
  return found.sort();
}
