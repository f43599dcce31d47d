import { parseYaml } from '../../../text/yaml/yaml.ts';
import type { Expression } from '../pattern.ts';
import type { RuleSet } from '../rule-set.ts';
import { isWhole } from '../words/word-boundary.ts';
import { compileBase, compileRule, type RawRules, RULE_TEXT_KEYS } from './compile-rules.ts';

/** Compiles the rules HELIX brings along; its tests check them, so here nothing is, and neither zod nor RE2 is loaded. */
export function shippedRules(text: string, path: string): RuleSet {
  const { base_rules, contextual_rules } = parseYaml(text, path, RULE_TEXT_KEYS).value as RawRules;
  return {
    path,
    base: base_rules ? compileBase(base_rules) : undefined,
    rules: (contextual_rules ?? []).map((rule) => compileRule(rule, ownExpression)),
    shipped: true,
  };
}

/** Our own patterns are known to be harmless, and RE2 takes its time to load. */
function ownExpression(source: string): Expression {
  const expression = new RegExp(source, 'gimu');
  return {
    *matches(text) {
      for (const { 0: found, index: start } of text.matchAll(expression))
        if (isWhole(text, start, start + found.length)) yield { start, end: start + found.length };
    },
  };
}
