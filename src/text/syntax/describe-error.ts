import type { Node, Tree } from 'web-tree-sitter';
import { oneLine } from '../sanitise.ts';
import type { DeadEnd } from './dead-ends.ts';
import { CLOSES, type OpenBracket, openBracket } from './open-bracket.ts';

type Source = { readonly text: string; readonly tree: Tree; readonly ends: readonly DeadEnd[] };
type Described = { readonly offset: number; readonly message: string; readonly open?: OpenBracket | undefined };

const LINE_END = /newline|line_break|semicolon|_token1$|^\\?\n?$/;
const MAX_BLANKS = 10_000;

/** Says in words what is wrong at an error node, and where. */
export function describeError(node: Node, source: Source): Described {
  return node.isMissing ? missing(node, source) : unexpected(node, source);
}

function missing({ type, isNamed, startIndex }: Node, source: Source): Described {
  const { text, tree } = source;
  const offset = text.slice(startIndex, startIndex + MAX_BLANKS).trim() === '' ? text.trimEnd().length : startIndex;
  const message = `missing ${isNamed ? type.replaceAll('_', ' ').trim() : `"${type}"`}`;
  const open = !CLOSES.has(type) ? undefined : openBracket(tree, offset);
  return { offset, message, open: above(open, source, offset) };
}

function unexpected(node: Node, source: Source): Described {
  const { text, tree, ends } = source;
  const end = ends.find(({ after }) => after >= node.startIndex && text.slice(node.endIndex, after).trim() === '');
  const from = end?.after ?? node.startIndex;
  const offset = from + (/^\s*/.exec(text.slice(from, from + MAX_BLANKS))?.[0].length ?? 0);
  const quote = unclosedQuote(text, [from - 1, offset]);
  if (quote !== undefined) return { offset: quote, message: `the text that starts with ${text[quote]} has no end` };
  if (offset >= text.length) {
    const last = text.trimEnd().length;
    return { offset: last, message: 'unexpected end of the file', open: openBracket(tree, last) };
  }
  if (end?.met === '_indent') return { offset, message: 'unexpected indentation' };
  if (end !== undefined && LINE_END.test(end.met)) return { offset: from, message: 'unexpected end of the line' };
  const met = wordAt(text, offset, end?.met);
  const open = openBracket(tree, offset);
  const suspicious = open !== undefined && (CLOSES.has(met) ? CLOSES.get(met) !== open.kind : open.kind !== '{');
  const message = `unexpected "${oneLine(met, 40)}"`;
  return { offset, message, open: suspicious ? above(open, source, offset) : undefined };
}

/** A bracket of the same line needs no pointing at. */
function above(open: OpenBracket | undefined, { text }: Source, offset: number): OpenBracket | undefined {
  return open !== undefined && text.slice(open.offset, offset).includes('\n') ? open : undefined;
}

/** A quote without a partner in its line, if it is the last one there. */
function unclosedQuote(text: string, candidates: readonly number[]): number | undefined {
  return candidates.find((at) => {
    const quote = text[at] ?? '';
    if (!/["'`]/.test(quote)) return false;
    const [before = '', after = ''] = [
      text.slice(text.lastIndexOf('\n', at) + 1, at),
      /.*/.exec(text.slice(at + 1))?.[0],
    ];
    return before.split(quote).length % 2 === 1 && !after.includes(quote);
  });
}

function wordAt(text: string, offset: number, symbol: string | undefined): string {
  if (symbol !== undefined && text.startsWith(symbol, offset)) return symbol;
  return /^(?:[\p{L}\p{N}_$]+|.)/su.exec(text.slice(offset, offset + 100))?.[0] ?? '';
}
