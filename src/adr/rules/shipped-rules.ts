import { HelixError } from '../../domain/helix-error.ts';
import { parseYaml } from '../../text/yaml.ts';
import { compileBase, compileRule, type RawRules, RULE_TEXT_KEYS } from './compile-rules.ts';
import type { RuleSet } from './rule-set.ts';

/** Compiles the rules HELIX brings along; its tests check them, so here nothing is, and neither zod nor RE2 is loaded. */
export function shippedRules(text: string, path: string): RuleSet {
  const { base_rules, contextual_rules } = parseYaml(text, path, RULE_TEXT_KEYS).value as RawRules;
  return {
    path,
    base: base_rules ? compileBase(base_rules) : undefined,
    rules: (contextual_rules ?? []).map((rule) => compileRule(rule, refuse)),
    shipped: true,
  };
}

function refuse(source: string): never {
  throw new HelixError('config', `the shipped rule pattern "${source}" needs RE2`, { hint: 'write it as plain words' });
}
