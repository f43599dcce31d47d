import type { Parser, Tree } from 'web-tree-sitter';

/** The parser asks after every hundred steps whether to go on. */
const MAX_ASKED = 1_000_000;

/** Parses a text; undefined where that takes too long. */
export function parseBounded(parser: Parser, text: string): Tree | undefined {
  let asked = 0;
  const tree = parser.parse(text, null, { progressCallback: () => ++asked > MAX_ASKED });
  if (tree === null) parser.reset();
  return tree ?? undefined;
}
