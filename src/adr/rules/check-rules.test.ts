import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkRules } from './check-rules.ts';
import { loadRules } from './load/load-rules.ts';
import { shippedRules } from './load/shipped-rules.ts';
import type { RuleSet } from './rule-set.ts';

const SHIPPED_PATH = 'config/adr-completeness-rules.yaml';
const shipped = shippedRules(readFileSync(SHIPPED_PATH, 'utf8'), SHIPPED_PATH);
const SEEDS = '../shared/seeds';

function rules(yaml: string): RuleSet {
  const { rules: set, findings } = loadRules(`contextual_rules:\n${yaml}`, 'rules.yaml');
  if (set === undefined) throw new Error(JSON.stringify(findings));
  return set;
}

function failed(text: string, set: RuleSet = shipped, profile = 'helix'): string[] {
  return checkRules(parseAdr(text, 'adr.md'), set, { profile }).findings.map(({ check }) => check);
}

function adr(fields: string, body: string): string {
  return `---\nadr_id: "900"\ntitle: Queue\n${fields}\n---\n\n# ADR-900: Queue\n\n${body}\n`;
}

const PLAN = `## Migration

### Phase 1: shadow traffic

Both queues receive every message for one week; differences are logged.

### Phase 2: switch

Consumers move over one by one, with a rollback to the former queue at any time.
`;
const CRITERIA = '## Acceptance criteria\n\n- [ ] The migration of all consumers is finished\n';
const MAJOR = 'change_scope: major';

