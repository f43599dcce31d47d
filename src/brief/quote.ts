import { oneLine, sanitise } from '../text/sanitise.ts';

/** Text of others as a fenced block of Markdown: the fence is longer than any inside, so nothing in it can end it. */
export function quote(text: string): string {
  const clean = sanitise(text);
  const fence = '`'.repeat(Math.max(3, longestRun(clean) + 1));
  return `${fence}text\n${clean}\n${fence}`;
}

/** Longer runs would make the fence longer than what it holds. */
const LONG_RUN = /`{9,}/g;
const SHORT_RUN = '````````';
const MARGIN = 100;
/** How much more raw text than wanted is looked at: what cannot be seen goes away. */
const LOOK_AHEAD = 8;

/** Text of others as a fenced block of at most `bytes` bytes, which keeps its beginning or its end; at least 200 are needed. */
export function quoteWithin(text: string, bytes: number, keep: 'start' | 'end' = 'start'): string {
  const far = bytes * LOOK_AHEAD;
  const near = keep === 'start' ? text.slice(0, far) : text.slice(-far);
  const clean = Buffer.from(sanitise(near.toWellFormed()).replace(LONG_RUN, SHORT_RUN));
  const room = Math.max(0, bytes - MARGIN);
  if (near.length === text.length && clean.length <= room) return quote(clean.toString());
  const kept = keep === 'start' ? clean.subarray(0, room) : clean.subarray(Math.max(0, clean.length - room));
  const words = kept.toString().replaceAll(/^\ufffd+|\ufffd+$/g, '');
  return quote(keep === 'start' ? `${words}\n[the rest is left out]` : `[what came before is left out]\n${words}`);
}

/** Nothing in it needs a second look: nearly every path and name. */
const PLAIN = /^[\w./-]{1,200}$/;

/** A path or command as inline code that ends where it should. */
export function code(text: string): string {
  if (PLAIN.test(text)) return `\`${text}\``;
  const line = oneLine(text, 1000);
  const tick = '`'.repeat(longestRun(line) + 1);
  return line.startsWith('`') || line.endsWith('`') ? `${tick} ${line} ${tick}` : `${tick}${line}${tick}`;
}

/** The text up to `max` characters, with a note about what was left out. */
export function bounded(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max)}\n[${text.length - max} characters left out]`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
