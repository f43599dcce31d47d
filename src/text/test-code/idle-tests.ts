import type { Node } from 'web-tree-sitter';
import { namesCalled } from './called.ts';
import type { Reading } from './is-assertion.ts';

const IDLE = /^(?:skip|todo|fails|failing|xit|xtest|xspecify|xdescribe|xcontext|xexample|xscenario|pending)$/;
const ONLY = /^(?:only|fit|ftest|fdescribe|fcontext|fspecify|fexample)$/;
const OPTION = /\b(?:skip|todo|fails|failing|expectFailure)["']?\s*:\s*(?:true\b|1\b|["'`])/;
const ONLY_OPTION = /\bonly["']?\s*:\s*true\b/;
/** `skipIf(true)`, `runIf(false)` and an empty table: a condition of the machine may hold elsewhere. */
const ALWAYS = {
  skipIf: /^\(\s*(?:true|1)\s*[,)]/,
  runIf: /^\(\s*(?:false|0)\s*[,)]/,
  each: /^\(\s*\[\s*\]\s*[,)]/,
  for: /^\(\s*\[\s*\]\s*[,)]/,
} as const;
const SUITE = /^(?:describe|suite|context|x?describe|fdescribe|xcontext|fcontext|feature)$/;
const HEAD_LIMIT = 2000;
const MAX_ABOVE = 50;

/** How a test is marked, or the suites it stands in: not to count, or to be the only one that is run. */
export type Marks = { readonly isIdle: boolean; readonly isOnly: boolean };

const NONE: Marks = { isIdle: false, isOnly: false };

/** Reads the marks of a test: calls, decorators, annotations and attributes of it and of what it stands in. */
export function marksOf(node: Node, head: string, reading: Reading): Marks {
  const own = reading.words.calls.includes(node.type) ? callMarks(node) : NONE;
  const marks = [own, { isIdle: reading.words.idle?.test(head) === true, isOnly: false }];
  let above = node.parent;
  for (let depth = 0; above !== null && depth < MAX_ABOVE; depth += 1) {
    marks.push(marksAbove(above, node, reading));
    above = above.parent;
  }
  return { isIdle: marks.some(({ isIdle }) => isIdle), isOnly: marks.some(({ isOnly }) => isOnly) };
}

function marksAbove(above: Node, node: Node, { text, words }: Reading): Marks {
  if (words.calls.includes(above.type))
    return namesCalled(above).some((name) => SUITE.test(name)) ? callMarks(above) : NONE;
  if (!/^(?:class|decorated)_(?:definition|declaration)$/.test(above.type)) return NONE;
  const body = above.childForFieldName('body') ?? above.childForFieldName('definition');
  const end = Math.min(body?.startIndex ?? node.startIndex, above.startIndex + HEAD_LIMIT);
  return { isIdle: words.idle?.test(text.slice(above.startIndex, end)) === true, isOnly: false };
}

function callMarks(node: Node): Marks {
  const names = namesCalled(node);
  const options = (node.childForFieldName('arguments')?.namedChildren ?? [])
    .filter((child) => child?.type === 'object')
    .map((child) => child?.text.slice(0, HEAD_LIMIT) ?? '');
  const always = (['skipIf', 'runIf', 'each', 'for'] as const).some(
    (name) => names.includes(name) && ALWAYS[name].test(conditionOf(node)),
  );
  return {
    isIdle: always || names.some((name) => IDLE.test(name)) || options.some((text) => OPTION.test(text)),
    isOnly: names.some((name) => ONLY.test(name)) || options.some((text) => ONLY_OPTION.test(text)),
  };
}

/** Of `it.skipIf(condition)(name, test)` what stands in the first brackets. */
function conditionOf(node: Node): string {
  return node.childForFieldName('function')?.childForFieldName('arguments')?.text.slice(0, HEAD_LIMIT) ?? '';
}
