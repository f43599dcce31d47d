import type { Tree } from 'web-tree-sitter';
import { walkTree } from './tree-walk.ts';

/** Something that is opened and not closed, and where. */
export type OpenBracket = { readonly kind: string; readonly text: string; readonly offset: number };

/** What closes, with what it closes: brackets, and the quotes of Python. */
export const CLOSES: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
  ['string_end', 'string_start'],
]);
const OPENS = new Set(CLOSES.values());
const MAX_NODES = 200_000;

/** The innermost bracket that is still open at an offset; the tree knows which ones stand in texts and comments. */
export function openBracket(tree: Tree, offset: number): OpenBracket | undefined {
  const open: OpenBracket[] = [];
  let visited = 0;
  walkTree(tree, (node) => {
    visited += 1;
    if (node.startIndex >= offset || visited > MAX_NODES) return 'stop';
    const { type: kind, isMissing } = node;
    if (OPENS.has(kind) && !isMissing) open.push({ kind, text: node.text, offset: node.startIndex });
    const opened = CLOSES.get(kind);
    const at = opened === undefined || isMissing ? -1 : open.findLastIndex((bracket) => bracket.kind === opened);
    if (at !== -1) open.length = at;
    return 'into';
  });
  return visited > MAX_NODES ? undefined : open.at(-1);
}
