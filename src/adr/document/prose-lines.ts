import type { Place } from './adr.ts';
import type { Block } from './block.ts';

/** The lines with everything blanked that no reader sees as text of the author: code, quotes, headings, comments, tags, definitions of links. */
export function proseLines(
  lines: readonly string[],
  above: number,
  blocks: readonly Block[],
): { prose: readonly string[]; openComment: Place | undefined } {
  const prose = [...lines];
  prose.fill('', 0, above);
  const html = new Set<number>();
  for (const block of blocks) {
    if (block.kind === 'code' || block.kind === 'quote' || block.kind === 'heading')
      prose.fill('', block.first - 1, block.last);
    else if (block.kind === 'html') for (let line = block.first - 1; line < block.last; line += 1) html.add(line);
  }
  removeDefinitions(prose, blocks);
  const openComment = removeComments(prose, html);
  for (const line of html) prose[line] = (prose[line] ?? '').replace(/<\/?[a-zA-Z][^<>]*>/g, ' ');
  for (let line = above; line < prose.length; line += 1) {
    const text = prose[line] ?? '';
    if (text.includes('<')) prose[line] = withoutTags(text);
    if (text.includes('&nbsp;')) prose[line] = (prose[line] ?? '').replaceAll('&nbsp;', '      ');
  }
  return { prose, openComment };
}

const DEFINITION = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*\[(?:[^\][\\]|\\.){1,999}\]:/;

/** The parser leaves a definition out of every block, `[x]: address "title"` on however many lines. */
function removeDefinitions(prose: string[], blocks: readonly Block[]): void {
  let inBlock: Uint8Array | undefined;
  for (let line = 0; line < prose.length; line += 1) {
    const text = prose[line] ?? '';
    if (!text.includes(']:') || !DEFINITION.test(text)) continue;
    inBlock ??= linesIn(blocks, prose.length);
    for (let each = line; inBlock[each] === 0 && (prose[each] ?? '').trim() !== ''; each += 1) prose[each] = '';
  }
}

function linesIn(blocks: readonly Block[], count: number): Uint8Array {
  const lines = new Uint8Array(count);
  for (const { first, last } of blocks) lines.fill(1, first - 1, last);
  return lines;
}

/** A tag with attributes, or of an element everybody knows; `<what you decided>` is a template's slot and `<T>` may be meant as text. */
const TAG =
  /`[^`]*`|<[a-zA-Z][\w-]{0,30}(?:\s+[\w:-]{1,40}\s*=[^<>]{0,2000})\/?>|<\/?(?:a|b|br|code|del|details|div|em|font|hr|i|img|ins|kbd|mark|p|s|small|span|strong|sub|summary|sup|u)\s*\/?>/gi;

/** Takes tags outside of `code` away; what stays keeps its column. */
function withoutTags(text: string): string {
  return text.replace(TAG, (found) => (found.startsWith('`') ? found : ' '.repeat(found.length)));
}

/** A comment in a paragraph ends in that paragraph or is none; one that starts a block goes on until it is closed. */
function removeComments(prose: string[], html: ReadonlySet<number>): Place | undefined {
  let open: { line: number; at: number } | undefined;
  let hopeless = false;
  for (let line = 0; line < prose.length; line += 1) {
    if (prose[line] === '') hopeless = false;
    else prose[line] = withoutClosedComments(prose[line] ?? '');
    while (!hopeless) {
      open = openingIn(prose[line] ?? '', line);
      if (open === undefined) break;
      const end = closingAfter(prose, { ...open, html });
      if (end !== undefined) blank(prose, open, end);
      else if (html.has(line)) {
        blank(prose, open, { line: lastOf(html, line), at: Number.POSITIVE_INFINITY });
        return { line: line + 1, column: open.at + 1 };
      } else hopeless = true;
    }
  }
  return undefined;
}

/** Takes comments away that end on the line they start on; what stays keeps its column. */
function withoutClosedComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const marks = /`+|<!--/g;
  const lastTick = text.lastIndexOf('`');
  let kept = '';
  let from = 0;
  for (let code = false, mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] !== '<!--') code = !code;
    else if (!code || mark.index > lastTick) {
      const end = text.indexOf('-->', mark.index + 2);
      if (end === -1) break;
      kept = kept.padEnd(from) + text.slice(from, mark.index);
      from = end + 3;
      marks.lastIndex = from;
    }
  }
  return from === text.length ? kept : kept.padEnd(from) + text.slice(from);
}

type Spot = { readonly line: number; readonly at: number };

/** Takes the text between two spots away; what stays keeps its column. */
function blank(prose: string[], from: Spot, to: Spot): void {
  const head = (prose[from.line] ?? '').slice(0, from.at);
  const tail = (prose[to.line] ?? '').slice(to.at);
  prose.fill('', from.line, to.line + 1);
  prose[from.line] = head;
  if (tail !== '') prose[to.line] = (prose[to.line] ?? '').padEnd(to.at) + tail;
}

function closingAfter(
  prose: readonly string[],
  { line, at, html }: Spot & { html: ReadonlySet<number> },
): Spot | undefined {
  const block = html.has(line);
  for (let each = line; each < prose.length; each += 1) {
    const text = prose[each] ?? '';
    if (block ? !html.has(each) : each > line && text.trim() === '') return undefined;
    const end = text.indexOf('-->', each === line ? at + 2 : 0);
    if (end !== -1) return { line: each, at: end + 3 };
  }
  return undefined;
}

function lastOf(html: ReadonlySet<number>, line: number): number {
  let last = line;
  while (html.has(last + 1)) last += 1;
  return last;
}

/** Where the first comment of a line starts, outside of `code`. */
function openingIn(text: string, line: number): Spot | undefined {
  if (!text.includes('<!--')) return undefined;
  const lastTick = text.lastIndexOf('`');
  let code = false;
  for (const { 0: found, index } of text.matchAll(/`+|<!--/g)) {
    if (found !== '<!--') code = !code;
    else if (!code || index > lastTick) return { line, at: index };
  }
  return undefined;
}
