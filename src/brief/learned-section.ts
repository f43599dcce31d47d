import type { Learned } from '../domain/facts/learned.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, type Say } from '../text/say.ts';
import { code, quoteWithin } from './quote.ts';

const KILOBYTE = 1024;
const MAX_LIST = 6 * KILOBYTE;
const MAX_DIFFERENCE = 24 * KILOBYTE;
const SHOWN = 1000;

/** What an earlier try at the same request showed, for those who plan it; all of it is what agents made, so it is quoted. */
export function learnedSection({ run, because, parts, findings, difference }: Learned, say: Say = inEnglish): string {
  return [
    say('## What an earlier try showed'),
    say('Run {run} began this as one change and was stopped: {because}', {
      run: code(run),
      because: oneLine(because, SHOWN),
    }),
    say('Nothing of it was accepted, and none of it lies in your files. Learn from it what the work takes.'),
    ...quoted(say('Its agent would have cut the request into these parts:'), list(parts), MAX_LIST),
    ...quoted(say('This was found wrong with its work:'), list(findings), MAX_LIST),
    ...quoted(say('This is what it had changed:'), difference.trim(), MAX_DIFFERENCE),
  ].join('\n\n');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${oneLine(line, SHOWN)}`).join('\n');
}

function quoted(about: string, text: string, bytes: number): string[] {
  return text === '' ? [] : [about, quoteWithin(text, bytes)];
}
