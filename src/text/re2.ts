import { RE2JS } from 're2js';

const MAX_KNOWN = 256;
const MAX_TEXT = 100_000;
const known = new Map<string, RE2JS | undefined>();

/** Tells whether an RE2 expression, whatever the case, matches somewhere in the first part of a text; one that is none matches nothing. */
export function matchesRe2(source: string, text: string): boolean {
  return compiled(source)?.test(text.slice(0, MAX_TEXT)) ?? false;
}

function compiled(source: string): RE2JS | undefined {
  if (known.has(source)) return known.get(source);
  if (known.size >= MAX_KNOWN) known.clear();
  const expression = compile(source);
  known.set(source, expression);
  return expression;
}

/** A journal that was written by hand must not stop a run. */
function compile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
}
