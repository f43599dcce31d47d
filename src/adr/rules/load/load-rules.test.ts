import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAdr } from '../../document/parse-adr.ts';
import { checkRules } from '../check-rules.ts';
import type { RuleSet } from '../rule-set.ts';
import { loadRules } from './load-rules.ts';
import { shippedRules } from './shipped-rules.ts';

const SHIPPED_PATH = 'config/adr-completeness-rules.yaml';

const GOOD = `base_rules:
  min_acceptance_criteria: 5
contextual_rules:
  - id: one
    name: One
    when:
      change_scope: major
    require:
      sections:
        - name: Migration
          min_length: 10
          required_elements: ["Phase", "\`\`\`"]
      content_patterns:
        - pattern: "rollback|v\\\\d+"
          location: implementation
          min_matches: 2
      acceptance_criteria_keywords: [migration]
    severity: error
    message: needs a plan
`;

function told(text: string): string[] {
  return loadRules(text, 'r.yaml').findings.map(
    ({ severity, message, hint, location }) =>
      `${severity} ${location?.line}:${location?.column} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

function change(from: string | RegExp, to: string): string[] {
  const text = GOOD.replace(from, to);
  expect(text).not.toBe(GOOD);
  expect(loadRules(text, 'r.yaml').rules).toBeUndefined();
  return told(text);
}

it('reads a file of ADR-015 with what it leaves out filled in', () => {
  const { rules, findings } = loadRules(GOOD, 'r.yaml');
  expect(findings).toEqual([]);
  expect(rules).toMatchObject({
    path: 'r.yaml',
    shipped: false,
    base: { minAcceptanceCriteria: 5, minSectionLength: 50 },
  });
  expect(rules?.base?.requiredSections).toHaveLength(6);
  expect(rules?.rules.map(({ id, severity }) => [id, severity])).toEqual([['one', 'error']]);
});

it('keys of the user’s own start with x- and stand anywhere', () => {
  const text = `x-owner: { team: [a] }\n_meta: { x-seen: 2026-01-31 }\n${GOOD}`
    .replace('base_rules:\n', 'base_rules:\n  x-why: because\n')
    .replace('    when:\n', '    x-ticket: 7\n    when:\n      x-note: ~\n')
    .replace('    require:\n', '    require:\n      x-more: [b]\n')
    .replace('          min_length', '          x-a: 1\n          min_length')
    .replace('          location', '          x-b: 2\n          location');
  expect(text.match(/x-/g)).toHaveLength(8);
  const { rules, findings } = loadRules(text, 'r.yaml');
  expect(findings).toEqual([]);
  expect(JSON.stringify(rules)).toBe(JSON.stringify(loadRules(GOOD, 'r.yaml').rules));
  expect(told(text.replace('severity: error', 'severity: eror')).join()).toContain('error 26:15 unknown severity');
});

it('our own file stands the check that projects’ files get, and means the same both ways', () => {
  const text = readFileSync(SHIPPED_PATH, 'utf8');
  const { rules, findings } = loadRules(text, SHIPPED_PATH);
  expect(findings).toEqual([]);
  const facts = (set: RuleSet | undefined): string =>
    JSON.stringify(set?.rules, (key, value) => (key === 'expression' ? value !== undefined : value), 1);
  expect(facts(shippedRules(text, SHIPPED_PATH))).toEqual(facts(rules));
  expect(rules?.rules.map(({ id }) => id)).toEqual([
    'major-needs-migration',
    'major-needs-rollback',
    'new-needs-examples',
    'breaking-needs-upgrade',
    'deps-need-references',
    'tools-need-cli',
    'service-needs-api',
  ]);
});

describe('a mistake is an error with its place and a hint:', () => {
  it.each([
    [
      'a field of the file',
      'contextual_rules:',
      'contextual_rule:',
      '3:1 unknown key "contextual_rule" (did you mean "contextual_rules"?)',
    ],
    ['a field of base_rules', 'min_acceptance_criteria', 'min_acceptance', '2:3 unknown key "min_acceptance"'],
    [
      'a field of a rule',
      'severity: error',
      'severety: error',
      '18:5 unknown key "severety" (did you mean "severity"?)',
    ],
    [
      'a field of require',
      'content_patterns:',
      'content_pattern:',
      '13:7 unknown key "content_pattern" (did you mean "content_patterns"?)',
    ],
    ['a field of a section', 'min_length', 'minlength', '11:11 unknown key "minlength" (did you mean "min_length"?)'],
    [
      'a key of when',
      'change_scope',
      'change_scop',
      '7:7 "change_scop" is no field of an ADR and no condition (did you mean "change_scope"?)',
    ],
    [
      'a key of when that ends in _not_empty',
      'change_scope: major',
      'depend_on_not_empty: true',
      '(did you mean "depends_on_not_empty"?)',
    ],
    ['a severity', 'severity: error', 'severity: eror', '18:15 unknown severity "eror" (did you mean "error"?)'],
    ['a missing id', 'id: one\n    name', 'name', '4:5 "id" is missing'],
    ['a missing message', '    message: needs a plan\n', '', '4:5 "message" is missing'],
    ['an empty require', /require:[\s\S]*(?= {4}severity)/, 'require: {}\n', '8:14 this rule requires nothing'],
    ['a wrong type', 'min_length: 10', 'min_length: ten', '11:23 "min_length" must be a number, not text'],
    [
      'a list as a value',
      'change_scope: major',
      'change_scope: [major]',
      '7:21 "change_scope" must be one value (write one condition for each value below "any:")',
    ],
    ['an empty any', 'change_scope: major', 'any: []', '7:12 "any" must be a list of conditions'],
    [
      'a not_empty that is no flag',
      'change_scope: major',
      'files_create_not_empty: 3',
      '7:31 "files_create_not_empty" must be true or false',
    ],
    ['an open group', 'rollback|v\\\\d+', '(rollback', 'this is no pattern of RE2: missing closing )'],
    ['look-ahead', 'rollback|v\\\\d+', 'a(?=b)', '14:20 RE2 has no look-around: "a(?=b)"'],
    ['look-behind', 'rollback|v\\\\d+', '(?<!a)b', 'RE2 has no look-around'],
    ['a back reference', 'rollback|v\\\\d+', '(a)\\\\1', 'RE2 has no back references'],
    ['an element that is no pattern', '["Phase"', '["Phase["', '12:31 this is no pattern of RE2'],
    ['an empty alternative', 'rollback|v\\\\d+', 'rollback|', 'this pattern matches every text, even an empty one'],
    [
      'a location',
      'location: implementation',
      'location: contnt',
      '15:21 unknown location "contnt" (did you mean "content"?',
    ],
  ])('%s', (_, from, to, expected) => {
    expect(change(from, to).join('\n')).toContain(expected);
  });

  it('an id that stands twice', () => {
    const second = GOOD.slice(GOOD.indexOf('  - id'));
    expect(told(GOOD + second)).toEqual([
      'error 20:9 the rule id "one" stands in line 4 already (give each rule an id of its own)',
    ]);
  });

  it('several at once, in the order of their lines', () => {
    const text = GOOD.replace('change_scope', 'scope').replace('severity: error', 'severity: bad');
    expect(told(text).map((line) => line.split(' ')[1])).toEqual(['7:7', '18:15']);
  });

  it('broken YAML', () => {
    expect(told('contextual_rules: [\n').join()).toContain('error');
    expect(loadRules('- a\n', 'r.yaml').rules).toBeUndefined();
  });
});

it.each(['', '\n', '# only a comment\n', '---\n', 'null\n'])('a file with nothing in it is an error: %j', (text) => {
  const { rules, findings } = loadRules(text, 'r.yaml');
  expect(rules).toBeUndefined();
  expect(findings).toMatchObject([{ severity: 'error', message: 'the file is empty', hint: expect.any(String) }]);
});

it('a file without rules is no error, but said', () => {
  const { rules, findings } = loadRules('_meta: { version: "1.0" }\n', 'r.yaml');
  expect(rules?.rules).toEqual([]);
  expect(findings).toMatchObject([{ severity: 'warning', message: 'the file has no rules' }]);
});

const CATASTROPHES = [
  '(a+)+$',
  '(a|a)*b',
  '(.*)*x',
  '(a*)*b',
  '(a+)*b',
  '((a+)+)+b',
  '(a|aa)+$',
  '(a|a?)+$',
  '(x+x+)+y',
  '(.*a){20}',
  '(.*a){12}',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '([a-zA-Z]+)*$',
  '(\\w+\\s?)*$',
  '(\\s*\\w+\\s*)*$',
  '^(\\d+)*$',
  '(a|b|ab)*c',
  '(a?){30}a{30}',
  'a?a?a?a?a?a?a?a?aaaaaaaa',
  '(.+)+=',
  '(.+)*(.+)*x',
  '(.|\\n)*x$',
  '(\\S+)*@',
  '(([^,]+,)+)$',
  '(a{1,100}){1,10}b',
  '(a{0,30}){0,30}$',
  '.*.*.*.*.*x',
  '.*.*=.*',
  '\\s+$',
  '(\\s|\\n)*$',
  '[^x]*x',
  '(ab*)*c',
  '(a*b*)*c',
  '(a|b)*?c',
  '(?:a+){1,50}b',
  '(?:(?:a*)*)*b',
  '(?s:.*)*z',
  '(\\w*)+\\d',
  '(\\w|\\d)+!',
  '(foo|fo|f)*$',
  '(é+)+$',
  '(\\pL+)+\\d',
  '(a+|b+|c+)*d',
  '(.*?,){11}P',
  '(.*?){100}q',
  'a{1000}{1000}',
  '((a{100}){100}){100}',
  '(a{1000}){1000}',
  '(x{500}){500}',
  'a**',
];

it('fifty catastrophic patterns each end soon or are refused', () => {
  expect(new Set(CATASTROPHES).size).toBe(50);
  const text = `# T\n\n## Context\n\n${'a'.repeat(100_000)}!\n\n${'ab cd '.repeat(20_000)}\n${' '.repeat(5000)}!\n`;
  const adr = parseAdr(text, 'a.md');
  const slow = CATASTROPHES.flatMap((pattern) => {
    const yaml = `contextual_rules:
  - id: r
    when: {}
    require: { content_patterns: [{ pattern: ${JSON.stringify(pattern)}, location: content, min_matches: 3 }] }
    message: m
`;
    const start = process.cpuUsage();
    const { rules, findings } = loadRules(yaml, 'r.yaml');
    expect(rules === undefined).toBe(findings.length > 0);
    if (rules !== undefined) checkRules(adr, rules, { profile: 'helix' });
    const { user, system } = process.cpuUsage(start);
    const took = (user + system) / 1000;
    return took > 300 ? [`${pattern}: ${Math.round(took)} ms`] : [];
  });
  expect(slow).toEqual([]);
});
