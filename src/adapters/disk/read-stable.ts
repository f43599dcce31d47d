import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { HelixError } from '../../domain/helix-error.ts';
import { ioError } from './io-error.ts';

const TRIES = 4;

/** A regular file's content at one moment and whether it may be run; undefined where it has gone or become something else. */
export function readStable(
  path: string,
  limit: number,
): { readonly content: Buffer; readonly executable: boolean } | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const fd = opened(path);
    if (fd === undefined) return undefined;
    try {
      const before = fstatSync(fd, { bigint: true });
      if (!before.isFile()) return undefined;
      if (before.size > limit) throw tooLarge(path, limit);
      const content = whole(fd, Number(before.size));
      const after = fstatSync(fd, { bigint: true });
      const isSame = before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs && before.size === after.size;
      if (isSame && content !== undefined) return { content, executable: (before.mode & 0o100n) !== 0n };
    } finally {
      closeSync(fd);
    }
  }
  throw new HelixError('io', `${path} changes while it is read`, {
    hint: 'Wait until nothing writes to it any more, then ask again.',
  });
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') return undefined;
    throw ioError(error, path);
  }
}

/** All of it; undefined where it has become shorter or longer. */
function whole(fd: number, size: number): Buffer | undefined {
  const content = Buffer.allocUnsafe(size + 1);
  let done = 0;
  for (let count = -1; count !== 0 && done <= size; done += count)
    count = readSync(fd, content, done, size + 1 - done, null);
  return done === size ? content.subarray(0, size) : undefined;
}

function tooLarge(path: string, limit: number): HelixError {
  return new HelixError('config', `${path} is larger than ${limit / 1024 / 1024} MB`, {
    hint: 'Move it out of the project, or let git ignore it.',
  });
}
