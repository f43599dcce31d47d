import type { Node } from 'web-tree-sitter';
import { calledBy } from './called.ts';

const NOTHING = /comment|^(?:pass|empty|return|continue|break)(?:_statement)?$|^exceptions$|^exception_variable$/;
const TELLS = /^(?:print|println|printf|puts|p|pp|echo|warn|log|info|debug|error|trace|printStackTrace|Log|Logf)$/;
const TELLER = /^(?:console|logging|logger|log|System|out|err|warnings|t|Console|fmt|e|err|error|ex|exc|exception)$/;
const BLOCK = /block|body|compound|then|statement_list/;

/** Where failures go unheard in a `try`, in Python's `suppress` and behind `.catch(() => {})`: the part in which nothing can fail. */
export function unheardBy(node: Node): Node | undefined {
  if (node.type === 'try_statement' || node.type === 'begin') return swallowed(node);
  if (node.type === 'rescue_modifier') return node.childForFieldName('body') ?? undefined;
  if (node.type === 'with_statement') {
    const body = node.childForFieldName('body');
    const head = node.text.slice(0, (body?.startIndex ?? node.startIndex) - node.startIndex);
    return body !== null && /\bsuppress\(/.test(head.slice(0, 300)) ? body : undefined;
  }
  return node.type === 'call_expression' ? caught(node) : undefined;
}

function swallowed(node: Node): Node | undefined {
  const body = node.childForFieldName('body') ?? node;
  const parts = node.namedChildren.filter((child) => child !== null);
  const handlers = parts.filter(({ type }) => /^(?:catch|except|rescue)/.test(type));
  const ends = parts.filter(({ type }) => /^(?:finally|ensure)/.test(type));
  return handlers.some(doesNothing) || ends.some(returns) ? body : undefined;
}

/** `expect(later()).resolves.toBe(1).catch(() => {})` never fails. */
function caught(node: Node): Node | undefined {
  const callee = node.childForFieldName('function');
  const object = callee?.childForFieldName('object');
  if (callee?.childForFieldName('property')?.text !== 'catch' || object === null || object === undefined)
    return undefined;
  const handler = node.childForFieldName('arguments')?.namedChild(0);
  if (handler === null || handler === undefined || !/function/.test(handler.type)) return undefined;
  return doesNothing(handler) ? object : undefined;
}

/** A handler that only tells what it caught, or not even that, lets no assertion fail. */
function doesNothing(handler: Node): boolean {
  const body =
    handler.childForFieldName('body') ??
    handler.namedChildren.findLast((child) => BLOCK.test(child?.type ?? '')) ??
    null;
  if (body === null) return handler.type === 'rescue';
  if (!BLOCK.test(body.type)) return isIdle(body);
  return body.namedChildren.every((child) => child !== null && isIdle(child));
}

function isIdle(statement: Node): boolean {
  if (statement.type === 'return_statement' || statement.type === 'return') return statement.namedChildCount === 0;
  if (NOTHING.test(statement.type) || /^(?:undefined|null|nil|None)$/.test(statement.text.slice(0, 20))) return true;
  const call = statement.type === 'expression_statement' ? statement.namedChild(0) : statement;
  const called = call === null ? undefined : calledBy(call);
  return called !== undefined && !called.onMore && TELLS.test(called.name) && called.on.every((on) => TELLER.test(on));
}

function returns(part: Node): boolean {
  const body = part.childForFieldName('body') ?? part.namedChildren.find((child) => BLOCK.test(child?.type ?? ''));
  return (body ?? part).namedChildren.some((child) => child !== null && /^return/.test(child.type));
}
