import type { Node } from 'web-tree-sitter';
import type { SourceLanguage } from '../syntax/grammar.ts';
import { type Mutant, quoted, replaced } from './mutant.ts';
import { swapOf } from './swaps.ts';

const CONDITIONAL =
  /^(?:if_statement|if_expression|elif_clause|else_if_clause|ternary_expression|conditional_expression|conditional|if|elsif|unless|if_modifier|unless_modifier)$/;
const NEGATED = /^(?:!|not\b)/;
const NOTHING: Partial<Record<SourceLanguage, string>> = {
  javascript: 'null',
  typescript: 'null',
  tsx: 'null',
  python: 'None',
  php: 'null',
  ruby: 'nil',
};
const IS_NOTHING = /^(?:null|undefined|None|nil|void 0)$/;
/** What does something; a declaration is needed by what follows it. */
const DOING =
  /^(?:call|call_expression|await|await_expression|assignment_expression|augmented_assignment(?:_expression)?|compound_assignment_expr|update_expression|invocation_expression|method_invocation|function_call_expression|member_call_expression|scoped_call_expression|macro_invocation|throw_expression|postfix_unary_expression|yield|yield_expression|delete_statement)$/;
/** Statements nobody tests: they only tell, load or set up. */
const TELLING =
  /^(?:await )?(?:console|log|logger|logging|print|println|printf|eprintln|fmt\.Print|puts|echo|debug|warn|super\b|set\b|require|System\.(?:out|err)|std::cout|Console\.)/i;
const STATEMENT = /^(?:expression_statement|command|call)$/;
const RUBY_BODY = /^(?:body_statement|then|else|block_body|do_block|ensure|rescue)$/;

/** Tells whether a statement only says something, so that no test depends on it. */
export function isTelling({ type, text }: Node): boolean {
  return STATEMENT.test(type) && TELLING.test(text.slice(0, 40));
}

/** Breaks a condition, a returned value or a statement. */
export function breakFlow(node: Node, language: SourceLanguage): Mutant | undefined {
  if (CONDITIONAL.test(node.type)) return negated(node, language);
  if (/^(?:return_statement|return|arrow_function|lambda)$/.test(node.type)) return otherResult(node, language);
  const text = removal(node, language);
  if (text === undefined) return undefined;
  return replaced(node, text, { rank: 4, change: `${quoted(node.text)} was removed` });
}

function negated(node: Node, language: SourceLanguage): Mutant | undefined {
  const condition = node.childForFieldName('condition');
  if (condition === null || language === 'bash' || /^(?:let_|declaration)/.test(condition.type)) return undefined;
  const wrapped = /^(?:parenthesized_expression|condition_clause|parenthesized_statements)$/.test(condition.type);
  const [inner] = wrapped ? condition.namedChildren : [condition];
  if (inner === null || inner === undefined || (wrapped && condition.namedChildCount !== 1)) return undefined;
  // The same mutant is made of its operator.
  if (NEGATED.test(inner.text) || isSwappable(inner, language) || /declaration/.test(inner.type)) return undefined;
  const not = language === 'python' ? `not (${inner.text})` : `!(${inner.text})`;
  const text = wrapped ? `(${not})` : not;
  return replaced(condition, text, { rank: 1, change: `the condition ${quoted(inner.text)} was negated` });
}

function isSwappable(node: Node, language: SourceLanguage): boolean {
  return (
    /binary|comparison|boolean_operator/.test(node.type) &&
    node.children.some((each) => each !== null && !each.isNamed && swapOf(each.type, language)?.rank === 1)
  );
}

/** Only where any value will do: elsewhere another type would not compile. */
function otherResult(node: Node, language: SourceLanguage): Mutant | undefined {
  const nothing = NOTHING[language];
  const value = node.childForFieldName('body') ?? (/^return/.test(node.type) ? node.namedChild(0) : null);
  if (nothing === undefined || value === null || IS_NOTHING.test(value.text)) return undefined;
  if (/statement_block|^block$|compound_statement|do_block/.test(value.type)) return undefined;
  return replaced(value, nothing, { rank: 3, change: `the result ${quoted(value.text)} became ${nothing}` });
}

/** What stands where a statement was; undefined for what is not to be removed: what a file does when it is loaded defines it. */
function removal({ type, parent, namedChildren }: Node, language: SourceLanguage): string | undefined {
  const inner = namedChildren[0]?.type ?? '';
  if (parent === null || (parent.parent === null && language !== 'bash')) return undefined;
  if (language === 'python')
    return type === 'raise_statement' || (type === 'expression_statement' && DOING.test(inner)) ? 'pass' : undefined;
  if (language === 'ruby')
    return /^(?:call|operator_assignment)$/.test(type) && RUBY_BODY.test(parent.type) ? 'nil' : undefined;
  if (language === 'bash') return type === 'command' ? 'true' : undefined;
  if (language === 'go')
    return /^(?:inc_statement|dec_statement|assignment_statement)$/.test(type) ||
      (type === 'expression_statement' && DOING.test(inner))
      ? '{}'
      : undefined;
  return type === 'throw_statement' || (type === 'expression_statement' && DOING.test(inner)) ? ';' : undefined;
}
