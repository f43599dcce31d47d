/** A text as one word of a POSIX shell, whatever it holds, for a command that people copy. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
