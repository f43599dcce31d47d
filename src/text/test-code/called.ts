import type { Node } from 'web-tree-sitter';

const NAMES = ['attribute', 'property', 'field', 'name'];
const OWNERS = ['object', 'operand', 'value', 'expression', 'path', 'scope', 'receiver'];
const MAX_CHAIN = 20;

/** Who is called: its name, the names before it up to the first that is no name, and where its own name ends. */
export type Called = {
  readonly name: string;
  readonly on: readonly string[];
  /** What it is called on is more than names: another call, say. */
  readonly onMore: boolean;
  readonly end: number;
};

/** Reads who is called by a node that is a call in any of the grammars. */
export function calledBy(node: Node): Called | undefined {
  const callee = field(node, ['function', 'macro', 'method', 'name']);
  if (callee === undefined) return undefined;
  const inner = field(callee, NAMES) ?? callee;
  const on: string[] = [];
  let owner = field(callee, OWNERS) ?? field(node, OWNERS);
  while (owner !== undefined && on.length < MAX_CHAIN) {
    const named = field(owner, NAMES);
    if (isCall(owner) || (named === undefined && owner.namedChildCount > 1)) break;
    on.push((named ?? owner).text);
    owner = named === undefined ? undefined : field(owner, OWNERS);
  }
  return { name: inner.text, on, onMore: owner !== undefined, end: inner.endIndex };
}

/** The names of a call; those of `it.each(table)(name, test)` are the names of what it calls. */
export function namesCalled(node: Node): readonly string[] {
  const callee = node.childForFieldName('function');
  const called = calledBy(callee?.type === 'call_expression' ? callee : node);
  return called === undefined || called.onMore ? [] : [called.name, ...called.on];
}

/** What is handed over: in PHP and C# it is wrapped. */
export function bare(node: Node): Node {
  return node.type === 'argument' ? (node.namedChild(0) ?? node) : node;
}

function isCall({ type }: Node): boolean {
  return /call|invocation/.test(type);
}

function field(node: Node, names: readonly string[]): Node | undefined {
  for (const name of names) {
    const found = node.childForFieldName(name);
    if (found !== null) return found;
  }
  return undefined;
}
