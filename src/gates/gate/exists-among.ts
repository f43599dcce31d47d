import { posix } from 'node:path';

/** Tells whether one of the paths, or a folder any of them lies in, is at a path. */
export function existsAmong(paths: readonly string[]): (path: string) => boolean {
  let known: Set<string> | undefined;
  return (path) => {
    known ??= withFolders(paths);
    return known.has(path);
  };
}

function withFolders(paths: readonly string[]): Set<string> {
  const known = new Set(['.', ...paths]);
  for (const path of paths) {
    for (let folder = posix.dirname(path); !known.has(folder); folder = posix.dirname(folder)) known.add(folder);
  }
  return known;
}
