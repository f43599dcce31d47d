import { oneLine, sanitise } from '../text/sanitise.ts';

/** Text of others as a fenced block of Markdown: the fence is longer than any inside, so nothing in it can end it. */
export function quote(text: string): string {
  const clean = sanitise(text);
  const fence = '`'.repeat(Math.max(3, longestRun(clean) + 1));
  return `${fence}text\n${clean}\n${fence}`;
}

/** A path or command as inline code that ends where it should. */
export function code(text: string): string {
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
