import { accessSync, constants, lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { GO_ON } from './io-error.ts';

/** Less than this is not enough for the memory a journal shares between its processes. */
const ROOM_BYTES = 64 * 1024;
const CANNOT_OPEN = 14;

/** Turns what SQLite said about a database into a HelixError with a way out. */
export function sqliteError(error: unknown, path: string): unknown {
  if (error instanceof HelixError) return error;
  const { errcode, message } = error as { errcode?: number; message?: string };
  switch (errcode === undefined ? undefined : errcode & 0xff) {
    case 5:
    case 6:
      return new HelixError('locked', `${path} is locked by another program`, {
        hint: 'Close the program that holds it, then go on with: helix resume',
        cause: error,
      });
    case 13:
      return diskFull(error, path);
    case 11:
    case 26:
      return new HelixError('journal', `${path} is not a HELIX journal, or it is damaged: ${message}`, {
        hint: 'Move the file away, or restore it from a backup.',
        cause: error,
      });
    case 10:
      if (!hasRoom(path)) return diskFull(error, path);
      return new HelixError('machine', `the disk fails: ${path}: ${message}`, { hint: GO_ON, cause: error });
    case 8:
    case 14:
      if (!hasRoom(path)) return diskFull(error, path);
      // It does not say why; where nothing is wrong with the file it was the machine that refused.
      if (errcode === CANNOT_OPEN && isUsable(path))
        return new HelixError('machine', `${path} could not be opened: ${message}`, { hint: GO_ON, cause: error });
      return new HelixError('io', `${path} cannot be used: ${message}`, {
        hint: 'Check that the directory exists, is writable and lies on a local disk.',
        cause: error,
      });
    default:
      return error;
  }
}

function diskFull(cause: unknown, path: string): HelixError {
  const hint = 'Free some space, then go on with: helix resume';
  return new HelixError('disk_full', `the disk is full: ${path} cannot grow`, { hint, cause });
}

/** Tells whether a file can be read and written, or made. */
function isUsable(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat !== undefined) accessSync(path, constants.R_OK | constants.W_OK);
    return stat?.isFile() ?? true;
  } catch {
    return false;
  }
}

/** SQLite reports some writes to a full disk as a failing one. */
function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return true;
  }
}
