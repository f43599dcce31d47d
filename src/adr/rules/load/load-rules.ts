import type { Finding } from '../../../domain/finding.ts';
import { didYouMean, suggestion } from '../../../text/did-you-mean.ts';
import { isRecord } from '../../../text/is-record.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { FileFindings } from '../../../text/yaml/file-findings.ts';
import { type Reading, readYaml } from '../../../text/yaml/read-yaml.ts';
import { readMap } from '../../../text/yaml/schema-findings.ts';
import type { YamlPath } from '../../../text/yaml/yaml.ts';
import { kindsOf, sectionName } from '../../document/section-names.ts';
import type { Rule, RuleSet } from '../rule-set.ts';
import { checkCondition } from './check-condition.ts';
import { compileBase, compileRule, type RawCondition, type RawRule, RULE_TEXT_KEYS } from './compile-rules.ts';
import { patternTrouble } from './pattern-trouble.ts';
import { compileRe2 } from './re2-expression.ts';
import { BaseFile, RuleEntry, RulesFile } from './rules-file.ts';

const RULES_READING: Reading = { names: new Set(), free: new Set(), text: RULE_TEXT_KEYS };

/** Reads a project's rule file and checks it thoroughly; with an error in it there are no rules. */
export function loadRules(
  text: string,
  path: string,
): { readonly rules: RuleSet | undefined; readonly findings: readonly Finding[] } {
  const { yaml } = readYaml(path, text.replace(/^\ufeff/, ''), RULES_READING);
  const findings = new FileFindings(yaml);
  if (!yaml.complete) return { rules: undefined, findings: findings.sorted };
  const file = readMap(RulesFile, { value: yaml.value ?? {}, path: [], findings });
  if (yaml.value === undefined || yaml.value === null)
    findings.error([], {
      check: 'no-rules',
      message: 'the file is empty',
      hint: 'add "contextual_rules" or "base_rules"; without the file, those HELIX ships apply',
    });
  if (isRecord(yaml.value) && !('contextual_rules' in yaml.value) && !('base_rules' in yaml.value))
    findings.warning([], {
      check: 'no-rules',
      message: 'the file has no rules',
      hint: 'add "contextual_rules" or "base_rules"',
    });
  const base = file.base_rules
    ? compileBase(readMap(BaseFile, { value: file.base_rules, path: ['base_rules'], findings }))
    : undefined;
  const ids = new Map<string, number>();
  const rules = (file.contextual_rules ?? []).flatMap((value, index) => {
    const rule = readRule(value, ['contextual_rules', index], findings);
    reportDuplicate(value, { index, ids, findings });
    return rule ?? [];
  });
  const { sorted } = findings;
  const failed = sorted.some(({ severity }) => severity === 'error');
  return { rules: failed ? undefined : { path, base, rules, shipped: false }, findings: sorted };
}

function readRule(value: unknown, path: YamlPath, findings: FileFindings): Rule | undefined {
  const raw = readMap(RuleEntry, { value, path, findings });
  if (isRecord(value) && isRecord(value.when)) checkCondition(value.when, [...path, 'when'], findings);
  if (raw.require !== undefined && !Object.values(raw.require).some((needs) => needs !== undefined && needs.length > 0))
    findings.error([...path, 'require'], {
      check: 'empty-require',
      message: 'this rule requires nothing',
      hint: 'add "sections", "content_patterns" or "acceptance_criteria_keywords"',
    });
  checkPatterns(raw, path, findings);
  checkLocations(raw, path, findings);
  const { id, message, when, require } = raw;
  if (findings.sorted.some(({ severity }) => severity === 'error')) return undefined;
  if (id === undefined || message === undefined || when === undefined || require === undefined) return undefined;
  return compileRule({ ...raw, id, message, when: when as RawCondition, require }, compileRe2);
}

function reportDuplicate(
  value: unknown,
  { index, ids, findings }: { index: number; ids: Map<string, number>; findings: FileFindings },
): void {
  if (!isRecord(value) || typeof value.id !== 'string') return;
  const first = ids.get(value.id);
  if (first === undefined) ids.set(value.id, findings.lineOf(['contextual_rules', index, 'id']));
  else
    findings.error(['contextual_rules', index, 'id'], {
      check: 'duplicate-id',
      message: `the rule id "${oneLine(value.id, 60)}" stands in line ${first} already`,
      hint: 'give each rule an id of its own',
    });
}

type Needing = { readonly require?: RawRule['require'] | undefined };

function checkPatterns({ require }: Needing, path: YamlPath, findings: FileFindings): void {
  const at = (source: string, ...steps: PropertyKey[]): void => {
    const trouble = patternTrouble(source);
    if (trouble !== undefined) findings.error([...path, 'require', ...steps], { check: 'bad-pattern', ...trouble });
  };
  for (const [index, { required_elements = [] }] of (require?.sections ?? []).entries())
    for (const [each, source] of required_elements.entries()) at(source, 'sections', index, 'required_elements', each);
  for (const [index, { pattern }] of (require?.content_patterns ?? []).entries())
    at(pattern, 'content_patterns', index, 'pattern');
}

const LOCATIONS = ['any', 'header', 'content'];

/** Any other location is the name of a section; a slip of the pen is more likely than a section called "contents". */
function checkLocations({ require }: Needing, path: YamlPath, findings: FileFindings): void {
  for (const [index, { location }] of (require?.content_patterns ?? []).entries()) {
    if (location === undefined || LOCATIONS.includes(location) || kindsOf(sectionName(location)).length > 0) continue;
    const meant = didYouMean(location, LOCATIONS);
    if (meant !== undefined || !/\p{L}/u.test(location))
      findings.error([...path, 'require', 'content_patterns', index, 'location'], {
        check: 'unknown-value',
        message: `unknown location "${oneLine(location, 60)}"`,
        hint: `${suggestion(location, LOCATIONS)}; or write the name of a section`,
      });
  }
}
