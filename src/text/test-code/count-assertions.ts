import type { Node } from 'web-tree-sitter';
import { parserFor, type SourceLanguage } from '../syntax/grammar.ts';
import { parseBounded } from '../syntax/parse-bounded.ts';
import { type Called, calledBy } from './called.ts';
import { type DeadRange, deadRanges } from './dead-code.ts';
import { cannotFail, isAssertion, type Reading } from './is-assertion.ts';
import { type Scope, scopesOf } from './test-scopes.ts';
import { TEST_WORDS } from './test-words.ts';

const MAX_DEPTH = 20;
const MAX_COUNT = 1_000_000;
/** On what a function of the same text is called. */
const OWN = /^(?:self|Self|this|\$this|cls|s|suite|static)$/;

/**
 * The tests of a text with the number of their assertions: one that is skipped, expected to fail or left out because of others that are
 * marked as the only ones has none. `sure` is false where the grammar could not read all of it.
 */
export type TestCount = {
  readonly tests: ReadonlyMap<string, number>;
  readonly idle: ReadonlySet<string>;
  /** How many assertions stand outside of all tests. */
  readonly outside: number;
  readonly sure: boolean;
};

/** Counts the assertions in the tests of a text; undefined where that cannot be told. */
export async function countAssertions(language: SourceLanguage, text: string): Promise<TestCount | undefined> {
  const words = TEST_WORDS[language];
  if (words === undefined) return undefined;
  const tree = parseBounded(await parserFor(language), text);
  if (tree === undefined) return undefined;
  try {
    const types = [...words.functions, ...words.calls, 'attribute_item'];
    const nodes = tree.rootNode.descendantsOfType(types).filter((node) => node !== null);
    const dead = deadRanges(tree.rootNode, words);
    const { scopes, outside } = fill(scopesOf(nodes, { text, words }), nodes, { text, words, dead });
    return { ...weigh(scopes, words.idleWhole?.test(text) === true), outside, sure: !tree.rootNode.hasError };
  } finally {
    tree.delete();
  }
}

/** Counts what each scope asserts; an assertion within an assertion is a part of it. */
function fill(
  scopes: readonly Scope[],
  nodes: readonly Node[],
  { text, words, dead }: Reading & { readonly dead: readonly DeadRange[] },
): { readonly scopes: readonly Scope[]; readonly outside: number } {
  const local = new Set(scopes.filter(({ isTest }) => !isTest).map(({ name }) => name));
  const open: Scope[] = [];
  const isDead = within(dead);
  let [next, done, outside] = [0, 0, 0];
  for (const node of nodes) {
    for (let scope = scopes[next]; scope !== undefined && scope.start <= node.startIndex; scope = scopes[next]) {
      open.push(scope);
      next += 1;
    }
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node.startIndex) open.pop();
    const scope = open.at(-1);
    if (node.startIndex < done || !words.calls.includes(node.type) || isDead(node.startIndex)) continue;
    const called = calledBy(node);
    if (called !== undefined && local.has(called.name) && isOwn(called)) scope?.calls.push(called.name);
    else if (isAssertion(node, called, { text, words })) {
      const counts = cannotFail(node, called) ? 0 : 1;
      if (scope !== undefined) scope.own += counts;
      outside += scope?.isTest === true ? 0 : counts;
      done = node.endIndex;
    }
  }
  return { scopes, outside };
}

/** Tells of places, asked in the order of the text, whether they lie in one of the ranges. */
function within(ranges: readonly DeadRange[]): (place: number) => boolean {
  let [next, end] = [0, 0];
  return (place) => {
    for (let range = ranges[next]; range !== undefined && range.start <= place; range = ranges[next]) {
      end = Math.max(end, range.end);
      next += 1;
    }
    return place < end;
  };
}

function isOwn({ on, onMore }: Called): boolean {
  return !onMore && (on.length === 0 || (on.length === 1 && OWN.test(on[0] ?? '')));
}

/** The assertions of each test together with those of the functions it calls. */
function weigh(scopes: readonly Scope[], isIdle: boolean): Pick<TestCount, 'tests' | 'idle'> {
  const functions = new Map(scopes.filter(({ isTest }) => !isTest).map((scope) => [scope.name, scope]));
  const known = new Map<Scope, number>();
  const weight = (scope: Scope, depth: number): number => {
    const before = known.get(scope);
    if (before !== undefined) return before;
    known.set(scope, scope.own);
    const called = depth > MAX_DEPTH ? [] : scope.calls.map((name) => functions.get(name));
    const sum = called.reduce((total, each) => total + (each === undefined ? 0 : weight(each, depth + 1)), scope.own);
    known.set(scope, Math.min(sum, MAX_COUNT));
    return Math.min(sum, MAX_COUNT);
  };
  const tests = new Map<string, number>();
  const idle = new Set<string>();
  const seen = new Map<string, number>();
  const hasOnly = scopes.some(({ marks }) => marks?.isOnly);
  for (const scope of scopes.filter(({ isTest }) => isTest)) {
    const times = (seen.get(scope.name) ?? 0) + 1;
    seen.set(scope.name, times);
    const name = times === 1 ? scope.name : `${scope.name} (${times})`;
    if (isIdle || scope.marks?.isIdle || (hasOnly && !scope.marks?.isOnly)) idle.add(name);
    tests.set(name, idle.has(name) ? 0 : weight(scope, 0));
  }
  return { tests, idle };
}
