import { dirname, sep } from 'node:path';
import { type AdrFile, readAdrFile, unreadable } from '../../adapters/adrs/read-adr-file.ts';
import { realPath } from '../../adapters/adrs/walk-adr-folder.ts';
import { repositoryRoot } from '../call/nearest-project.ts';

/** Reads a file that the user named, unless its repository makes something else of that name: a link that leads out of it is not followed. */
export function readNamedFile(file: string, path: string): AdrFile {
  const root = repositoryRoot(dirname(file));
  if (root === undefined || realPath(file).startsWith(realPath(root) + sep)) return readAdrFile(file, path);
  return unreadable(path, {
    message: 'it is a link, or lies behind one, that leads out of its repository; it is not followed',
    hint: 'Name the file it leads to.',
  });
}
