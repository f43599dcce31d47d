import type { Node, Tree } from 'web-tree-sitter';
import type { Oversight } from './problem.ts';

const CLAUSES = ['elif_clause', 'else_clause', 'except_clause', 'except_group_clause', 'finally_clause'];

/** Finds what the grammar of Python does not mind: statements out of line with their neighbours, and blocks that are not there. */
export function misplacedStatements(tree: Tree, text: string): Oversight[] {
  const { rootNode } = tree;
  const nodes = [rootNode, ...rootNode.descendantsOfType(['block', ...CLAUSES])];
  return nodes
    .flatMap((node) => (CLAUSES.includes(node.type) ? inClause(node, text) : inBlock(node, text)))
    .sort((a, b) => a.offset - b.offset);
}

function inBlock(block: Node, text: string): Oversight[] {
  const isFile = block.type === 'module';
  const [first, ...others] = block.namedChildren.filter(({ type }) => type !== 'comment');
  if (first === undefined)
    return isFile ? [] : [{ offset: block.startIndex, message: 'an indented block must follow' }];
  const column = isFile ? 0 : first.startPosition.column;
  return (isFile ? [first, ...others] : others).flatMap((node) => misplaced(node, column, text));
}

function inClause(clause: Node, text: string): Oversight[] {
  return misplaced(clause, clause.parent?.startPosition.column ?? 0, text);
}

function misplaced({ startIndex: offset, startPosition }: Node, column: number, text: string): Oversight[] {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trimEnd();
  if (before !== '') return before.endsWith(';') ? [] : [{ offset, message: 'a new line is missing before this' }];
  if (startPosition.column === column || isContinued(offset, text)) return [];
  return [{ offset, message: 'unexpected indentation' }];
}

function isContinued(offset: number, text: string): boolean {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start));
}
