import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';

/** What is no fault of a file, and may be over in a moment: the run waits for its user, and no phase is blamed. */
const BREAKDOWNS: Readonly<Record<string, string>> = {
  EIO: 'the disk fails',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ENOMEM: 'there is no memory left',
};

/** What to do after a breakdown of the machine. */
export const GO_ON = 'See to the machine (its log says more: dmesg), then go on with: helix resume';

type Refusal = {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
};

/** Removing a tree and loading code tell what went wrong only in words; making a directory with those above it says that something is missing. */
function codeOf({ code, message, syscall, path }: Refusal): string | undefined {
  if (/: too many open files\b/i.test(String(message))) return 'EMFILE';
  if (/Unknown error: Input\/output error/.test(String(message))) return 'EIO';
  if (code === 'ENOENT' && syscall === 'mkdir' && typeof path === 'string' && couldBeMade(path)) return 'EIO';
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : undefined;
}

/** Whether nothing lies in the way of a directory: the nearest thing above it that there is is one, and no link to nowhere. */
function couldBeMade(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return couldBeMade(dirname(path));
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Turns a file system's refusal into a HelixError with a way out; anything else is passed on as it is. */
export function ioError(error: unknown, path: string): unknown {
  const { message } = error as { message?: string };
  const code = codeOf(error as Refusal);
  if (error instanceof HelixError || code === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HelixError('disk_full', `the disk is full: ${path}`, {
      hint: 'Free some space, then go on with: helix resume',
      cause: error,
    });
  }
  const breakdown = BREAKDOWNS[code];
  if (breakdown !== undefined) return new HelixError('machine', `${breakdown}: ${path}`, { hint: GO_ON, cause: error });
  return new HelixError('io', `${path} cannot be used: ${message}`, {
    hint: 'Check that it exists, is yours, and is a plain file or directory.',
    cause: error,
  });
}
