import type { Node, Tree } from 'web-tree-sitter';
import { parserFor, type SourceLanguage } from '../syntax/grammar.ts';
import { parseBounded } from '../syntax/parse-bounded.ts';
import { isFine } from '../syntax/second-opinion.ts';
import { walkTree } from '../syntax/tree-walk.ts';
import { breakFlow, isTelling } from './break-flow.ts';
import { breakValue } from './break-value.ts';
import type { Mutant } from './mutant.ts';

const MAX_FOUND = 2000;
/** What is not run, or only says what things are called. */
const PASSED_OVER =
  /^(?:comment|line_comment|block_comment|import_(?:statement|from_statement|declaration|spec)|use_declaration|using_directive|package_(?:clause|declaration)|preproc_\w+|namespace_(?:use_declaration|definition)|type|type_\w+|interface_declaration|annotation|marker_annotation|attribute_(?:item|list)|decorator|literal_type|predefined_type|generic_type|template_argument_list|jsx_attribute|field_declaration_list)$/;
const TEST = /#\[(?:cfg\(test\)|(?:\w+::)*test)/;

/** All ways known to break these lines of a text, counted from 1, in the order of the text; none that would not parse. */
export async function findMutants(
  language: SourceLanguage,
  text: string,
  lines: ReadonlySet<number>,
): Promise<Mutant[]> {
  if (language === 'css' || lines.size === 0) return [];
  const tree = parseBounded(await parserFor(language), text);
  if (tree === undefined) return [];
  try {
    if (tree.rootNode.hasError && !isFine(language, text, tree)) return [];
    return collect(tree, language, lines);
  } finally {
    tree.delete();
  }
}

/** The text with a mutant in it; undefined where it would not parse. */
export async function applyMutant(language: SourceLanguage, text: string, mutant: Mutant): Promise<string | undefined> {
  const broken = text.slice(0, mutant.start) + mutant.text + text.slice(mutant.end);
  const tree = parseBounded(await parserFor(language), broken);
  if (tree === undefined) return undefined;
  try {
    return !tree.rootNode.hasError || isFine(language, broken, tree) ? broken : undefined;
  } finally {
    tree.delete();
  }
}

function collect(tree: Tree, language: SourceLanguage, lines: ReadonlySet<number>): Mutant[] {
  const found: Mutant[] = [];
  const last = Math.max(...lines);
  walkTree(tree, (node) => {
    const { row } = node.startPosition;
    if (row + 1 > last || found.length >= MAX_FOUND) return 'stop';
    if (!touches(node, lines) || isPassedOver(node)) return 'over';
    if (lines.has(row + 1)) {
      const mutants = [breakValue(node, language), node.isNamed ? breakFlow(node, language) : undefined];
      found.push(...mutants.filter((mutant) => mutant !== undefined));
    }
    return 'into';
  });
  return found;
}

function touches({ startPosition, endPosition }: Node, lines: ReadonlySet<number>): boolean {
  for (let line = startPosition.row + 1; line <= endPosition.row + 1; line += 1) if (lines.has(line)) return true;
  return false;
}

/** In Rust and Python, tests may stand beside what they test. */
function isPassedOver(node: Node): boolean {
  if (PASSED_OVER.test(node.type)) return node.isNamed;
  if (isTelling(node)) return true;
  if (node.type === 'mod_item' || node.type === 'function_item') return isMarkedAsTest(node);
  if (node.type !== 'function_definition' && node.type !== 'class_definition') return false;
  return /^test_|^Test[A-Z]/.test(node.childForFieldName('name')?.text ?? '');
}

function isMarkedAsTest(node: Node): boolean {
  for (let before = node.previousNamedSibling; before?.type === 'attribute_item'; before = before.previousNamedSibling)
    if (TEST.test(before.text)) return true;
  return false;
}
