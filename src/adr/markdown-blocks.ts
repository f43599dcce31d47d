// The bundled build: a quarter of the loading time of the package's many modules.
import MarkdownIt from 'markdown-it/dist/markdown-it.min.js';
import type { Place } from './adr.ts';

/** One block of a document; lines count from 1. What stands in a quote is only told as the quote. */
export type Block =
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
      readonly first: number;
      readonly last: number;
    }
  | {
      readonly kind: 'code';
      readonly info: string | undefined;
      readonly closed: boolean;
      readonly nested: readonly Place[];
      readonly first: number;
      readonly last: number;
    }
  | {
      readonly kind: 'paragraph';
      readonly text: string;
      /** The paragraph a list item starts with. */
      readonly item: boolean;
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: 'quote' | 'html'; readonly first: number; readonly last: number };

type Token = ReturnType<MarkdownIt['parse']>[number];
type StateBlock = Parameters<Parameters<MarkdownIt['block']['ruler']['at']>[1]>[0];
type FenceNotes = { closed: boolean; nested: Place[] };

/** A whole paragraph in one token. */
const PLAIN = 'plain';

const parser = new MarkdownIt({ html: true });
parser.core.ruler.enableOnly(['block']);
// Rows of a table are read as lines of text, which is all that is asked of them.
parser.disable('table');
parser.block.ruler.at('fence', fence, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
parser.block.ruler.before('code', PLAIN, plainParagraph);

/** Splits Markdown (CommonMark), whose lines end with a line feed, into blocks, reading a fence with an info string inside an open fence as nested. */
export function markdownBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const tokens = parser.parse(text, {});
  let quotes = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.type === 'blockquote_open') {
      if (quotes === 0) blocks.push({ kind: 'quote', first: firstOf(token), last: lastOf(token) });
      quotes += 1;
    } else if (token.type === 'blockquote_close') quotes -= 1;
    else if (quotes === 0) {
      const block = blockOf(token, tokens[index - 1], tokens[index - 2]);
      if (block !== undefined) blocks.push(block);
    }
  }
  return blocks;
}

function blockOf(token: Token, before: Token | undefined, beforeThat: Token | undefined): Block | undefined {
  switch (token.type) {
    case PLAIN:
      return paragraph(token, before);
    case 'inline':
      return inlineBlock(token, before, beforeThat);
    case 'fence': {
      const { closed, nested } = token.meta as FenceNotes;
      return { kind: 'code', info: token.info.trim(), closed, nested, first: firstOf(token), last: lastOf(token) };
    }
    case 'code_block':
      return { kind: 'code', info: undefined, closed: true, nested: [], first: firstOf(token), last: lastOf(token) };
    case 'html_block':
      return { kind: 'html', first: firstOf(token), last: lastOf(token) };
    default:
      return undefined;
  }
}

function inlineBlock(token: Token, before: Token | undefined, beforeThat: Token | undefined): Block | undefined {
  if (before?.type === 'paragraph_open') return paragraph(token, beforeThat);
  if (before?.type !== 'heading_open') return undefined;
  const [level, text] = [Number(before.tag.slice(1)), token.content];
  return { kind: 'heading', level, text, first: firstOf(before), last: lastOf(before) };
}

function paragraph(token: Token, before: Token | undefined): Block {
  const item = before?.type === 'list_item_open';
  return { kind: 'paragraph', text: token.content, item, first: firstOf(token), last: lastOf(token) };
}

function firstOf({ map }: Token): number {
  return (map?.[0] ?? 0) + 1;
}

function lastOf({ map }: Token): number {
  return map?.[1] ?? 1;
}

/**
 * Reads a paragraph whose lines all start as nothing else does. The parser's own rules read it, too, but try ten others on each
 * of its lines first: half of the time they take for an ADR.
 */
function plainParagraph(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (silent) return false;
  if (state.level >= DEEPEST) return lineAsParagraph(state, start);
  if (!startsPlainly(state, start)) return false;
  let next = start + 1;
  while (next < end && !state.isEmpty(next) && !startsItem(state, next)) {
    if (!startsPlainly(state, next)) return false;
    next += 1;
  }
  pushParagraph(state, start, next);
  return true;
}

function pushParagraph(state: StateBlock, start: number, next: number): void {
  state.line = next;
  const token = state.push(PLAIN, '', 0);
  token.content = state.getLines(start, next, state.blkIndent, false).trim();
  token.map = [start, next];
}

/** Below the 100 levels at which the parser leaves out the rest of the document, with what one list adds to them. */
const DEEPEST = 96;

/** What is nested deeper than anybody reads is text, so that all that follows it is found. */
function lineAsParagraph(state: StateBlock, line: number): boolean {
  pushParagraph(state, line, line + 1);
  return true;
}

