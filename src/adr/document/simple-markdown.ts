import type { Block } from './block.ts';
import { libraryBlocks } from './markdown-library.ts';

/** Tells that a document is not simple; the library reads it then. */
const NOT_SIMPLE = new Error('not simple');

/** Splits Markdown (CommonMark) into blocks, reading a fence with an info string inside an open fence as nested. The first lines can be left out. */
export function markdownBlocks(lines: readonly string[], above = 0): readonly Block[] {
  return simpleBlocks(lines, above) ?? libraryBlocks('\n'.repeat(above) + lines.slice(above).join('\n'));
}

/**
 * Reads the Markdown people mostly write: headings, paragraphs, lists, fences, comments, quotes and definitions of links, each where
 * it can be taken for nothing else. Whatever is not plainly that is undefined, and for the library, which takes longer.
 */
export function simpleBlocks(lines: readonly string[], above: number): Block[] | undefined {
  try {
    return new Reader(lines, above).document();
  } catch (error) {
    if (error === NOT_SIMPLE) return undefined;
    throw error;
  }
}

/** A paragraph that may go on: its first line, where its text starts there, and the column its other lines start at. */
type Paragraph = { readonly line: number; readonly at: number; readonly column: number; readonly item: boolean };

/** Where a block starts: behind its indentation or the marker of a list item, inside so many list items. */
type Start = { readonly text: string; readonly at: number; readonly depth: number; readonly item: boolean };

const DEEPEST_LIST = 20;

