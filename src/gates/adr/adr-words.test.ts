import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadRules } from '../../adr/rules/load/load-rules.ts';
import { shippedRules } from '../../adr/rules/load/shipped-rules.ts';
import type { RuleSet } from '../../adr/rules/rule-set.ts';
import { adrWords, coverageWords } from './adr-words.ts';

const shipped = readFileSync(new URL('../../../config/adr-completeness-rules.yaml', import.meta.url), 'utf8');

function own(text: string): RuleSet {
  const { rules } = loadRules(text, 'rules.yaml');
  if (rules === undefined) throw new TypeError('the rules cannot be read');
  return rules;
}

it('the shipped rules read as demands, each with its condition and what it costs', () => {
  const words = adrWords(shippedRules(shipped, 'rules.yaml'), 'helix');
  expect(words).toHaveLength(10);
  expect(words[0]).toContain('`adr_id`, `title`, `status` (Proposed, Accepted');
  expect(words[1]).toContain('at least 50 characters of prose');
  expect(words[1]).toContain('"Kontext", "Entscheidung", "Implementation"');
  expect(words[2]).toContain('At least 3 different acceptance criteria');
  expect(words[3]).toBe(
    'Where `change_scope: major`: a section "Migration" of at least 100 characters with "Phase" or "Schritt" or "Etappe" or "Stufe" or the like; an acceptance criterion that names "migration" or "rollback" or "migrate" or "migrieren" or the like (major-needs-migration, error).',
  );
  expect(words.join('\n')).not.toMatch(/undefined|\[object/);
});

it('how much of its concept an ADR has to carry on is told in numbers', () => {
  const rules = own(
    "_meta: { version: '1', description: mine }\nbase_rules: { min_coverage: 73 }\ncontextual_rules: []\n",
  );
  expect(coverageWords(rules)).toContain('At least 73 %');
  expect(coverageWords(shippedRules(shipped, 'rules.yaml'))).toContain('At least 60 %');
});

it("the project's own rules are told in its own words", () => {
  const words = adrWords(
    own(
      [
        "_meta: { version: '1', description: mine }",
        'base_rules: { required_sections: [Zebra section], min_acceptance_criteria: 7, min_section_length: 9 }',
        'contextual_rules:',
        '  - id: zebra-rule',
        '    name: Zebra',
        '    when: { all: [{ section_exists: Risks }, { content_contains: stripes }] }',
        '    require: { content_patterns: [{ pattern: "ZEBRA-\\\\d+", location: context, min_matches: 2 }] }',
        '    severity: info',
        '    message: zebras',
      ].join('\n'),
    ),
    'helix',
  );
  expect(words[1]).toContain(
    'at least 9 characters of prose (code, quotes and placeholders do not count): "Zebra section".',
  );
  expect(words[2]).toContain('At least 7 different');
  expect(words[3]).toMatch(
    /^Where there is a section "Risks" and the text says "stripes": in context at least 2 of a match of `ZEBRA-.*d\+` \(zebra-rule, info\)\.$/,
  );
});

it('an ADR among others of another form is told that form', () => {
  expect(adrWords(shippedRules(shipped, 'rules.yaml'), 'madr')[0]).toContain('beside it (madr)');
});
