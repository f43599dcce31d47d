import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isDenied } from './make-accessible.ts';

const REPLACED_FOLDER = new Set(['ENOTDIR', 'ELOOP']);

/** Remembers how files lie in a directory; the result tells which of them were written, replaced, removed or otherwise touched since. */
export function watchFiles(dir: string, paths: readonly string[]): () => readonly string[] {
  const before = paths.map((path) => stampOf(join(dir, path)));
  return () => paths.filter((path, index) => stampOf(join(dir, path)) !== before[index]);
}

/** The time of change tells of a write, too, whose author has set the other times back. */
function stampOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!isDenied(error) && !REPLACED_FOLDER.has(code)) throw error;
    return code;
  }
}
