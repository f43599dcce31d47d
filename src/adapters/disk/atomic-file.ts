import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ioError } from './io-error.ts';

/** Writes a file whole or not at all: a reader sees the old content or the new one. */
export function writeAtomic(path: string, content: string): void {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  const write = () => writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
  try {
    try {
      write();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      write();
    }
    renameSync(temporary, path);
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary);
    throw ioError(error, path);
  }
}