describe('a major change', () => {
  it('passes with a plan made of subsections and a criterion about it', () => {
    expect(failed(adr(MAJOR, PLAN + CRITERIA))).toEqual([]);
  });

  it('gets a hint that names some words, and no pattern', () => {
    const { findings } = checkRules(parseAdr(adr(MAJOR, '## Migration\n\nWe do it.\n'), 'adr.md'), shipped, {
      profile: 'helix',
    });
    expect(findings[0]?.hint).toContain('add "Phase" or "Schritt" or "Etappe" or "Stufe" or the like to "Migration"');
    expect(findings[0]?.message).not.toContain('Meilenstein');
  });

  it('is reported at the field that makes it one when the plan is missing', () => {
    const { findings } = checkRules(parseAdr(adr(MAJOR, `Rollback works.\n\n${CRITERIA}`), 'adr.md'), shipped, {
      profile: 'helix',
    });
    expect(findings).toEqual([
      expect.objectContaining({
        severity: 'error',
        check: 'major-needs-migration',
        layer: 2,
        location: { file: 'adr.md', line: 4, column: 15 },
        message: expect.stringContaining('there is no section "Migration"'),
        hint: expect.stringContaining('add a section "## Migration"'),
      }),
    ]);
  });

  it.each([
    'Migrations-Plan',
    '4. Migrationsplan',
    'Upgrade guide',
    'Rollout plan',
    'Umstellung',
    'Plan de migration',
  ])('accepts a plan called "%s"', (name) => {
    expect(failed(adr(MAJOR, PLAN.replace('## Migration', `## ${name}`) + CRITERIA))).toEqual([]);
  });

  it('accepts a plan under the implementation, but no checklist among the acceptance criteria', () => {
    const deeper = PLAN.replaceAll('## ', '### ').replaceAll('#### ', '##### ');
    expect(failed(adr(MAJOR, `## Implementation\n\n${deeper}${CRITERIA}`))).toEqual([]);
    const list =
      '### Migration\n\n- [ ] Phase 1, step 1: all consumers are told about the new queue and its address, in writing\n- [ ] rollback tested\n';
    expect(failed(adr(MAJOR, `## Acceptance criteria\n\n${list}`))).toEqual(['major-needs-migration']);
  });

  it('accepts a plan that is a numbered list, or tells days', () => {
    const lines = [
      'Export all messages of the former queue',
      'Import them into the new one and compare the counts',
      'Point the consumers at it',
    ];
    const numbered = lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
    const days = lines.map((line, index) => `- Tag ${index + 1}-${index + 2}: ${line}`).join('\n');
    const [plain, rest] = [lines.map((line) => `- ${line}`).join('\n'), `\nA rollback is one switch.\n\n${CRITERIA}`];
    expect(failed(adr(MAJOR, `## Migration\n\n${numbered}\n${rest}`))).toEqual([]);
    expect(failed(adr(MAJOR, `## Migration\n\n${days}\n${rest}`))).toEqual([]);
    expect(failed(adr(MAJOR, `## Migration\n\n${plain}\n${rest}`))).toEqual(['major-needs-migration']);
  });

  it.each([
    ['padding', `Phase Schritt ${'x'.repeat(200)}`],
    [
      'filler',
      'Phase 1: Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna.',
    ],
    ['one word over and over', `Phase 1. ${'Step step step. '.repeat(30)}`],
    ['a placeholder', 'TBD'],
  ])('does not take %s for a plan', (_, text) => {
    const body = `## Migration\n\n${text}\n\n${CRITERIA}\nA rollback is described elsewhere.\n`;
    expect(failed(adr(MAJOR, body))).toEqual(['major-needs-migration']);
  });

  it('does not take a plan in a fence, a comment or a quote for one', () => {
    const wrapped = [`\`\`\`markdown\n${PLAN}\`\`\`\n`, `<!--\n${PLAN}-->\n`, PLAN.replace(/^/gm, '> ')];
    for (const plan of wrapped)
      expect(failed(adr(MAJOR, `A rollback is easy.\n\n${plan}\n${CRITERIA}`))).toEqual(['major-needs-migration']);
  });

  it('needs a criterion that names the migration or a rollback, itself or by its subheading', () => {
    const criteria = (text: string): string => `## Akzeptanzkriterien\n\n${text}\n`;
    expect(failed(adr(MAJOR, PLAN + criteria('- [ ] Alle Tests laufen')))).toEqual(['major-needs-migration']);
    expect(failed(adr(MAJOR, PLAN + criteria('- [ ] Rollback ist nicht vorgesehen')))).toEqual([
      'major-needs-migration',
    ]);
    expect(failed(adr(MAJOR, PLAN + criteria('- [ ] Migrationsplan liegt vor')))).toEqual([]);
    expect(failed(adr(MAJOR, PLAN + criteria('### Migration\n\n- [ ] Das Skript läuft durch')))).toEqual([]);
    expect(failed(adr(MAJOR, PLAN + criteria('1. Datenmigration getestet')))).toEqual([]);
  });

  it.each([
    '- [ ] All data is there <!-- migration -->',
    '- [ ] All data is there <!--\n      migration -->',
    '- [ ] All data is there <span title="migration">now</span>',
    '- [ ] See [here](http://x/migration)',
    '### Migration\n\n- [ ] <!-- criterion is missing -->\n- [ ] <br>\n- [ ] TBD',
  ])('has no criterion about its migration where nobody reads the word: %s', (criterion) => {
    expect(failed(adr(MAJOR, `${PLAN}## Acceptance criteria\n\n${criterion}\n`))).toEqual(['major-needs-migration']);
  });

  it.each([
    'See [here](http://x/rollback).',
    'See [here](http://x/(a)/rollback "the rollback").',
    'See <https://x/rollback>.',
    'See https://x/rollback/.',
    'See [here][x].\n\n[x]: http://example.com\n  "rollback"',
    'See <span title="rollback">here</span>.',
  ])('has no rollback that stands only in an address or an attribute: %s', (text) => {
    const plan = PLAN.replace('with a rollback to the former queue', 'and back');
    expect(failed(adr(MAJOR, `${plan}${text}\n\n${CRITERIA}`))).toEqual(['major-needs-rollback']);
  });

  it('has a rollback that stands in the text of a link or in code', () => {
    const plan = PLAN.replace('with a rollback to the former queue', 'and back');
    for (const text of ['[Rollback](http://x)', '`<a title="rollback">`', '`rollback http://x`'])
      expect(failed(adr(MAJOR, `${plan}${text}\n\n${CRITERIA}`)), text).toEqual([]);
  });

  it('without a rollback is warned about, also when the text says there is none', () => {
    const plan = PLAN.replace(', with a rollback to the former queue at any time', '');
    const said = (text: string): string[] => failed(adr(MAJOR, `${plan}\n${text}\n\n${CRITERIA}`));
    expect(said('')).toEqual(['major-needs-rollback']);
    expect(said('Ein Rollback ist nicht vorgesehen.')).toEqual(['major-needs-rollback']);
    expect(said('No rollback planned.')).toEqual(['major-needs-rollback']);
    expect(said('Wir können jederzeit zurückrollen.')).toEqual([]);
  });

  it('is one whatever the case of the value', () => {
    expect(failed(adr('change_scope: MAJOR', 'Text.'))).toContain('major-needs-migration');
    expect(failed(adr('change_scope: minor', 'Text.'))).toEqual([]);
  });
});

