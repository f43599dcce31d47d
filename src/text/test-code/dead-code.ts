import type { Node } from 'web-tree-sitter';
import { calledBy } from './called.ts';
import type { TestWords } from './test-words.ts';

/** A part of a text that is never run, or whose failures nobody notices. */
export type DeadRange = { readonly start: number; readonly end: number };

const RETURNS = ['return_statement', 'return_expression', 'return', 'raise_statement'];
const BRANCHES = ['if_statement', 'if_expression', 'if', 'try_statement'];
/** In these what stands after a return is never reached; elsewhere it is one branch of several. */
const BLOCK = /block|body|compound|statement_list/;
const NEVER = /^\(?\s*(?:false|False|FALSE|0|None|null|nil|undefined|!1|!true)\s*\)?$/;
const SKIPPED = /^(?:skip|skipTest|Skip|Skipf|SkipNow|markTestSkipped|markTestIncomplete|pending|Ignore|Inconclusive)$/;
const SKIPPER = /^(?:t|tb|b|this|ctx|context|pytest|self|unittest|\$this|static|Assert)$/;
const EXIT = /^(?:exit|_exit)$/;
const PROGRAM = /^(?:process|sys|os|System)$/;

/** The parts of a text behind a return or a skip, in branches that are never taken, and in a `try` whose failures are swallowed. */
export function deadRanges(root: Node, words: TestWords): DeadRange[] {
  const bare = words.skipping === undefined ? [] : ['identifier'];
  const nodes = root.descendantsOfType([...new Set([...RETURNS, ...BRANCHES, ...words.calls, ...bare])]);
  return nodes
    .flatMap((node) => (node === null ? [] : (deadBy(node, words) ?? [])))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
}

function deadBy(node: Node, words: TestWords): DeadRange | undefined {
  if (node.type === 'try_statement') return swallowed(node);
  if (BRANCHES.includes(node.type)) return neverTaken(node);
  if (RETURNS.includes(node.type) && node.isNamed) return ends(node) ? restOfBlock(node) : undefined;
  if (node.type === 'identifier') return words.skipping?.test(node.text) ? restOfBlock(node) : undefined;
  return words.calls.includes(node.type) && skips(node, words) ? restOfBlock(node) : undefined;
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

function restOfBlock(node: Node): DeadRange | undefined {
  const parent = node.parent;
  const [statement, block] = parent?.type === 'expression_statement' ? [parent, parent.parent] : [node, parent];
  if (block === null || block === undefined || !BLOCK.test(block.type)) return undefined;
  return { start: statement.endIndex, end: block.endIndex };
}

function neverTaken(node: Node): DeadRange | undefined {
  const condition = node.childForFieldName('condition');
  const taken = node.childForFieldName('consequence') ?? node.childForFieldName('body');
  if (condition === null || taken === null || !NEVER.test(condition.text.slice(0, 50))) return undefined;
  return { start: taken.startIndex, end: taken.endIndex };
}

/** A handler that does nothing lets no assertion fail. */
function swallowed(node: Node): DeadRange | undefined {
  const body = node.childForFieldName('body');
  const handlers = node.namedChildren.filter((child) => child !== null && /^(?:catch|except)/.test(child.type));
  if (body === null || handlers.length === 0 || !handlers.some((each) => each !== null && doesNothing(each)))
    return undefined;
  return { start: body.startIndex, end: body.endIndex };
}

function doesNothing(handler: Node): boolean {
  const body =
    handler.childForFieldName('body') ??
    handler.namedChildren.findLast((child) => BLOCK.test(child?.type ?? '')) ??
    null;
  if (body === null) return false;
  return body.namedChildren.every(
    (child) => child !== null && /comment|pass_statement|empty_statement/.test(child.type),
  );
}
