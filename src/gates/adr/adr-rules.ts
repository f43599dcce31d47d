import { shippedRules } from '../../adr/rules/load/shipped-rules.ts';
import type { RuleSet } from '../../adr/rules/rule-set.ts';
import { normalisePath } from '../../text/safe-path.ts';

const RULES = 'config/adr-completeness-rules.yaml';
const LIMIT = 10 * 1024 * 1024;

/** Where rules for ADRs come from. */
export type RulesSource = {
  /** The text of a file of the project, as its owner left it before the work began; undefined when there is none. */
  readonly projectFile: (path: string, limit: number) => Promise<string | undefined>;
  /** The text of a file in the folder `config` that HELIX ships. */
  readonly shippedConfig: (name: string) => string;
};

/** The project's own rules for ADRs, else those HELIX ships; or why they cannot be used. */
export async function adrRules(
  { projectFile, shippedConfig }: RulesSource,
  named?: string,
): Promise<RuleSet | { readonly message: string }> {
  const path = normalisePath(named ?? RULES);
  const text = await projectFile(path, LIMIT);
  if (text === undefined) {
    if (named !== undefined) return { message: `the rules ${path} do not exist` };
    return shippedRules(shippedConfig('adr-completeness-rules.yaml'), RULES);
  }
  const { loadRules } = await import('../../adr/rules/load/load-rules.ts');
  const { rules, findings } = loadRules(text, path);
  const [first] = findings.filter(({ severity }) => severity === 'error');
  if (rules !== undefined && first === undefined) return rules;
  const { line = 1, column = 1 } = first?.location ?? {};
  return { message: `the rules ${path} have errors: ${path}:${line}:${column} ${first?.message ?? ''}` };
}
