/**
 * Complete escape sequences, then every control character, then what is there without being seen. Strings such as OSC and
 * DCS are only taken when they end on their own line, so that an unfinished one cannot hide what follows. No alternative
 * runs past the next control character, which keeps the time linear.
 */
const UNSAFE = new RegExp(
  [
    '(?:\\x1b[\\]PX\\^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x00-\\x1f\\x7f-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)',
    '(?:\\x1b\\[|\\x9b)[0-?]*[\\x20-\\x2f]*[@-~]',
    '\\x1b[\\x20-\\x2f]*[0-~]',
    '\\r\\n',
    '[[\\x00-\\x1f\\x7f-\\x9f]--[\\t\\n]]',
    '[[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Cs}]--[\\ufe0e\\ufe0f]]',
  ].join('|'),
  'gv',
);

/** How much more raw text than wanted is looked at, so that a short excerpt of a huge text stays cheap. */
const LOOK_AHEAD = 8;

/** Makes untrusted text safe to show: no control characters but line feed and tab, and nothing invisible. */
export function sanitise(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** The beginning of an untrusted text, sanitised and at most `max` characters long; a cut is shown as an ellipsis. */
export function excerpt(text: string, max: number): string {
  const seen = head(text, max * LOOK_AHEAD);
  return shorten(sanitise(seen), max, seen.length < text.length);
}

/** An untrusted text on one line: sanitised, white space collapsed, at most `max` characters. */
export function oneLine(text: string, max = 500): string {
  const seen = head(text, max * LOOK_AHEAD);
  return shorten(sanitise(seen).replace(/\s+/g, ' ').trim(), max, seen.length < text.length);
}

function visible(match: string): string {
  const code = match.codePointAt(0) ?? 0;
  if (match === '\r\n') return '\n';
  return match === '\r' || code > 0x9f ? `\\u{${code.toString(16)}}` : '';
}

function shorten(clean: string, max: number, more: boolean): string {
  return clean.length <= max && !more ? clean : `${head(clean, max - 1)}…`;
}

/** The first characters, never half of a surrogate pair. */
function head(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
