import type { Node } from 'web-tree-sitter';
import { bare, namesCalled } from './called.ts';
import { type Marks, marksOf } from './idle-tests.ts';
import type { Reading } from './is-assertion.ts';
import type { TestWords } from './test-words.ts';

const FUNCTIONS = new Set([
  'arrow_function',
  'function_expression',
  'function',
  'generator_function',
  'anonymous_function',
]);

/** A test, or a function outside of tests, with what it asserts itself and which functions of the text it calls. */
export type Scope = {
  readonly name: string;
  readonly isTest: boolean;
  /** How a test is marked. */
  readonly marks?: Marks;
  readonly start: number;
  readonly end: number;
  readonly calls: string[];
  own: number;
};

/** The tests and functions in the order of the text; what a test defines belongs to it. */
export function scopesOf(nodes: readonly Node[], { text, words }: Reading): Scope[] {
  const scopes: Scope[] = [];
  let inTest = 0;
  let attributes = '';
  for (const node of nodes) {
    if (node.type === 'attribute_item') {
      attributes += node.text.slice(0, 300);
      continue;
    }
    const { startIndex: start, endIndex: end } = node;
    const found = start < inTest ? undefined : scopeName(node, words);
    if (found !== undefined) {
      const head = attributes + text.slice(start, Math.min(found.at, start + 2000));
      const isTest = found.isTest ?? words.isTest({ name: found.name, head });
      const own = words.expectsFailure?.test(head) ? 1 : 0;
      const marks = isTest ? { marks: marksOf(node, head, { text, words }) } : {};
      scopes.push({ name: found.name, isTest, ...marks, start, end, calls: [], own });
      if (isTest) inTest = end;
    }
    attributes = '';
  }
  return scopes;
}

type Found = { readonly name: string; readonly at: number; readonly isTest?: true };

function scopeName(node: Node, words: TestWords): Found | undefined {
  if (words.functions.includes(node.type)) {
    const name = node.childForFieldName('name');
    const isFunction =
      node.type !== 'variable_declarator' || FUNCTIONS.has(node.childForFieldName('value')?.type ?? '');
    return name === null || !isFunction ? undefined : { name: name.text, at: name.startIndex };
  }
  const handed = node.childForFieldName('arguments')?.namedChildren ?? [];
  const given = handed.some((each) => each !== null && FUNCTIONS.has(bare(each).type));
  if (words.testCalls === undefined || (!given && node.childForFieldName('block') === null)) return undefined;
  const names = namesCalled(node);
  if (!names.some((name) => words.testCalls?.test(name))) return undefined;
  return { name: (handed[0] ?? node).text.slice(0, 200), at: node.startIndex, isTest: true };
}
