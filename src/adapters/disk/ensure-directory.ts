import { lstatSync, mkdirSync } from 'node:fs';
import { HelixError } from '../../domain/helix-error.ts';

/** Makes sure a path is a directory of its own and not a link to somewhere else. */
export function ensureDirectory(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) mkdirSync(path, { recursive: true });
  else if (stat.isSymbolicLink()) {
    throw new HelixError('io', `${path} is a symbolic link`, {
      hint: 'HELIX works only in directories of the project itself; remove the link.',
    });
  } else if (!stat.isDirectory()) {
    throw new HelixError('io', `${path} is not a directory`, { hint: 'Move the file away.' });
  }
}
