import { editable } from './edit-lines.ts';

const OPEN = '<!-- helix-adr-index -->';
const CLOSE = '<!-- /helix-adr-index -->';
const START = /^\s*<!--\s*helix-adr-index\s*-->\s*$/;
const END = /^\s*<!--\s*\/?\s*helix-adr-index\s*-->\s*$/;

/** The lines of an index with the markers around it. */
export function indexBlock(table: readonly string[]): string[] {
  return [OPEN, ...table, CLOSE];
}

/** The lines between the markers of a text; undefined when it has none. */
export function indexIn(text: string): string[] | undefined {
  const found = findBlock(text);
  return found?.lines.slice(found.first + 1, found.last).map((line) => line.text);
}

/** The text with a new table between its markers, in its own line ends; everything else stays byte for byte. */
export function withIndex(text: string, table: readonly string[]): string {
  const { end } = editable(text);
  const found = findBlock(text);
  if (found === undefined) {
    const gap = text === '' ? '' : /(?:\r\n|\n|\r)$/.test(text) ? end : end + end;
    return (
      text +
      gap +
      indexBlock(table)
        .map((line) => line + end)
        .join('')
    );
  }
  const { lines, first, last } = found;
  const whole = (from: number, to: number): string =>
    lines
      .slice(from, to)
      .map((line) => line.text + line.end)
      .join('');
  return whole(0, first + 1) + table.map((line) => line + end).join('') + whole(last, lines.length);
}

function findBlock(text: string): { lines: { text: string; end: string }[]; first: number; last: number } | undefined {
  const { lines } = editable(text);
  const first = lines.findIndex((line) => START.test(line.text));
  const last = first === -1 ? -1 : lines.findIndex((line, index) => index > first && END.test(line.text));
  return last === -1 ? undefined : { lines, first, last };
}
