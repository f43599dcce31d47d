import { RE2JS } from 're2js';
import type { Expression } from './pattern.ts';
import { isWordAt } from './word-boundary.ts';

const MAX_TRIES = 200;

/** Compiles RE2, case-insensitive; what is found is never a part of a longer word or number. Throws what RE2 throws. */
export function compileRe2(source: string): Expression & { readonly matchesNothing: boolean } {
  const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  return {
    matchesNothing: compiled.test(''),
    find(text, from) {
      const matcher = compiled.matcher(text);
      let at = from;
      // Finding one match after the other is not linear, whatever the engine.
      for (let tries = 0; tries < MAX_TRIES && at <= text.length && matcher.find(at); tries += 1) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start && isWhole(text, start, end)) return { start, end };
        at = Math.max(end, at + 1);
      }
      return undefined;
    },
  };
}

function isWhole(text: string, start: number, end: number): boolean {
  const cutBefore = isWordAt(text, start) && isWordAt(text, start - 1);
  return !cutBefore && !(isWordAt(text, end - 1) && isWordAt(text, end));
}
