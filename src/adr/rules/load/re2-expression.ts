import { RE2JS } from 're2js';
import type { Expression } from '../pattern.ts';
import type { Match } from '../words/phrase.ts';

/** How much work finding the places of matches may be; whether there is one at all takes a small part of that. */
const BUDGET = 1_000_000;
const MAX_MATCHES = 200;

/** Compiles RE2, case-insensitive and otherwise as written: it may well find a part of a word. Throws what RE2 throws. */
export function compileRe2(source: string): Expression & { readonly size: number; readonly matchesNothing: boolean } {
  const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  return {
    size: compiled.programSize(),
    matchesNothing: compiled.test(''),
    *matches(text) {
      if (!compiled.test(text)) return;
      let left = BUDGET;
      let located = false;
      for (const { start, end } of paragraphs(text)) {
        const paragraph = text.slice(start, end);
        if (!compiled.test(paragraph)) continue;
        located = true;
        left -= compiled.programSize() * paragraph.length;
        if (left < 0) yield { start, end };
        else yield* matchesWithin(compiled, text, { start, end });
      }
      if (!located) yield { start: 0, end: text.length };
    },
  };
}

/** The stretches of a text between empty lines. */
function* paragraphs(text: string): Generator<Match> {
  let start = 0;
  for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', start)) {
    if (end > start) yield { start, end };
    start = end + 1;
  }
  yield { start, end: text.length };
}

function* matchesWithin(compiled: RE2JS, text: string, within: Match): Generator<Match> {
  const matcher = compiled.matcher(text.slice(within.start, within.end));
  for (let tries = 0; tries < MAX_MATCHES && matcher.find(); tries += 1) {
    const [start, end] = [within.start + matcher.start(), within.start + matcher.end()];
    if (end > start) yield { start, end };
  }
}
