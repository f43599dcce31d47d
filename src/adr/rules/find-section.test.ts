import { expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { kindsOf } from '../document/section-names.ts';
import { findSections } from './find-section.ts';

function found(wanted: string, text: string, negation = true): string[] {
  return findSections(parseAdr(text, 'a.md'), wanted, negation).map(({ title }) => title);
}

it('finds a section by its name first, then by its meaning, then as a word of its name', () => {
  const text = '# T\n\n## Datenmigration\n\n## Upgrade guide\n\n## 3. Migration\n';
  expect(found('Migration', text)).toEqual(['3. Migration', 'Upgrade guide', 'Datenmigration']);
});

it.each([
  ...[
    'Roll-out',
    'Roll out',
    'Rollout-Plan',
    'Cut-over',
    'Phased rollout',
    'Phased roll-out',
    'Migrating',
    'Migrating the data',
  ],
  ...['Migrations-Plan', 'Upgrade-Anleitung', 'Go-live', 'Schrittweise Einführung', 'Cut\u2011over'],
])('finds the migration under the name "%s"', (title) => {
  expect(found('Migration', `# T\n\n## Context\n\n## ${title}\n`)).toEqual([title]);
});

it('takes a hyphen for a blank in names nobody knows, too, but not for the end of a word', () => {
  expect(found('Test plan', '# T\n\n## Test-Plan\n')).toEqual(['Test-Plan']);
  expect(kindsOf('context-aware routing')).toEqual([]);
  expect(kindsOf('non-decisions')).toEqual([]);
});

it.each([
  'Acceptance criteria',
  'Konsequenzen',
  'References',
  'Dokumentation',
  'Zusammenfassung',
  'Considered options',
])('finds none below "%s"', (parent) => {
  expect(found('Migration', `# T\n\n## ${parent}\n\n### Migration\n\n#### Migration\n`)).toEqual([]);
});

it.each(['Implementation', 'Entscheidung', 'Decision Outcome'])('finds one below "%s", at any depth', (parent) => {
  expect(found('Migration', `# T\n\n## ${parent}\n\n### Migration\n`)).toEqual(['Migration']);
  expect(found('Migration', `# T\n\n## ${parent}\n\n### Part\n\n#### Migration\n`)).toEqual(['Migration']);
});

it('does not take the title for a section', () => {
  expect(found('Migration', '# Migration to PostgreSQL\n\n## Context\n')).toEqual([]);
  expect(found('Migration', '## ADR 5: Migration to PostgreSQL\n\n### Context\n\n### Migration\n')).toEqual([
    'Migration',
  ]);
});

it('finds sections of documents without a title, or with several', () => {
  expect(found('Migration', '## Context\n\n## Migration\n')).toEqual(['Migration']);
  expect(found('Migration', '# Context\n\n# Migration\n\n## Migration steps\n')).toEqual([
    'Migration',
    'Migration steps',
  ]);
});

it('does not find one by a part of a word', () => {
  expect(found('Context', '# T\n\n## Kontextwechsel\n\n## Subcontexts\n')).toEqual([]);
});

it('prefers the shallower and the longer one', () => {
  const text = '# T\n\n## Implementation\n\n### Migration\n\na\nb\nc\n\n## Migration\n\n## Migration\n\ntext\ntext\n';
  const sections = findSections(parseAdr(text, 'a.md'), 'Migration', true);
  expect(sections.map(({ line }) => line)).toEqual([13, 11, 5]);
});
