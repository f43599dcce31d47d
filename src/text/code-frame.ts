import type { Finding } from '../domain/finding.ts';
import { sanitise } from './sanitise.ts';

const WIDTH = 100;
const TAB = '  ';

/** Gives the line that a finding stands on, of the files whose texts these are by their paths. */
export function framesIn(texts: ReadonlyMap<string, string>): (finding: Finding) => string | undefined {
  return ({ location }) => {
    const text = texts.get(location?.file ?? '');
    if (text === undefined || location?.line === undefined) return undefined;
    return renderCodeFrame(text, { line: location.line, column: location.column }) || undefined;
  };
}

/** The line of a text with a caret under the column, both counted from 1; empty when the text has no such line. */
export function renderCodeFrame(text: string, at: { line: number; column?: number | undefined }): string {
  const source = lineOf(text, at.line);
  if (source === undefined) return '';
  const column = Math.min(Math.max((at.column ?? 1) - 1, 0), source.length);
  const { before, after } = cut(source, column);
  const gutter = String(at.line);
  const line = `${gutter} | ${before}${after}`.trimEnd();
  if (at.column === undefined) return line;
  return `${line}\n${' '.repeat(gutter.length)} | ${' '.repeat(terminalWidth(before))}^`;
}

function lineOf(text: string, line: number): string | undefined {
  let start = 0;
  for (let current = 1; current < line; current += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return undefined;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, '');
}

/** A window of a long line around the column, made safe to show. */
function cut(source: string, column: number): { before: string; after: string } {
  const from = source.length <= WIDTH ? 0 : Math.max(0, Math.min(column - WIDTH / 2, source.length - WIDTH));
  const to = from + WIDTH;
  return {
    before: `${from > 0 ? '…' : ''}${visible(source.slice(from, column))}`,
    after: `${visible(source.slice(column, to))}${to < source.length ? '…' : ''}`,
  };
}

/** Control characters become their pictures, and whatever else cannot be seen becomes its number. */
function visible(part: string): string {
  const pictures = part.replaceAll('\t', TAB).replace(/\p{Cc}/gu, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `\\u{${code.toString(16)}}`;
  });
  return sanitise(pictures);
}

const DOUBLE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function terminalWidth(shown: string): number {
  let width = 0;
  for (const character of shown) {
    if (DOUBLE.test(character)) width += 2;
    else if (!/\p{M}/u.test(character)) width += 1;
  }
  return width;
}
