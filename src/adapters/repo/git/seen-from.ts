import { posix } from 'node:path';

/**
 * A path of a repository as a directory in it sees it, `../` for what lies outside. What stands in the place of that
 * directory, or of one above it, lies outside, too: it has a name there and not just dots.
 */
export function seenFrom(directory: string, path: string): string {
  if (directory === '' || path.startsWith(`${directory}/`))
    return path.slice(directory === '' ? 0 : directory.length + 1);
  return posix.join(posix.relative(directory, posix.dirname(path)), posix.basename(path));
}
