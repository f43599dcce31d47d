import { sep } from 'node:path';

/** Tells whether a path is a directory or lies below it; both are taken as they are written. */
export function isBelow(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`);
}