const ADR015_MIGRATION = `  - id: major-needs-migration
    when: { change_scope: major }
    require:
      sections: [{ name: Migration, min_length: 100, required_elements: [Phase, Schritt] }]
    severity: error
    message: m
`;

it('takes a project at its word: all elements of its own rule are needed', () => {
  const set = rules(ADR015_MIGRATION);
  expect(failed(adr(MAJOR, PLAN), set)).toEqual(['major-needs-migration']);
  expect(failed(adr(MAJOR, PLAN.replace('switch', 'Schritte')), set)).toEqual([]);
});

describe('a breaking change', () => {
  it.each([
    'Dies ist ein Breaking Change, kein Bugfix.',
    'This introduces a breaking-change.',
    'There is no way around a breaking change.',
    'We see no alternative to a breaking change here.',
    'We cannot avoid a breaking change.',
    'Es führt kein Weg an einem Breaking Change vorbei.',
    "The change isn't backwards compatible.",
    'The new format isn’t **backward-compatible**.',
    'It will not be backwards-compatible.',
    'This is an incompatible change of the API.',
    'Das neue Format ist eine inkompatible Änderung.',
    'Die Schnittstelle ist nicht abwärtskompatibel.',
    '### Breaking\nChanges are listed here: this is a breaking\nchange.',
  ])('needs an upgrade guide: %s', (text) => {
    expect(failed(adr('status: Accepted', `## Decision\n\n${text}\n`))).toEqual(['breaking-needs-upgrade']);
  });

  it.each([
    'Kein Breaking Change.',
    'There are no known breaking changes.',
    'Das ist keine inkompatible Änderung.',
    'Breaking changes: none',
    'We want to avoid breaking changes.',
    'We avoid incompatible changes.',
    'No incompatible change is made.',
    'Renaming it would be a breaking change.',
    'A non-breaking change.',
    '```\nbreaking change\n```',
    '> breaking change',
    '<!-- breaking change -->',
  ])('is none when the text does not say so: %s', (text) => {
    expect(failed(adr('status: Accepted', `## Decision\n\n${text}\n`))).toEqual([]);
  });

  it('of an option that was only considered does not count', () => {
    expect(failed(adr('', '## Considered options\n\n### Rename\n\nThis is a breaking change.\n'))).toEqual([]);
  });

  it('is shown where the text says it', () => {
    const { findings } = checkRules(parseAdr('# T\n\n## Decision\n\nIt is a **breaking** change.\n', 'a.md'), shipped, {
      profile: 'nygard',
    });
    expect(findings[0]?.location).toEqual({ file: 'a.md', line: 5, column: 11 });
  });

  it('wants old and new compared, and not words that only contain them', () => {
    const set = rules(`  - id: b
    when: { content_contains: inkompatibel }
    require: { content_patterns: [{ pattern: "(vorher|nachher|alt|neu)", min_matches: 2 }] }
    message: m
`);
    expect(failed('# T\n\nInkompatibel. Der Inhalt hat Gehalt und ist neutral.\n', set)).toEqual(['b']);
    expect(failed('# T\n\nInkompatibel. Alte Clients, neue Server.\n', set)).toEqual([]);
  });
});

