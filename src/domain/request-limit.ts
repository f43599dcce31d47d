import { HelixError } from './helix-error.ts';

/** So long may a request be that every brief has room for each of its words. */
export const REQUEST_BYTES = 64 * 1024;

/** Gives a request back as it is; throws HelixError `usage` where a brief would have to leave some of its words out. */
export function requireShort(text: string, what: string): string {
  if (Buffer.byteLength(text) > REQUEST_BYTES) throw requestTooLong(what);
  return text;
}

/** Words that nobody would read to the end. */
export function requestTooLong(what: string): HelixError {
  return new HelixError(
    'usage',
    `the ${what} is longer than ${REQUEST_BYTES / 1024} KB: not every word of it would be read`,
    {
      hint: `Put the long part into a file of the repository, commit it, and name that file in a short ${what}.`,
    },
  );
}
