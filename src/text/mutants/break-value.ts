import type { Node } from 'web-tree-sitter';
import type { SourceLanguage } from '../syntax/grammar.ts';
import { type Mutant, quoted, replaced } from './mutant.ts';
import { swapOf } from './swaps.ts';

const BETWEEN =
  /^(?:binary|binary_expression|binary_operator|boolean_operator|comparison_operator|augmented_assignment(?:_expression)?|operator_assignment|compound_assignment_expr|assignment_expression|assignment_statement|update_expression|inc_statement|dec_statement|postfix_unary_expression|prefix_unary_expression|unary_expression|list)$/;
const NEGATIONS = /^(?:unary_expression|prefix_unary_expression|unary_op_expression|not_operator|unary)$/;
const NUMBERS =
  /^(?:number|integer|float|int_literal|float_literal|decimal_integer_literal|decimal_floating_point_literal|integer_literal|real_literal|number_literal)$/;
const STRINGS = /^(?:string|string_literal|interpreted_string_literal|encapsed_string)$/;
/** Numbers that name a place or a size, not a value. */
const PLACES = /^(?:field_expression|array_type|array_declarator|enum_specifier)$/;
/** Texts that name something, or that nobody reads at run time. */
const NAMING = /^(?:import|export|expression_statement$|pair_pattern|directive|element_reference|concatenated_string$)/;
const TRUTHS: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };

/** Breaks an operator, a negation or a constant. */
export function breakValue(node: Node, language: SourceLanguage): Mutant | undefined {
  if (!node.isNamed || node.type === 'test_operator') return swapped(node, language);
  if (NEGATIONS.test(node.type)) return withoutNegation(node);
  if (Object.hasOwn(TRUTHS, node.text.slice(0, 6)) && node.namedChildCount === 0) return otherTruth(node);
  if (NUMBERS.test(node.type)) return otherNumber(node);
  return STRINGS.test(node.type) ? otherText(node) : undefined;
}

function swapped(node: Node, language: SourceLanguage): Mutant | undefined {
  const swap = swapOf(node.text, language);
  const { parent } = node;
  if (swap === undefined || parent === null) return undefined;
  if (parent.type === 'list' ? language !== 'bash' : node.type !== 'test_operator' && !BETWEEN.test(parent.type))
    return undefined;
  const single = parent.namedChildCount < 2 && !/^(?:\+\+|--)$/.test(node.text) && node.type !== 'test_operator';
  if (single) return undefined;
  return replaced(node, swap.text, { rank: swap.rank, change: `${node.text} became ${swap.text}` });
}

function withoutNegation(node: Node): Mutant | undefined {
  const [sign, operand] = [node.child(0), node.child(1)];
  if (sign === null || operand === null || !/^(?:!|not)$/.test(sign.type)) return undefined;
  return replaced(node, operand.text, { rank: 1, change: `${quoted(node.text)} became ${quoted(operand.text)}` });
}

function otherTruth(node: Node): Mutant | undefined {
  const text = TRUTHS[node.text];
  if (text === undefined || !/^(?:true|false|boolean|boolean_literal)$/.test(node.type)) return undefined;
  return replaced(node, text, { rank: 2, change: `${node.text} became ${text}` });
}

function otherNumber(node: Node): Mutant | undefined {
  if (PLACES.test(node.parent?.type ?? '')) return undefined;
  const [, whole, fraction = ''] = /^(\d{1,12})(\.\d{1,12})?$/.exec(node.text) ?? [];
  // A leading zero may mean another base.
  if (whole === undefined || /^0\d/.test(whole)) return undefined;
  const text = `${Number(whole) + 1}${fraction}`;
  return replaced(node, text, { rank: 3, change: `${node.text} became ${text}` });
}

function otherText(node: Node): Mutant | undefined {
  if (NAMING.test(node.parent?.type ?? '')) return undefined;
  const closing = /("""|'''|["'`])$/.exec(node.text)?.[1];
  if (closing === undefined || node.text.length < 2 * closing.length) return undefined;
  const text = `${node.text.slice(0, -closing.length)}x${closing}`;
  return replaced(node, text, { rank: 5, change: `${quoted(node.text)} became ${quoted(text)}` });
}