describe('dependencies', () => {
  const depends = 'depends_on: ["123", ADR-007]';

  it('are named by their own ids, not by the title or the front matter', () => {
    const { findings } = checkRules(parseAdr(adr(depends, '## Context\n\nSee ADR-007.'), 'adr.md'), shipped, {
      profile: 'helix',
    });
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('does not name ADR-123')]);
  });

  it('are told at the entry that is not named', () => {
    const list = 'depends_on:\n  - "123"\n  - "124"\n  - "125"';
    const { findings } = checkRules(parseAdr(adr(list, '## Context\n\nSee ADR-123.'), 'adr.md'), shipped, {
      profile: 'helix',
    });
    expect(findings).toMatchObject([
      { hint: expect.stringContaining('ADR-124, ADR-125 have to do'), location: { line: 6, column: 5 } },
    ]);
  });

  it.each([
    'ADR-123 and ADR 7',
    'ADRs 7 und 123',
    '[0007](0007-x.md), [this](../adr/0123-use-y.md)',
    '[123] [7]',
  ])('are named by "%s"', (text) => {
    expect(failed(adr(depends, `## References\n\n${text}`))).toEqual([]);
  });

  it('are named by a link, too, wherever its address stands', () => {
    for (const text of ['[Storage](0003-storage.md)', '[Storage][s]\n\n[s]: ../adr/ADR-003-storage.md'])
      expect(failed(adr('depends_on: ["003"]', text)), text).toEqual([]);
  });

  it('are not named by longer numbers or in code', () => {
    expect(failed(adr('depends_on: ["123"]', 'ADR-1234'))).toEqual(['deps-need-references']);
    expect(failed(adr('depends_on: ["123"]', '```\nADR-123\n```'))).toEqual(['deps-need-references']);
  });
});

describe('patterns', () => {
  it('are whole words: a service with Budget and Kapital has no API, a tool with Click no CLI', () => {
    expect(failed(adr('component_type: SERVICE', 'Budget, Kapital.'))).toEqual(['service-needs-api']);
    expect(failed(adr('component_type: SERVICE', 'Die REST-APIs.'))).toEqual([]);
    const tool = 'component_type: TOOL\nclassification: NEW';
    expect(failed(adr(tool, '## Implementation\n\nClick here.'))).toEqual(['tools-need-cli']);
    expect(failed(adr(tool, '## Implementation\n\n```sh\ntool --help\n```'))).toEqual([]);
  });

  it('find examples in code where the rule says so', () => {
    const fields = 'classification: NEW\nfiles:\n  create: [src/a.ts]';
    expect(failed(adr(fields, '## Implementation\n\nText only, with an example.'))).toEqual(['new-needs-examples']);
    expect(failed(adr(fields, '## Implementation\n\n```ts\n// Example\nrun();\n```'))).toEqual([]);
  });

  it.each([
    ['SQL\\b', true],
    ['\\bSQL', false],
    ['Anforder.', true],
    ['Transakt[i]', true],
    ['Post(gre|foo)', true],
    ['v\\d{2}', true],
    ['\\bv\\d{2}\\b', false],
    ['über\\w+', true],
    ['Post|SQL|grES', false],
    ['Postgre', false],
    ['\\bSQL\\b', false],
    ['SQL|x\\d', false],
    ['Anforderung|x\\d', true],
  ])('of RE2 match as written, plain words only whole ones: %s, %s', (pattern, found) => {
    const set = rules(`  - id: r
    when: { section_exists: Context }
    require: { content_patterns: [{ pattern: '${pattern}', location: Context }] }
    message: m
`);
    const text = '# T\n\n## Kontext\n\nPostgreSQL erfüllt die Anforderungen an Transaktionen: v123, Übergang.\n';
    expect(failed(text, set)).toEqual(found ? [] : ['r']);
  });

  it('count what is denied only with negation: ignore', () => {
    const yaml = `  - id: r
    when: { content_contains: rollback }
    require: { sections: [{ name: Rollback }] }
    message: m
`;
    expect(failed('# T\n\nNo rollback.\n', rules(yaml))).toEqual([]);
    expect(failed('# T\n\nNo rollback.\n', rules(`${yaml}    negation: ignore\n`))).toEqual(['r']);
  });
});

