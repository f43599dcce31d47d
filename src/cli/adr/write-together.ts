import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ioError } from '../../adapters/disk/io-error.ts';
import { requireOwnFile } from '../../adapters/disk/led-out.ts';
import { HelixError } from '../../domain/helix-error.ts';

/** A file as it was read and as it is to be. */
export type Change = { readonly path: string; readonly before: string; readonly after: string };

/** Writes all files or none: each is written beside its place first; links are followed within the repository, and modes kept. */
export function writeTogether(changes: readonly Change[]): void {
  for (const { path } of changes) requireOwnFile(path);
  const staged: { file: string; temporary: string; change: Change }[] = [];
  const done: typeof staged = [];
  try {
    for (const change of changes) staged.push(stage(change));
    for (const each of staged) {
      renameSync(each.temporary, each.file);
      done.push(each);
    }
  } catch (error) {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    for (const { file, change } of done) writeFileSync(file, change.before);
    throw ioError(error, changes[staged.length]?.path ?? changes[0]?.path ?? '');
  }
}

function stage(change: Change): { file: string; temporary: string; change: Change } {
  const file = realpathSync(change.path);
  accessSync(file, constants.W_OK);
  if (readFileSync(file, 'utf8') !== change.before) {
    throw new HelixError('conflict', `${change.path} was changed in the meantime`, { hint: 'Try again.' });
  }
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  writeFileSync(temporary, change.after, { flag: 'wx', mode: statSync(file).mode & 0o777 });
  return { file, temporary, change };
}