const HEADING = /^(#{1,6})(?:[ \t]|$)/;
const CLOSING_HASHES = /[ \t]#+[ \t]*$/;
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const RULE = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const NUMBER = /^(\d{1,9})[.)](?![^ \t])/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const DEFINITION = /^\[\s*[^[\]\\\s][^[\]\\]*\]: +[\w./#-][\w./#?=&%~+,@-]*(?::\/\/[\w./#?=&%~+,:@-]+)? *$/;
const NO_DEFINITION = /^\[[^[\]\\]*(?:\[|\](?!:)|\]: +[^\s<]\S* +[^\s"'(])/;
const ADDRESS = /^<[a-z][a-z\d+.-]*:/i;
/** What ends at the next blank line, whatever stands in between. */
const BLOCK_TAG =
  /^<\/?(?:center|dd|details|div|dl|dt|h[1-6]|hr|li|ol|p|section|summary|table|tbody|td|th|thead|tr|ul)(?=\s|\/?>|$)/i;

class Reader {
  readonly #lines: readonly string[];
  readonly #blocks: Block[] = [];
  /** The columns at which the texts of the open list items start, from the outermost on. */
  readonly #items: number[] = [];
  #paragraph: Paragraph | undefined;
  /** The line that is read. */
  #here: number;

  constructor(lines: readonly string[], above: number) {
    this.#lines = lines;
    this.#here = above;
  }

  document(): Block[] {
    for (; this.#here < this.#lines.length; this.#here += 1) {
      const text = this.#line(this.#here);
      const at = indentOf(text);
      if (at === text.length) this.#endParagraph();
      else this.#read(text, at);
    }
    this.#endParagraph();
    return this.#blocks;
  }

  #line(line: number): string {
    return this.#lines[line] ?? '';
  }

  /** The column at which the text of the list items up to a depth starts. */
  #column(depth: number): number {
    return depth === 0 ? 0 : (this.#items[depth - 1] ?? 0);
  }

  /** Reads a line that is not blank, inside the list items it is indented for. */
  #read(text: string, at: number): void {
    let depth = this.#items.length;
    while (this.#column(depth) > at) depth -= 1;
    if (text.charCodeAt(at) === TAB) throw NOT_SIMPLE;
    if (at - this.#column(depth) <= 3) this.#readBlock({ text, at, depth, item: false });
    else if (this.#paragraph === undefined || depth < this.#items.length) throw NOT_SIMPLE;
  }

  /** Whatever starts no other block goes on with a paragraph, or starts one. */
  #readBlock(start: Start): void {
    const { at, depth, item } = start;
    if (this.#readSpecial(start) || this.#paragraph !== undefined) return;
    this.#close(depth);
    this.#paragraph = { line: this.#here, at, column: this.#column(depth), item };
  }

  #readSpecial(start: Start): boolean {
    switch (start.text.charCodeAt(start.at)) {
      case HASH:
        return this.#heading(start);
      case EQUALS:
        return this.#underline(start);
      case DASH:
        return (!isItem(start) && (this.#underline(start) || this.#rule(start))) || this.#item(start, 1);
      case STAR:
        return (!isItem(start) && this.#rule(start)) || this.#item(start, 1);
      case PLUS:
        return this.#item(start, 1);
      case UNDERSCORE:
        return this.#rule(start);
      case TICK:
      case TILDE:
        return this.#fence(start);
      case BRACKET:
        return this.#paragraph === undefined && this.#definition(start);
      case LESS:
        return this.#html(start);
      case GREATER:
        return this.#quote(start);
      default:
        return isDigit(start.text.charCodeAt(start.at)) && this.#numbered(start);
    }
  }

  #heading({ text, at, depth }: Start): boolean {
    const [, hashes] = HEADING.exec(text.slice(at)) ?? [];
    if (hashes === undefined) return false;
    this.#close(depth);
    const title = text
      .slice(at + hashes.length)
      .replace(CLOSING_HASHES, '')
      .trim();
    this.#blocks.push({ kind: 'heading', level: hashes.length, text: title, ...this.#to(this.#here) });
    return true;
  }

  /** A line below a paragraph that makes a heading of it. */
  #underline({ text, at, depth }: Start): boolean {
    const paragraph = this.#paragraph;
    if (paragraph === undefined || depth < this.#items.length || !UNDERLINE.test(text.slice(at))) return false;
    if (depth > 0) throw NOT_SIMPLE;
    this.#paragraph = undefined;
    const level = text.charCodeAt(at) === EQUALS ? 1 : 2;
    const [first, last] = [paragraph.line + 1, this.#here + 1];
    this.#blocks.push({ kind: 'heading', level, text: this.#textOf(paragraph), first, last });
    return true;
  }

  #rule({ text, at, depth }: Start): boolean {
    if (!RULE.test(text.slice(at))) return false;
    this.#close(depth);
    return true;
  }

  #numbered(start: Start): boolean {
    const [marker, number] = NUMBER.exec(start.text.slice(start.at)) ?? [];
    if (marker === undefined) return false;
    const within = this.#paragraph !== undefined && start.depth === this.#items.length;
    return (!within || Number(number) === 1) && this.#item(start, marker.length);
  }

  /** A list item, whose marker has this width; what follows the marker may start any block. */
  #item({ text, at, depth }: Start, width: number): boolean {
    const after = at + width;
    const code = text.charCodeAt(after);
    if (code !== SPACE && code !== TAB && after < text.length) return false;
    let content = after;
    while (text.charCodeAt(content) === SPACE) content += 1;
    const gap = content - after;
    if (gap < 1 || gap > 4 || content === text.length || depth === DEEPEST_LIST) throw NOT_SIMPLE;
    if (text.charCodeAt(content) === TAB) throw NOT_SIMPLE;
    this.#close(depth);
    this.#items.push(content);
    this.#readBlock({ text, at: content, depth: depth + 1, item: true });
    return true;
  }

  /** A fence that is closed, with nothing in it that could be another one. */
  #fence({ text, at, depth }: Start): boolean {
    const [, marker, info = ''] = FENCE.exec(text.slice(at)) ?? [];
    if (marker === undefined) return false;
    this.#close(depth);
    const first = this.#here + 1;
    for (let line = first; line < this.#lines.length; line += 1) {
      const inner = this.#line(line);
      const indent = indentOf(inner);
      if (indent === inner.length) continue;
      const code = inner.charCodeAt(indent);
      if (indent < this.#column(depth) || (code === TAB && depth > 0)) throw NOT_SIMPLE;
      if (code !== TAB && code !== marker.charCodeAt(0)) continue;
      const [, closing = '', rest = ''] = FENCE.exec(inner.trim()) ?? [];
      if (!closing.startsWith(marker)) continue;
      if (rest !== '') throw NOT_SIMPLE;
      if (code === TAB || indent - this.#column(depth) > 3) continue;
      this.#blocks.push({ kind: 'code', info: info.trim(), closed: true, nested: [], first, last: line + 1 });
      this.#here = line;
      return true;
    }
    throw NOT_SIMPLE;
  }

  /** A definition of a link is no block. */
  #definition({ text, at, depth }: Start): boolean {
    const line = text.slice(at);
    if (NO_DEFINITION.test(line)) return false;
    if (depth > 0 || !DEFINITION.test(line) || /^ *["'(]/.test(this.#line(this.#here + 1))) throw NOT_SIMPLE;
    this.#close(depth);
    return true;
  }

  /** Of HTML comments are simple, and elements that make a block. */
  #html({ text, at, depth }: Start): boolean {
    const line = text.slice(at);
    if (!/^<[a-z/!?]/i.test(line) || ADDRESS.test(line)) return false;
    const isComment = line.startsWith('<!--');
    if (depth > 0 || !(isComment || BLOCK_TAG.test(line))) throw NOT_SIMPLE;
    this.#close(depth);
    const last = isComment ? this.#endOfComment(at) : this.#endOfElement();
    this.#blocks.push({ kind: 'html', ...this.#to(last) });
    return true;
  }

  #endOfComment(at: number): number {
    let last = this.#here;
    for (let end = this.#line(last).indexOf('-->', at); end === -1; end = this.#line(last).indexOf('-->')) {
      last += 1;
      if (last === this.#lines.length) throw NOT_SIMPLE;
    }
    return last;
  }

  #endOfElement(): number {
    let last = this.#here;
    while (!/^[ \t]*$/.test(this.#line(last + 1))) last += 1;
    return last;
  }

  /** A quote that ends with words, before a blank line. */
  #quote({ depth }: Start): boolean {
    if (depth > 0) throw NOT_SIMPLE;
    this.#close(depth);
    let last = this.#here;
    for (; ; last += 1) {
      const next = this.#line(last + 1);
      const indent = indentOf(next);
      if (indent === next.length) break;
      if (indent > 3 || next.charCodeAt(indent) !== GREATER) throw NOT_SIMPLE;
    }
    if (this.#line(last).trim() === '>') throw NOT_SIMPLE;
    this.#blocks.push({ kind: 'quote', ...this.#to(last) });
    return true;
  }

  /** The lines from here to another one, which is then the one that was read. */
  #to(line: number): { first: number; last: number } {
    const first = this.#here + 1;
    this.#here = line;
    return { first, last: line + 1 };
  }

  /** Ends the paragraph and the list items below a depth. */
  #close(depth: number): void {
    this.#endParagraph();
    this.#items.length = depth;
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    if (paragraph === undefined) return;
    this.#paragraph = undefined;
    const { line, item } = paragraph;
    this.#blocks.push({ kind: 'paragraph', text: this.#textOf(paragraph), item, first: line + 1, last: this.#here });
  }

  /** Its lines up to here, without the indentation of the list items around it. */
  #textOf({ line, at, column }: Paragraph): string {
    let text = this.#line(line).slice(at);
    for (let next = line + 1; next < this.#here; next += 1) {
      const more = this.#line(next);
      text += `\n${column === 0 ? more : more.slice(Math.min(indentOf(more), column))}`;
    }
    return text.trim();
  }
}

function indentOf(text: string): number {
  let indent = 0;
  while (text.charCodeAt(indent) === SPACE) indent += 1;
  return indent;
}

/** True for most list items: `- a` can be nothing else. */
function isItem({ text, at }: Start): boolean {
  const content = text.charCodeAt(at + 2);
  return text.charCodeAt(at + 1) === SPACE && content !== SPACE && content !== text.charCodeAt(at);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;
const STAR = 0x2a;
const PLUS = 0x2b;
const DASH = 0x2d;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const BRACKET = 0x5b;
const UNDERSCORE = 0x5f;
const TICK = 0x60;
const TILDE = 0x7e;
