/** Rings the bell of the terminal, where there is one: whoever sits elsewhere would not hear it. */
export function ringBell(): void {
  if (process.stderr.isTTY) process.stderr.write('\u0007');
}
