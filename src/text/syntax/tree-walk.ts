import type { Node, Tree } from 'web-tree-sitter';

/** Visits the nodes of a tree in the order of the text; `visit` says what comes next. Never recurses: trees may be very deep. */
export function walkTree(tree: Tree, visit: (node: Node) => 'into' | 'over' | 'stop'): void {
  const cursor = tree.walk();
  try {
    for (;;) {
      const next = visit(cursor.currentNode);
      if (next === 'stop') return;
      if (next === 'into' && cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return;
    }
  } finally {
    cursor.delete();
  }
}
