import type { Node } from 'web-tree-sitter';
import { parserFor } from '../syntax/grammar.ts';
import { parseBounded } from '../syntax/parse-bounded.ts';

/** A Rust file in two: the product, and the one module of tests at its end, if there is one. */
export type RustParts = { readonly product: string; readonly tests: string };

const FOR_TESTS = '#[cfg(test)]';
/** Tests that stand elsewhere than in a module at the end. */
const TEST_ATTRIBUTE = /#!?\s*\[[^\]]*\btest\b/;

/** Splits a Rust file into product and tests; undefined where that cannot be told surely. */
export async function splitRust(text: string): Promise<RustParts | undefined> {
  const tree = parseBounded(await parserFor('rust'), text);
  if (tree === undefined) return undefined;
  try {
    if (tree.rootNode.hasError) return undefined;
    const at = startOfTests(tree.rootNode);
    if (at !== undefined) return { product: text.slice(0, at).trimEnd(), tests: text.slice(at).trimEnd() };
    return TEST_ATTRIBUTE.test(text) ? undefined : { product: text.trimEnd(), tests: '' };
  } finally {
    tree.delete();
  }
}

/** Attributes before the condition are excluded: a macro among them would see the module in every build. */
function startOfTests({ namedChildren }: Node): number | undefined {
  const [before, attribute, last] = [namedChildren.at(-3), namedChildren.at(-2), namedChildren.at(-1)];
  if (last?.type !== 'mod_item' || last.childForFieldName('body') === null) return undefined;
  if (attribute?.text !== FOR_TESTS || before?.type === 'attribute_item') return undefined;
  return attribute.startIndex;
}
