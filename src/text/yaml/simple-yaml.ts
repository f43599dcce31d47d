import { readRest, type SimpleNode } from './simple-yaml-value.ts';

type Line = {
  readonly indent: number;
  readonly text: string;
  readonly at: number;
  readonly trailing: boolean;
  /** Which line of the text it is. */
  readonly row: number;
};

/** The rest of a line, behind a key. */
type Rest = Pick<Line, 'text' | 'at' | 'row'>;

const LARGEST = 64 * 1024;
const DEEPEST = 12;
const MOST_KEYS = 1000;
const KEY = /^(?!null:)([A-Za-z_][\w.-]{0,99}):(?: +|$)/i;

const WHOLE_QUOTE = /^(?:"(?:[^"\\]|\\["\\])*"|'[^']*')$/;

/** Tells that a text is not simple; the library reads it then. */
class NotSimple extends Error {}

/**
 * Reads the YAML people mostly write: maps and lists in blocks, with scalars and short lists on one line. Whatever is not plainly
 * that is undefined, errors among it, and for the library, which is slow to load and to run.
 */
export function readSimpleYaml(text: string, textKeys: ReadonlySet<string>): SimpleNode | undefined {
  if (text.length > LARGEST || /[^\S \n]|[\u0085\ufeff]|^(?:---|\.\.\.|%)/m.test(text)) return undefined;
  try {
    return new Reader(text, textKeys).document();
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

class Reader {
  readonly #rows: readonly string[];
  readonly #lines: readonly Line[];
  readonly #textKeys: ReadonlySet<string>;
  #next = 0;

  constructor(text: string, textKeys: ReadonlySet<string>) {
    this.#rows = text.split('\n');
    this.#lines = linesOf(this.#rows);
    this.#textKeys = textKeys;
  }

  document(): SimpleNode {
    const first = this.#lines[0];
    if (first === undefined) return { value: null, at: 0, key: 0, below: new Map() };
    if (first.indent !== 0 || !KEY.test(first.text)) throw new NotSimple();
    const node = this.#map(0, { asText: false, depth: 1, key: first.at });
    if (this.#next < this.#lines.length) throw new NotSimple();
    return node;
  }

  #map(indent: number, place: { asText: boolean; depth: number; key: number }): SimpleNode {
    if (place.depth > DEEPEST) throw new NotSimple();
    const below = new Map<PropertyKey, SimpleNode>();
    const at = this.#lines[this.#next]?.at ?? 0;
    for (let line = this.#lines[this.#next]; line?.indent === indent; line = this.#lines[this.#next]) {
      const [written, key = ''] = KEY.exec(line.text) ?? [];
      if (written === undefined || below.has(key) || key === '__proto__') throw new NotSimple();
      this.#next += 1;
      const asText = place.asText || this.#textKeys.has(key);
      if (below.size === MOST_KEYS) throw new NotSimple();
      if (line.trailing && line.text.endsWith(':')) throw new NotSimple();
      const rest = { text: line.text.slice(written.length), at: line.at + written.length, row: line.row };
      below.set(key, this.#value(rest, { indent, asText, depth: place.depth, key: line.at }));
    }
    const over = this.#lines[this.#next];
    if (over !== undefined && over.indent > indent) throw new NotSimple();
    return { value: Object.fromEntries([...below].map(([key, { value }]) => [key, value])), at, key: place.key, below };
  }

  /** What stands behind a key: on its line, or in the lines below. */
  #value(rest: Rest, place: { indent: number; asText: boolean; depth: number; key: number }): SimpleNode {
    const { indent, asText, depth, key } = place;
    const next = this.#lines[this.#next];
    if (rest.text !== '' && !rest.text.startsWith('#')) {
      if (rest.text === '>-') return this.#block(rest, { indent, key });
      const ends = next === undefined || next.indent <= indent;
      return ends ? this.#scalar(rest, { asText, key }) : this.#folded(rest, { indent, asText, key });
    }
    if (next !== undefined && isItem(next) && next.indent >= indent)
      return this.#list(next.indent, { asText, depth, key });
    if (next !== undefined && next.indent > indent && next.text.startsWith('"')) {
      this.#next += 1;
      return this.#folded(next, { indent, asText, key });
    }
    if (next !== undefined && next.indent > indent) return this.#map(next.indent, { asText, depth: depth + 1, key });
    if (rest.text !== '') throw new NotSimple();
    return { value: null, at: rest.at, key, below: new Map() };
  }

  /** Text, quoted or plain, that goes on in the lines below, each of which becomes a blank. */
  #folded(rest: Rest, place: { indent: number; asText: boolean; key: number }): SimpleNode {
    const pieces = [rest.text, ...this.#deeper(rest.row, place.indent).map((line) => line.trim())];
    const text = pieces.join(' ');
    if (!WHOLE_QUOTE.test(text) && (/^[[{]/.test(text) || pieces.some((piece) => /^#|\s#/.test(piece))))
      throw new NotSimple();
    return this.#scalar({ text, at: rest.at }, place);
  }

  /** What stands below `>-`: lines of one indentation, which are one line of text. */
  #block({ at, row }: Rest, { indent, key }: { indent: number; key: number }): SimpleNode {
    const lines = this.#deeper(row, indent);
    const text = lines.map((line) => line.trim());
    const column = indentOf(lines[0] ?? '');
    const even = lines.every((line) => indentOf(line) === column && line === line.trimEnd());
    if (lines.length === 0 || !even) throw new NotSimple();
    return { value: text.join(' '), at, key, below: new Map() };
  }

  /** The lines below a row that are indented more, up to a gap, behind which none may follow. */
  #deeper(row: number, indent: number): string[] {
    let end = row + 1;
    while (indentOf(this.#rows[end] ?? '') > indent) end += 1;
    const lines = this.#rows.slice(row + 1, end);
    let after = end;
    while (this.#rows[after] === '') after += 1;
    // Blanks alone on a line are part of some texts and not of others.
    const blanks = [...lines, this.#rows[after] ?? 'x'].some((line) => line.trim() === '');
    if (blanks || indentOf(this.#rows[after] ?? '') > indent) throw new NotSimple();
    while ((this.#lines[this.#next]?.row ?? end) < end) this.#next += 1;
    return lines;
  }

  #list(indent: number, place: { asText: boolean; depth: number; key: number }): SimpleNode {
    if (place.depth > DEEPEST) throw new NotSimple();
    const below = new Map<PropertyKey, SimpleNode>();
    const at = this.#lines[this.#next]?.at ?? 0;
    for (let line = this.#lines[this.#next]; line?.indent === indent && isItem(line); line = this.#lines[this.#next]) {
      const text = line.text.slice(1).trimStart();
      const start = line.at + line.text.length - text.length;
      if (text === '' || text.startsWith('#') || text.startsWith('- ')) throw new NotSimple();
      if (KEY.test(text)) {
        // The first key of a map stands behind the dash; the others stand below it.
        const inner = indent + line.text.length - text.length;
        (this.#lines as Line[])[this.#next] = { ...line, indent: inner, text, at: start };
        below.set(below.size, this.#map(inner, { ...place, depth: place.depth + 1, key: start }));
      } else {
        this.#next += 1;
        below.set(below.size, this.#scalar({ text, at: start }, { asText: place.asText, key: start }));
      }
    }
    const over = this.#lines[this.#next];
    if (over !== undefined && over.indent > indent) throw new NotSimple();
    return { value: [...below.values()].map(({ value }) => value), at, key: place.key, below };
  }

  #scalar({ text, at }: { text: string; at: number }, { asText, key }: { asText: boolean; key: number }): SimpleNode {
    const node = readRest(text, { at, key, asText, textKeys: this.#textKeys });
    if (node === undefined) throw new NotSimple();
    return node;
  }
}

function isItem({ text }: Line): boolean {
  return text === '-' || text.startsWith('- ');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The lines that say something, without their indentation. */
function linesOf(rows: readonly string[]): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const [row, line] of rows.entries()) {
    const bare = line.trim();
    if (bare !== '' && !bare.startsWith('#')) {
      const indent = indentOf(line);
      lines.push({ indent, text: bare, at: start + indent, trailing: line.length > indent + bare.length, row });
    }
    start += line.length + 1;
  }
  return lines;
}
