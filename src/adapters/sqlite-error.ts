import { HelixError } from '../domain/helix-error.ts';

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
      return new HelixError('disk_full', `the disk is full: ${path} cannot grow`, {
        hint: 'Free some space, then go on with: helix resume',
        cause: error,
      });
    case 11:
    case 26:
      return new HelixError('journal', `${path} is not a HELIX journal, or it is damaged: ${message}`, {
        hint: 'Move the file away, or restore it from a backup.',
        cause: error,
      });
    case 8:
    case 10:
    case 14:
      return new HelixError('io', `${path} cannot be used: ${message}`, {
        hint: 'Check that the directory exists, is writable and lies on a local disk.',
        cause: error,
      });
    default:
      return error;
  }
}
