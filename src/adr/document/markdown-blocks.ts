import type { Block } from './block.ts';
import { libraryBlocks } from './markdown-library.ts';
import { simpleBlocks } from './simple-markdown.ts';

/** Splits Markdown (CommonMark) into blocks, reading a fence with an info string inside an open fence as nested. The first lines can be left out. */
export function markdownBlocks(lines: readonly string[], above = 0): readonly Block[] {
  return simpleBlocks(lines, above) ?? libraryBlocks('\n'.repeat(above) + lines.slice(above).join('\n'));
}
