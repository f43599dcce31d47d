import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';
import type { Place } from './adr.ts';
import type { Block } from './block.ts';

type Token = ReturnType<MarkdownIt['parse']>[number];
type StateBlock = Parameters<Parameters<MarkdownIt['block']['ruler']['at']>[1]>[0];
type FenceNotes = { closed: boolean; nested: Place[] };

/** The token of a line that is nested too deep. */
const DEEP = 'deep';

const require = createRequire(import.meta.url);
let parser: MarkdownIt | undefined;

/** Loaded when a document first needs it, from the bundled build: a quarter of the loading time of the package's many modules. */
function markdownIt(): MarkdownIt {
  if (parser !== undefined) return parser;
  const Parser = require('markdown-it/dist/markdown-it.min.js') as typeof MarkdownIt;
  parser = new Parser({ html: true });
  parser.core.ruler.enableOnly(['block']);
  // Rows of a table are read as lines of text, which is all that is asked of them.
  parser.disable('table');
  parser.block.ruler.at('fence', fence, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  parser.block.ruler.before('code', DEEP, deepLine);
  return parser;
}

/** The blocks of any Markdown whose lines end with a line feed. */
export function libraryBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const tokens = markdownIt().parse(text, {});
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
    case DEEP:
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
  const [level, text] = [Number(before.tag.slice(1)), token.content.trim()];
  return { kind: 'heading', level, text, first: firstOf(before), last: lastOf(before) };
}

function paragraph(token: Token, before: Token | undefined): Block {
  const item = before?.type === 'list_item_open';
  return { kind: 'paragraph', text: token.content.trim(), item, first: firstOf(token), last: lastOf(token) };
}

function firstOf({ map }: Token): number {
  return (map?.[0] ?? 0) + 1;
}

function lastOf({ map }: Token): number {
  return map?.[1] ?? 1;
}

/** Below the 100 levels at which the parser leaves out the rest of the document, with what one list adds to them. */
const DEEPEST = 96;

/** What is nested deeper than anybody reads is text, so that all that follows it is found. */
function deepLine(state: StateBlock, line: number, _end: number, silent: boolean): boolean {
  if (silent || state.level < DEEPEST) return false;
  state.line = line + 1;
  const token = state.push(DEEP, '', 0);
  token.content = state.getLines(line, line + 1, state.blkIndent, false);
  token.map = [line, line + 1];
  return true;
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

/** The nested reading, where it differs from the strict one and leaves nothing open that the strict one closes, here or further down. */
function nestedReading(state: StateBlock, { strict, ...opening }: Opening & { strict: Reading }): Reading | undefined {
  const env = state.env as { nestingFails?: boolean };
  if (env.nestingFails) return undefined;
  const nested = readFence(state, { ...opening, nesting: true });
  if (nested.nested.length === 0 || nested.end === strict.end) return undefined;
  env.nestingFails ??=
    endsOpen(state, { ...opening, nesting: true }) && !endsOpen(state, { ...opening, nesting: false });
  // Fences that never pair up again would be read to the end of the document from each of them.
  if (strict.closed && !nested.closed) env.nestingFails = true;
  return env.nestingFails ? undefined : nested;
}

/** Tells whether the last of the fences from one on is never closed. */
function endsOpen(state: StateBlock, { start, end, nesting }: Opening & { nesting: boolean }): boolean {
  for (let line = start; line < end; line += 1) {
    const opened = (state.sCount[line] ?? 0) - state.blkIndent < 4 ? fenceOn(state, line) : undefined;
    if (opened === undefined) continue;
    const reading = readFence(state, { opened, start: line, end, nesting });
    if (!reading.closed) return true;
    line = reading.end;
  }
  return false;
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
