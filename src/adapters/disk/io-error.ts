import { HelixError } from '../../domain/helix-error.ts';

/** Turns a file system's refusal into a HelixError with a way out; anything else is passed on as it is. */
export function ioError(error: unknown, path: string): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof HelixError || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HelixError('disk_full', `the disk is full: ${path}`, {
      hint: 'Free some space, then go on with: helix resume',
      cause: error,
    });
  }
  return new HelixError('io', `${path} cannot be used: ${message}`, {
    hint: 'Check that it exists, is yours, and is a plain file or directory.',
    cause: error,
  });
}
