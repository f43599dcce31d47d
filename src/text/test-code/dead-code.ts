import type { Node } from 'web-tree-sitter';
import { calledBy } from './called.ts';
import { outcomeOf } from './constant.ts';
import type { TestWords } from './test-words.ts';
import { unheardBy } from './unheard.ts';

/** A part of a text that is never run, or whose failures nobody notices. */
export type DeadRange = { readonly start: number; readonly end: number };

const RETURNS = ['return_statement', 'return_expression', 'return', 'raise_statement'];
const BRANCHES = [
  ...['if_statement', 'elif_clause', 'if_expression', 'if', 'while_statement', 'while_expression', 'for_statement'],
  ...['ternary_expression', 'conditional_expression', 'binary_expression', 'boolean_operator', 'for_in_statement'],
];
const TRIES = ['try_statement', 'begin', 'rescue_modifier', 'with_statement', 'call_expression'];
/** In these what stands after a return is never reached; elsewhere it is one branch of several. */
const BLOCK = /block|body|compound|statement_list/;
const EMPTY_LIST = /^(?:\[\s*\]|\(\s*\)|range\(\s*0\s*\))$/;
const SKIPPED = /^(?:skip|skipTest|Skip|Skipf|SkipNow|markTestSkipped|markTestIncomplete|pending|Ignore|Inconclusive)$/;
const SKIPPER = /^(?:t|tb|b|this|ctx|context|pytest|self|unittest|\$this|static|Assert)$/;
const LIST_LIMIT = 50;
const MAX_ABOVE = 10;
const EXIT = /^(?:exit|_exit)$/;
const PROGRAM = /^(?:process|sys|os|System)$/;

/**
 * The parts of a text behind a return or a skip, in branches that are never taken, where failures go unheard, and in functions that
 * another of their name replaces or nobody calls.
 */
export function deadRanges(root: Node, words: TestWords): DeadRange[] {
  const bare = words.skipping === undefined ? [] : ['identifier'];
  const types = [
    ...RETURNS,
    ...BRANCHES,
    ...TRIES,
    ...words.calls,
    ...words.functions,
    ...(words.lastWins ?? []),
    ...bare,
  ];
  const nodes = root.descendantsOfType([...new Set(types)]).filter((node) => node !== null);
  return [...nodes.flatMap((node) => deadBy(node, words)), ...replaced(nodes, words), ...uncalled(nodes, root, words)]
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
}

function deadBy(node: Node, words: TestWords): DeadRange[] {
  if (BRANCHES.includes(node.type)) return neverTaken(node);
  const unheard = TRIES.includes(node.type) ? unheardBy(node) : undefined;
  if (unheard !== undefined) return [rangeOf(unheard)];
  if (RETURNS.includes(node.type)) return node.isNamed && ends(node) ? restOfBlock(node) : [];
  if (node.type === 'identifier') return words.skipping?.test(node.text) ? restOfBlock(node) : [];
  return words.calls.includes(node.type) && skips(node, words) ? restOfBlock(node) : [];
}

function rangeOf({ startIndex: start, endIndex: end }: Node): DeadRange {
  return { start, end };
}

/** What is raised lets a test fail, but for the word that it is skipped. */
function ends(node: Node): boolean {
  return node.type !== 'raise_statement' || /^raise\s+[\w.]*(?:SkipTest|[Ss]kip)/.test(node.text.slice(0, 200));
}

function skips(node: Node, { skipping }: TestWords): boolean {
  const called = calledBy(node);
  if (called === undefined || called.onMore) return false;
  const { name, on } = called;
  if (on.length === 0) return skipping?.test(name) === true;
  return (
    on.length === 1 &&
    ((SKIPPED.test(name) && SKIPPER.test(on[0] ?? '')) || (EXIT.test(name) && PROGRAM.test(on[0] ?? '')))
  );
}

function restOfBlock(node: Node): DeadRange[] {
  const parent = node.parent;
  const [statement, block] = parent?.type === 'expression_statement' ? [parent, parent.parent] : [node, parent];
  if (block === null || block === undefined || !BLOCK.test(block.type)) return [];
  return [{ start: statement.endIndex, end: block.endIndex }];
}

function neverTaken(node: Node): DeadRange[] {
  const field = (name: string) => node.childForFieldName(name);
  const listed = field('right');
  const body = field('consequence') ?? field('body');
  const operator = field('operator')?.text ?? '';
  if (/^(?:&&|\|\||and|or)$/.test(operator)) return shortCut(node, operator);
  if (node.type.startsWith('for') && listed !== null)
    return body !== null && EMPTY_LIST.test(listed.text.slice(0, LIST_LIMIT)) ? [rangeOf(body)] : [];
  const condition = field('condition');
  if (condition === null) return [];
  const outcome = outcomeOf(condition);
  const [taken, left] = [body, field('alternative')];
  return [
    ...(taken !== null && (outcome === 'never' || outcome === 'either') ? [rangeOf(taken)] : []),
    ...(left !== null && (outcome === 'always' || outcome === 'either') ? [rangeOf(left)] : []),
  ];
}

/** `false && check()` checks nothing. */
function shortCut(node: Node, operator: string): DeadRange[] {
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
  if (left === null || right === null) return [];
  const stops = operator === '&&' || operator === 'and' ? 'never' : 'always';
  const outcome = outcomeOf(left);
  return outcome === stops || outcome === 'either' ? [rangeOf(right)] : [];
}

/** Of functions and classes of one name in one block only the last is there when tests are run. */
function replaced(nodes: readonly Node[], { lastWins = [] }: TestWords): DeadRange[] {
  const last = new Map<string, Node>();
  const ranges: DeadRange[] = [];
  for (const node of nodes) {
    const name = lastWins.includes(node.type) ? node.childForFieldName('name') : null;
    if (name === null) continue;
    const parent = node.parent?.type === 'decorated_definition' ? node.parent.parent : node.parent;
    const key = `${parent?.id} ${name.text}`;
    const before = last.get(key);
    if (before !== undefined) ranges.push(rangeOf(before));
    last.set(key, node);
  }
  return ranges;
}

const CLOSURES = ['function_definition', 'function_declaration', 'variable_declarator'];
const AROUND =
  /^(?:function_definition|function_declaration|function_expression|arrow_function|method_definition|method_declaration)$/;

/** A function in a function whose name stands nowhere else in the text is never called. */
function uncalled(nodes: readonly Node[], root: Node, words: TestWords): DeadRange[] {
  const inner = nodes.filter(
    (node) => CLOSURES.includes(node.type) && words.functions.includes(node.type) && isClosure(node),
  );
  if (inner.length === 0) return [];
  const times = new Map<string, number>();
  for (const [word] of root.text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) times.set(word, (times.get(word) ?? 0) + 1);
  return inner.filter((node) => times.get(node.childForFieldName('name')?.text ?? '') === 1).map(rangeOf);
}

function isClosure(node: Node): boolean {
  if (node.type === 'variable_declarator' && !AROUND.test(node.childForFieldName('value')?.type ?? '')) return false;
  let above = node.parent;
  if (above?.type === 'decorated_definition') return false;
  for (let depth = 0; above !== null && depth < MAX_ABOVE; depth += 1) {
    if (/class/.test(above.type)) return false;
    if (AROUND.test(above.type)) return true;
    above = above.parent;
  }
  return false;
}
