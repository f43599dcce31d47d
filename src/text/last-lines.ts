import { sanitise } from './sanitise.ts';

/** How much of the end of a text is wanted. */
export type Room = { readonly lines: number; readonly bytes: number };

/** What is kept of the output of a command that failed: the reason stands last. */
export const OUTPUT_ROOM: Room = { lines: 60, bytes: 8 * 1024 };

/** How much more raw text than wanted is looked at, so that the end of a huge text stays cheap. */
const LOOK_AHEAD = 8;

/** The end of an untrusted text, sanitised and in whole lines; a cut is shown as a first line with an ellipsis. */
export function lastLines(text: string, { lines, bytes }: Room): string {
  const near = text.slice(-bytes * LOOK_AHEAD);
  const all = sanitise(near.toWellFormed()).trimEnd().split('\n');
  const kept: string[] = [];
  let room = bytes;
  for (let index = all.length - 1; index >= 0 && kept.length < lines; index -= 1) {
    const line = all[index] ?? '';
    room -= Buffer.byteLength(line) + 1;
    if (room < 0 && kept.length > 0) break;
    kept.unshift(room < 0 ? endOf(line, bytes) : line);
  }
  const whole = kept.length === all.length && near.length === text.length;
  return whole ? kept.join('\n') : ['…', ...kept].join('\n');
}

/** The end of a line that is too long for all the room there is, without half a character. */
function endOf(line: string, bytes: number): string {
  return Buffer.from(line)
    .subarray(-bytes)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
}
