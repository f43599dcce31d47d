const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));
const OTHER_WORD = /[\p{L}\p{N}\p{M}]/u;

/** True for a letter, a digit or `_` of any script; JavaScript's and RE2's `\b` know only those of English. */
export function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_WORD[code] === 1;
  return (
    code >= 128 && (isSurrogate(code) ? OTHER_WORD.test(wholeCharacter(text, at)) : OTHER_WORD.test(text.charAt(at)))
  );
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function wholeCharacter(text: string, at: number): string {
  const low = text.charCodeAt(at) >= 0xdc00;
  return String.fromCodePoint(text.codePointAt(low ? at - 1 : at) ?? 0);
}

/** True where a word cannot go on to the left; an underscore that only emphasises is none. */
export function startsWord(text: string, at: number): boolean {
  return !isWordAt(text, at - 1) || (text[at - 1] === '_' && !isWordAt(text, at - 2));
}

/** True where a word cannot go on to the right. */
export function endsWord(text: string, at: number): boolean {
  return !isWordAt(text, at) || (text[at] === '_' && !isWordAt(text, at + 1));
}

/** True for a stretch of a text that is no part of a longer word or number. */
export function isWhole(text: string, start: number, end: number): boolean {
  const cutBefore = isWordAt(text, start) && isWordAt(text, start - 1);
  return !cutBefore && !(isWordAt(text, end - 1) && isWordAt(text, end));
}
