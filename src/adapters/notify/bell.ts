/** Rings the bell of the terminal; false where there is none: whoever sits elsewhere would not hear it. */
export function ringBell(): boolean {
  if (process.stderr.isTTY) process.stderr.write('\u0007');
  return process.stderr.isTTY === true;
}