/** True for a letter or a cell of a table, and for what emphasises, quotes or ticks one: `**A`, `` `a``, `[x] a`. */
function startsPlainly(state: StateBlock, line: number): boolean {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  if (indent < 0 || indent > 3) return false;
  const { src } = state;
  const at = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const first = src.charCodeAt(at);
  if (first === STAR) return src.charCodeAt(at + 1) === STAR && isLetter(src.charCodeAt(at + 2));
  if (first === BRACKET) return src.charCodeAt(at + 2) === BRACKET_END && src.charCodeAt(at + 3) === SPACE;
  return first === PIPE || isLetter(first === TICK ? src.charCodeAt(at + 1) : first);
}

/** True for a bullet with text after it where it ends the paragraph before it. */
function startsItem(state: StateBlock, line: number): boolean {
  const column = state.sCount[line] ?? 0;
  if (column < 0 || column - state.blkIndent > 3) return false;
  if (column < state.blkIndent && column - state.listIndent > 3) return false;
  const at = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const marker = state.src.charCodeAt(at);
  if (marker !== DASH && marker !== STAR && marker !== PLUS) return false;
  return state.src.charCodeAt(at + 1) === SPACE && state.src.charCodeAt(at + 2) > SPACE;
}

const SPACE = 0x20;
const STAR = 0x2a;
const PLUS = 0x2b;
const DASH = 0x2d;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const TICK = 0x60;
const PIPE = 0x7c;

/** Whatever ASCII does not have counts as one. */
function isLetter(code: number): boolean {
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || code > 0x7f;
}

type Fence = { readonly marker: string; readonly length: number; readonly info: string };

/** The fence that stands on a line, whatever its indentation; undefined when there is none. */
function fenceOn(state: StateBlock, line: number): Fence | undefined {
  const text = state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const marker = text[0];
  if (marker !== '`' && marker !== '~') return undefined;
  let length = 1;
  while (text[length] === marker) length += 1;
  const info = text.slice(length).trim();
  return length < 3 || (marker === '`' && info.includes('`')) ? undefined : { marker, length, info };
}

type Reading = { readonly end: number; readonly closed: boolean; readonly nested: readonly number[] };

/** Replaces the parser's own rule for fences, which ends the outer fence at the end of the inner one. */
function fence(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if ((state.sCount[start] ?? 0) - state.blkIndent >= 4) return false;
  const opened = fenceOn(state, start);
  if (opened === undefined) return false;
  if (silent) return true;
  const strict = readFence(state, { opened, start, end, nesting: false });
  const reading = nestedReading(state, { opened, start, end, strict }) ?? strict;
  state.line = reading.end + (reading.closed ? 1 : 0);
  const token = state.push('fence', 'code', 0);
  token.info = opened.info;
  token.map = [start, state.line];
  token.meta = {
    closed: reading.closed,
    nested: reading.nested.map((line) => ({
      line: line + 1,
      column: (state.tShift[line] ?? 0) + (state.bMarks[line] ?? 0) - lineStart(state, line) + 1,
    })),
  } satisfies FenceNotes;
  return true;
}

function lineStart(state: StateBlock, line: number): number {
  return state.src.lastIndexOf('\n', (state.bMarks[line] ?? 0) - 1) + 1;
}

type Opening = { readonly opened: Fence; readonly start: number; readonly end: number };

/** The nested reading, where it differs from the strict one and leaves nothing open that the strict one closes. */
function nestedReading(state: StateBlock, { strict, ...opening }: Opening & { strict: Reading }): Reading | undefined {
  const env = state.env as { nestingFails?: boolean };
  if (env.nestingFails) return undefined;
  const nested = readFence(state, { ...opening, nesting: true });
  if (nested.nested.length === 0 || nested.end === strict.end) return undefined;
  if (nested.closed || !strict.closed) return nested;
  // Fences that never pair up again would be read to the end of the document from each of them.
  env.nestingFails = true;
  return undefined;
}

/** Finds where a fence ends: at the first bare fence, or with nesting at the one that closes the outermost. */
function readFence(state: StateBlock, { opened, start, end, nesting }: Opening & { nesting: boolean }): Reading {
  const open: Fence[] = [opened];
  const nested: number[] = [];
  for (let line = start + 1; line < end; line += 1) {
    const blank = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0) >= (state.eMarks[line] ?? 0);
    if (!blank && (state.sCount[line] ?? 0) < state.blkIndent) return { end: line, closed: false, nested };
    const innermost = open.at(-1) ?? opened;
    const found = blank ? undefined : fenceOn(state, line);
    if (found === undefined || found.marker !== innermost.marker || found.length < innermost.length) continue;
    if (!nesting && (state.sCount[line] ?? 0) - state.blkIndent >= 4) continue;
    if (found.info === '') {
      open.pop();
      if (open.length === 0) return { end: line, closed: true, nested };
    } else if (nesting) {
      open.push(found);
      nested.push(line);
    }
  }
  return { end, closed: false, nested };
}
