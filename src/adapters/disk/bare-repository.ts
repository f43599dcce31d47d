import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';

/** Tells whether a directory is itself a git repository, one without a work tree. */
export function looksBare(dir: string): boolean {
  const stat = (name: string) => lstatSync(join(dir, name), { throwIfNoEntry: false });
  return stat('HEAD')?.isDirectory() === false && ['objects', 'refs'].every((name) => stat(name)?.isDirectory());
}

/** Why nothing is done in a bare repository or below it. */
export function isBare(dir: string): HelixError {
  return new HelixError('config', `${dir} is a bare repository: it has no work tree`, {
    hint: 'Work in a clone or in a worktree of it: git worktree add ../work',
  });
}
