/** What a character is to the words and amounts of a text. */
export const LETTER = 1;
export const DIGIT = 2;
/** Part of a word that it cannot start: an accent of its own, a number that is no plain digit. */
export const INNER = 3;
/** A sign that is a unit. */
export const SIGN = 4;
const OTHER = 5;

/** By UTF-16 unit, filled on demand: patterns for letters are too slow to be asked for each character of a text. */
export const KINDS = new Uint8Array(65_536);

/** What the character at a place is; the second half of a pair belongs to the word that the first one is in. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = KINDS[code];
  if (known !== undefined && known !== 0) return known;
  const isFirstHalf = code >= 0xd800 && code < 0xdc00;
  const kind = isFirstHalf || code < 0xdc00 || code > 0xdfff ? kindOf(text.codePointAt(at) ?? 0) : INNER;
  if (!isFirstHalf) KINDS[code] = kind;
  return kind;
}

function kindOf(code: number): number {
  const character = String.fromCodePoint(code);
  if (/[\p{L}_]/u.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  if (/[\p{M}\p{N}]/u.test(character)) return INNER;
  return /[%‰€$£]/.test(character) ? SIGN : OTHER;
}
