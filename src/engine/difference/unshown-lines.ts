import { isBinary } from '../../text/is-binary.ts';
import { languageOfPath } from '../../text/syntax/language-of.ts';

/** Beyond this many lines a file counts as rewritten: which of them stayed is not worth its memory. */
const MOST_COMPARED = 200_000;
/** What a line is taken to come to where it was not read. */
const BYTES_OF_A_LINE = 80;
/** A line counts again with every so many of its characters: else a program on one line would be a small change. */
const LONG_LINE = 500;

/** One state of a file: what was read of it, and how large it is. */
export type UnshownSide = { readonly content: Buffer; readonly size: number };

/** How many lines a file adds and removes of which no difference is shown; what is for machines has none. */
export function unshownLines(path: string, before: UnshownSide | undefined, after: UnshownSide | undefined): number {
  const [old, now] = [textOf(path, before), textOf(path, after)];
  const rest = unread(old, before) + unread(now, after);
  const [oldLines, newLines] = [countLines(old), countLines(now)];
  if (rest > 0 || Math.max(oldLines, newLines) > MOST_COMPARED) return oldLines + newLines + rest;
  const left = new Map<string, number>();
  for (const line of linesOf(old)) left.set(line, (left.get(line) ?? 0) + 1);
  let lines = 0;
  for (const line of linesOf(now)) {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    if (count <= 0) lines += partsOf(line);
  }
  for (const [line, count] of left) lines += Math.max(0, count) * partsOf(line);
  return lines;
}

/** How many lines more than are counted the changed lines of a patch have: behind a lone carriage return, and in long ones. */
export function linesWithin(patch: Buffer): number {
  const text = patch.toString('latin1');
  const [, ...lines] = text.slice(Math.max(0, text.indexOf('\n@@ '))).split('\n');
  return lines.filter((line) => /^[+-]/.test(line)).reduce((sum, line) => sum + partsOf(line.slice(1)) - 1, 0);
}

function partsOf(line: string): number {
  const parts = line.replace(/\r$/, '').split('\r');
  return parts.reduce((sum, part) => sum + Math.max(1, Math.ceil(part.length / LONG_LINE)), 0);
}

/** A character for each byte or pair of bytes; empty where a content is for machines. */
function textOf(path: string, side: UnshownSide | undefined): string {
  if (side === undefined) return '';
  const { content } = side;
  if (content[0] === 0xff && content[1] === 0xfe) return content.toString('utf16le', 2);
  if (content[0] === 0xfe && content[1] === 0xff)
    return Buffer.from(content.subarray(2, even(content.length)))
      .swap16()
      .toString('utf16le');
  // NUL in source code makes nothing else of it for those who run it.
  return isBinary(content) && languageOfPath(path) === undefined ? '' : content.toString('latin1');
}

function even(length: number): number {
  return length - (length % 2);
}

function unread(text: string, side: UnshownSide | undefined): number {
  return side === undefined || text === '' ? 0 : Math.ceil((side.size - side.content.length) / BYTES_OF_A_LINE);
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}
