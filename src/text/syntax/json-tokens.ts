/** A piece of a JSON text; `bad` says what is wrong with it. */
export type JsonToken = {
  readonly kind: 'text' | 'value' | 'comment' | 'end' | '{' | '}' | '[' | ']' | ',' | ':' | 'unknown';
  readonly offset: number;
  readonly end: number;
  readonly bad?: string;
};

const SCALAR = /(?:-?(?:0|[1-9]\d{0,999})(?:\.\d{1,999})?(?:[eE][+-]?\d{1,9})?|true|false|null)(?![\w.+-])/y;
const WORD = /[\p{L}\p{N}_$.+-]{1,60}|./suy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const BLANK = /[ \t\r\n]*/y;

/** The next piece of a JSON text at or behind an offset. */
export function nextToken(text: string, from: number): JsonToken {
  const offset = from + lengthOf(BLANK, text, from);
  const first = text[offset];
  if (first === undefined) return { kind: 'end', offset, end: offset };
  if (isMark(first)) return { kind: first, offset, end: offset + 1 };
  if (first === '"') return textToken(text, offset);
  if (text.startsWith('//', offset) || text.startsWith('/*', offset)) return commentToken(text, offset);
  const scalar = lengthOf(SCALAR, text, offset);
  if (scalar > 0) return { kind: 'value', offset, end: offset + scalar };
  return { kind: 'unknown', offset, end: offset + lengthOf(WORD, text, offset) };
}

function isMark(character: string): character is '{' | '}' | '[' | ']' | ',' | ':' {
  return '{}[],:'.includes(character);
}

function textToken(text: string, offset: number): JsonToken {
  for (let at = offset + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: 'text', offset, end: at + 1 };
    if (code === 0x0a || code === 0x0d) break;
    if (code < 0x20)
      return {
        kind: 'unknown',
        offset: at,
        end: at,
        bad: 'a control character must be written as \\u and four digits',
      };
    if (code !== 0x5c) continue;
    const length = lengthOf(ESCAPE, text, at);
    if (length === 0) return { kind: 'unknown', offset: at, end: at, bad: 'a backslash with an unknown meaning' };
    at += length - 1;
  }
  return { kind: 'unknown', offset, end: offset, bad: 'the text that starts with " has no end' };
}

function commentToken(text: string, offset: number): JsonToken {
  const inLine = text[offset + 1] === '/';
  const at = inLine ? text.indexOf('\n', offset) : text.indexOf('*/', offset + 2);
  if (at !== -1) return { kind: 'comment', offset, end: at + (inLine ? 1 : 2) };
  if (inLine) return { kind: 'comment', offset, end: text.length };
  return { kind: 'unknown', offset, end: offset, bad: 'the comment that starts with /* has no end' };
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