describe('conditions', () => {
  const when = (condition: string): RuleSet =>
    rules(`  - id: r\n    when: ${condition}\n    require: { sections: [{ name: Nowhere }] }\n    message: m\n`);

  it.each([
    ['{ skills: docker }', 'skills: [git, Docker]', true],
    ['{ adr_id: 015 }', 'adr_id: 015', true],
    ['{ adr_id: 15 }', 'adr_id: 015', false],
    ['{ status: accepted }', 'status: Accepted', true],
    ['{ files_modify_not_empty: true }', 'files: { create: [], modify: [a] }', true],
    ['{ files_create_not_empty: true }', 'files: { create: [], modify: [a] }', false],
    ['{ files_create_not_empty: false }', 'files: { create: [] }', true],
    ['{ any: [{ domain: a }, { all: [{ domain: b }, { language: de }] }] }', 'domain: b\nlanguage: de', true],
    ['{ any: [{ domain: a }, { all: [{ domain: b }, { language: de }] }] }', 'domain: b\nlanguage: en', false],
    ['{}', 'domain: x', true],
  ])('%s on "%s" is %s', (condition, fields, holds) => {
    expect(failed(`---\n${fields}\n---\n\n# T\n`, when(condition))).toEqual(holds ? ['r'] : []);
  });

  it('read the legacy header too', () => {
    expect(failed('# ADR-004: X\n\n**Status:** ✅ Accepted\n', when('{ status: Accepted }'))).toEqual(['r']);
  });

  it('find a section by its meaning', () => {
    expect(failed('# T\n\n## Konsequenzen\n\nText\n', when('{ section_exists: Consequences }'))).toEqual(['r']);
  });
});

it('outside helix the shipped rules warn, while a project keeps its own severity', () => {
  const text = adr(MAJOR, 'Rollback is easy.');
  const severity = (set: RuleSet): string | undefined =>
    checkRules(parseAdr(text, 'a.md'), set, { profile: 'madr' }).findings[0]?.severity;
  expect(severity(shipped)).toBe('warning');
  expect(severity(rules(ADR015_MIGRATION))).toBe('error');
});

it('counts the rules that were checked, that applied, and that were met', () => {
  const { checked, triggered, passed } = checkRules(parseAdr(adr(MAJOR, PLAN), 'a.md'), shipped, { profile: 'helix' });
  expect({ checked, triggered, passed }).toEqual({ checked: 7, triggered: 2, passed: 1 });
});

it.skipIf(!existsSync(SEEDS)).each([
  ['001-ADR-015-approval-validation.md', ['major-needs-migration']],
  ['002-ADR-025-verification-feedback.md', ['major-needs-migration']],
  ['003-ADR-004-escalation.md', []],
  ['004-ADR-006-dynamic-phases.md', []],
])('the seed %s has the errors %j, by its own rules and by ours', (name, errors) => {
  const seed = readFileSync(`${SEEDS}/001-ADR-015-approval-validation.md`, 'utf8');
  const own = loadRules(
    seed.slice(seed.indexOf('\n_meta:') + 1, seed.indexOf('\n```', seed.indexOf('\n_meta:'))),
    'own.yaml',
  );
  expect(own.findings).toEqual([]);
  const document = parseAdr(readFileSync(`${SEEDS}/${name}`, 'utf8'), name);
  for (const set of [shipped, own.rules]) {
    if (set === undefined) throw new Error('no rules');
    const { findings } = checkRules(document, set, { profile: 'helix' });
    expect(findings.filter(({ severity }) => severity === 'error').map(({ check }) => check)).toEqual(errors);
  }
});
