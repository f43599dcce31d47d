import type { Node } from 'web-tree-sitter';
import { bare, type Called, calledBy } from './called.ts';
import { holdsAnyway } from './constant.ts';
import type { TestWords } from './test-words.ts';

const ASSERTING = /^(?:[Aa]ssert|ASSERT|[Ee]xpect|EXPECT|[Ss]hould(?:$|_)|(?:verify|check)$)/;
const FAILING = /^(?:fail|failnow|errorf?|fatalf?)$/i;
const FAILING_ALONE = /^(?:fail|panic|unreachable)$/;
/** On these a failure is reported, or a check of the test runner called. */
const RUNNER = /^(?:t|tb|b|f|c|s|self|this|\$this|cls|suite)$/;
/** A claim about one thing that says nothing until something is claimed. */
const BEGUN = /^(?:expect|Expect|assertThat)$/;
/** Claims that two things are the same. */
const SAME =
  /^(?:(?:assert|refute)?_?(?:[Dd]eep)?_?(?:[Ss]trict)?_?(?:[Ee]quals?|[Ss]ame|[Ii]s)(?:_?[Tt]o)?|toBe|toEqual|toStrictEqual|isEqualTo|isSameAs|eq|eql|deepEqual|deepStrictEqual|strictEqual|assert_eq)$/;
const MAX_CHAIN = 8;
const ON_T =
  /^(?:is|isNot|not|ok|notOk|equal|notEqual|deepEqual|strictEqual|same|notSame|strictSame|like|match|has|true|false|truthy|falsy|throws|throwsAsync|notThrows|rejects|resolves|regex|snapshot|fail)$/;
const THINGS = [
  ...[
    'identifier',
    'constant',
    'instance_variable',
    'global_variable',
    'class_variable',
    'variable_name',
    'self',
    'this',
  ],
  ...['type_identifier', 'field_identifier', 'shorthand_property_identifier', 'function_call_expression'],
];
/** A text, and how tests are written in its language. */
export type Reading = { readonly text: string; readonly words: TestWords };

/** Tells whether a node checks something that can turn out either way: what is said of literals alone never fails. */
export function isAssertion(node: Node, called: Called | undefined, { text, words }: Reading): boolean {
  if (called === undefined) return node.type === 'assert_statement' && claims(node);
  const { name, on, onMore, end } = called;
  const onRunner = on.length === 1 && RUNNER.test(on[0] ?? '');
  if (FAILING.test(name) && !onMore && (onRunner || isAsserting(on, words))) return true;
  if (FAILING_ALONE.test(name) && !onMore && on.length === 0) return true;
  const named = ASSERTING.test(name) || words.asserting?.test(name) === true;
  if (!named && !isAsserting(on, words)) return false;
  if (!named && on[0] === 't' && !ON_T.test(name)) return false;
  if (BEGUN.test(name) && on.length === 0 && !onMore && !goesOn(node, text)) return false;
  const onThing = on.length > 0 && !onRunner && !on.some((each) => ASSERTING.test(each) || each === 'require');
  return onMore || onThing || on.includes('should') || namesThings(node, end);
}

/** In Python a pair in brackets is always true, whatever stands in it. */
function claims(node: Node): boolean {
  return node.namedChild(0)?.type !== 'tuple' && namesThings(node, node.startIndex);
}

/** Tells whether an assertion compares something with itself, or claims it together with `or True`. */
export function cannotFail(node: Node, called: Called | undefined): boolean {
  const claimed = called === undefined ? node.namedChild(0) : null;
  if (claimed?.type === 'comparison_operator') {
    const [left, right, ...more] = claimed.namedChildren;
    return more.length === 0 && /\s(?:==|<=|>=|is)\s/.test(claimed.text) && isSame(left, right);
  }
  if (claimed !== null) return holdsAnyway(claimed);
  const given = argumentsOf(node);
  const compared = SAME.test(called?.name ?? '') ? given[1] : matchedBy(node, called);
  return isSame(given[0], compared) || (given[0] !== undefined && holdsAnyway(given[0]));
}

function isSame(left: Node | null | undefined, right: Node | null | undefined): boolean {
  return left !== null && left !== undefined && left.text === right?.text;
}

function argumentsOf(node: Node): Node[] {
  return (node.childForFieldName('arguments')?.namedChildren ?? []).filter((child) => child !== null).map(bare);
}

/** What a matcher behind `expect(x)` compares it with. */
function matchedBy(begun: Node, called: Called | undefined): Node | undefined {
  if (!BEGUN.test(called?.name ?? '')) return undefined;
  let above = begun.parent;
  for (let depth = 0; above !== null && depth < MAX_CHAIN; depth += 1) {
    const name = calledBy(above)?.name;
    if (name !== undefined && SAME.test(name)) return argumentsOf(above)[0];
    if (above.startIndex !== begun.startIndex) return undefined;
    above = above.parent;
  }
  return undefined;
}

function isAsserting(on: readonly string[], { assertingOn }: TestWords): boolean {
  return on.some((each) => assertingOn?.test(each) === true || /^assert(?:ions?)?$/i.test(each));
}

/** `expect(x)` needs a matcher behind it; with a second argument it has one already. */
function goesOn(node: Node, text: string): boolean {
  const behind = text.slice(node.endIndex, node.endIndex + 500).trimStart();
  return /^(?:\.|->|\?\.|\[)/.test(behind) || (node.childForFieldName('arguments')?.namedChildCount ?? 0) > 1;
}

function namesThings(node: Node, from: number): boolean {
  return node
    .descendantsOfType(THINGS)
    .some((each) => each !== null && each.startIndex >= from && !/^(?:t|tb)$/.test(each.text));
}
