import type { Node } from 'web-tree-sitter';
import { oneLine } from '../sanitise.ts';

const MAX_SHOWN = 60;

/** One way to break a text: what stands from `start` to `end` is replaced. */
export type Mutant = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Counts from 1. */
  readonly line: number;
  /** What was changed, in words. */
  readonly change: string;
  /** How likely a test of this line fails for it, and not for want of a program that runs at all; 1 is best. */
  readonly rank: number;
};

/** A mutant that has something else in the place of a node. */
export function replaced(node: Node, text: string, { rank, change }: Pick<Mutant, 'rank' | 'change'>): Mutant {
  const { startIndex: start, endIndex: end, startPosition } = node;
  return { start, end, text, line: startPosition.row + 1, change, rank };
}

/** A piece of code in a sentence. */
export function quoted(code: string): string {
  return JSON.stringify(oneLine(code, MAX_SHOWN));
}
