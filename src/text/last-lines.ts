import { oneLine, sanitise } from './sanitise.ts';

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

type Said = { readonly message: string; readonly output?: string | undefined };

const WHOLE = 300;
const PART = 200;

/** A failure in one line: what failed stands first and why stands last, so of a long text both are told, and what lies between is not. */
export function firstAndLast({ message, output }: Said): string {
  const [first = '', ...rest] = message.split('\n').filter((line) => line.trim() !== '');
  const said = output === undefined ? rest : output.split('\n').filter((line) => line.trim() !== '');
  const whole = oneLine(message);
  const last = oneLine(said.at(-1) ?? '', 4 * PART);
  if (last === '' || (output === undefined && whole.length <= WHOLE)) return whole;
  return `${oneLine(first, PART)} … ${last.length <= PART ? last : `…${last.slice(1 - PART)}`}`;
}
