import type { Node } from 'web-tree-sitter';

const NEVER = /^\(?\s*(?:false|False|FALSE|0|None|null|nil|undefined|!1|!true|not\s+True)\s*\)?$/;
const ALWAYS = /^\(?\s*(?:true|True|TRUE|1|!0|!false|not\s+False)\s*\)?$/;
const OR = /^(?:\|\||or)$/;
const PLAIN_STRING = /'[^'{\n]*'|"[^"{\n]*"/g;
const WORDS_OF_LITERALS = /\b(?:true|false|null|nil|none|undefined|not|and|or|is|in)\b/gi;
const LIMIT = 200;
const MAX_DEPTH = 20;

/** What a condition comes to: `either` where it is made of literals alone and nobody here works out of what. */
export type Outcome = 'always' | 'never' | 'either' | 'maybe';

/** Tells what a condition comes to as far as its text alone says. */
export function outcomeOf(condition: Node): Outcome {
  const text = condition.text.slice(0, LIMIT + 1);
  if (text.length > LIMIT) return 'maybe';
  if (ALWAYS.test(text)) return 'always';
  if (NEVER.test(text)) return 'never';
  const rest = text.replace(PLAIN_STRING, '').replace(WORDS_OF_LITERALS, '');
  return /[\p{L}_$@]/u.test(rest) ? 'maybe' : 'either';
}

/** Tells whether something is true whatever is computed in it: `x or True`. */
export function holdsAnyway(claimed: Node, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const inner = claimed.type === 'parenthesized_expression' ? claimed.namedChild(0) : null;
  if (inner !== null) return holdsAnyway(inner, depth + 1);
  if (!OR.test(claimed.childForFieldName('operator')?.text ?? '')) return false;
  return [claimed.childForFieldName('left'), claimed.childForFieldName('right')].some(
    (side) => side !== null && (outcomeOf(side) === 'always' || holdsAnyway(side, depth + 1)),
  );
}
