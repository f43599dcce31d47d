import type { Parser } from 'web-tree-sitter';
import { lineStarts } from './problem.ts';

/** A place where the parser could not go on: behind the last thing it understood, and what it met there. */
export type DeadEnd = { readonly after: number; readonly met: string };

/**
 * Finds the places by the parser's own log. Its error nodes cannot tell: they span whatever it threw away to go on, often
 * from the beginning of the file.
 */
export function deadEnds(parser: Parser, text: string): DeadEnd[] {
  const reader = new LogReader(lineStarts(text));
  parser.setLogger((line, ofLexer) => {
    if (!ofLexer) reader.read(line);
  });
  parser.parse(text)?.delete();
  parser.setLogger(null);
  return reader.found;
}

/** Follows several readings at once, as the parser does: only where all of them stop, and the last one did, is an error. */
class LogReader {
  readonly found: DeadEnd[] = [];
  readonly #starts: readonly number[];
  #at = 0;
  #furthest: DeadEnd | undefined;

  constructor(starts: readonly number[]) {
    this.#starts = starts;
  }

  read(line: string): void {
    if (line.startsWith('process ')) {
      const [, row, bytes] = /row:(\d+), col:(\d+)/.exec(line) ?? [];
      this.#at = (this.#starts[Number(row)] ?? 0) + Number(bytes) / 2;
    } else if (line.startsWith('detect_error ')) {
      const met = line.slice('detect_error lookahead:'.length);
      if (this.#at >= (this.#furthest?.after ?? 0)) this.#furthest = { after: this.#at, met };
    } else if (line.startsWith('resume ') && this.#furthest !== undefined) {
      this.found.push(this.#furthest);
      this.#furthest = undefined;
    }
  }
}
