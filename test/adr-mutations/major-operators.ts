import { rewriteCriteria } from './criteria-operators.ts';
import type { Document } from './document.ts';
import { appendTo, bodyOf, insertBefore, replaceBody, replaceField, replaceHeading, replaceSection } from './edit.ts';
import { breaking, type Expected, type Operator, perWording } from './operator.ts';

/** A breaking change lacks its guide when the plan goes, too. */
const NO_PLAN: Expected = { checks: ['major-needs-migration'], severity: 'error', also: ['breaking-needs-upgrade'] };
const NO_ROLLBACK: Expected = { checks: ['major-needs-rollback'], severity: 'warning' };

function isMajor({ text }: Document): boolean {
  return text.includes('\nchange_scope: major');
}

function major(
  name: string,
  expected: Expected,
  apply: (document: Document, plan: string) => string | Record<string, string>,
): Operator {
  return breaking(name, expected, (document) =>
    isMajor(document) ? apply(document, document.titles.migration ?? '') : undefined,
  );
}

/** The plan replaced by another text under the same heading. */
function instead(name: string, plan: string | ((old: string) => string)): Operator {
  return major(name, NO_PLAN, ({ text }, title) => replaceBody(text, title, plan));
}

/** The plan replaced by something in another section. */
function elsewhere(name: string, section: 'acceptance' | 'consequences' | 'documentation', written: string): Operator {
  return major(name, NO_PLAN, ({ text, titles }, title) =>
    appendTo(replaceSection(text, title, ''), titles[section] ?? '', written),
  );
}

const NO_PLANS = [
  'Out of scope: migration',
  'No migration',
  'Keine Migration',
  'Aucune migration',
  'Migration (entfällt)',
  'Migration risks',
  'Migrationsrisiken',
];

/** What leaves a major change without a migration plan. */
export const MIGRATION_OPERATORS: readonly Operator[] = [
  major('the migration plan is removed', NO_PLAN, ({ text }, title) => replaceSection(text, title, '')),
  instead('the migration plan is emptied', ''),
  instead('the migration plan says only TBD', 'TBD'),
  instead('the migration plan is one short sentence', 'Phase 1: we migrate. Phase 2: done.'),
  instead('the migration plan is padding', `Phase Schritt ${'x'.repeat(120)} Phase Schritt ${'x'.repeat(120)}`),
  instead('the migration plan is one sentence over and over', 'In phase 1 we begin. '.repeat(12).trim()),
  instead('the migration plan stands in a comment', (old) => `<!--\n${old}\n-->`),
  instead('the migration plan stands in a quote', (old) => old.replaceAll(/^/gm, '> ')),
  instead(
    'the migration plan has no steps and no times',
    'Operations will take care of moving the data, in agreement with our customers, and see to it that nothing is lost. The team lead has the last word on all of it.',
  ),
  major('the migration plan is one line that puts it off', NO_PLAN, ({ text, titles }, title) =>
    appendTo(replaceSection(text, title, ''), titles.decision ?? '', 'Migration: TBD'),
  ),
  major('the heading of the migration plan denies it or is about something else', NO_PLAN, ({ text }, title) =>
    perWording(NO_PLANS, (name) => replaceHeading(text, title, `## ${name}`)),
  ),
  instead(
    'the migration plan is a denial in many words',
    'Eine Migration ist nicht vorgesehen. Es gibt keine Altdaten und keine Nutzer; das Produkt ist neu, und zunächst arbeitet niemand damit, so dass nichts geschehen muss.',
  ),
  elsewhere(
    'the migration plan is a checklist among the acceptance criteria',
    'acceptance',
    '### Migration\n\n- [ ] Phase 1: data copied, and every table compared with the old one\n- [ ] Phase 2: reads switched over to the new tables\n- [ ] Phase 3: old tables dropped after two weeks of operation',
  ),
  elsewhere(
    'the migration plan is a promise under the consequences',
    'consequences',
    '### Migration\n\nA migration is needed. In a first phase somebody will have to write down how this is to be done, step by step, and by whom.',
  ),
  elsewhere(
    'the migration plan is a document to be written',
    'documentation',
    '### Migration\n\nA page on the migration with all phases and steps will be added to the handbook in the week after the first release.',
  ),
  major('the migration plan is only a link among the references', NO_PLAN, ({ text }, title) =>
    `${replaceSection(text, title, '').trimEnd()}\n\n### Migration\n\n- [Migration plan, phases 1 to 4, with a step for each week and who is responsible for it](https://wiki.example.org/plan)\n`.replace(
      '\n### Migration',
      text.includes('## Referenzen') ? '\n### Migration' : '\n## References\n\n### Migration',
    ),
  ),
  major('the migration plan belongs to an option that was not taken', NO_PLAN, ({ text, titles }, title) =>
    insertBefore(
      replaceSection(text, title, ''),
      titles.documentation ?? '',
      `## Rejected alternatives\n\n### Migration\n\n${bodyOf(text, title).replaceAll(/^### /gm, '#### ')}`,
    ),
  ),
  major(
    'no criterion says anything of the migration',
    { checks: ['major-needs-migration'], severity: 'error' },
    (document) =>
      rewriteCriteria(
        document,
        () => '- [ ] All tests pass\n- [ ] The handbook was read by two people\n- [ ] The team was trained',
      ),
  ),
  major('the criteria only deny a migration', { checks: ['major-needs-migration'], severity: 'error' }, (document) =>
    rewriteCriteria(document, () => '- [ ] All tests pass\n- [ ] No migration is needed\n- [ ] The team was trained'),
  ),
  breaking('a minor change without a plan becomes a major one', NO_PLAN, ({ text, name }) =>
    name.startsWith('027') ? replaceField(text, 'change_scope', 'change_scope: major') : undefined,
  ),
];

/** A document without a word about going back. */
function withoutRollback({ text, titles: { rollback = '' } }: Document): string {
  return replaceSection(text, rollback, '').replaceAll(/rückspiel\w+|rolled back|rollback|revert\w*/giu, (word) =>
    /^r.ck/iu.test(word) ? 'Einspielen' : 'undone',
  );
}

const DENIALS = [
  'Ein Rollback ist nicht vorgesehen.',
  'Kein Rollback geplant.',
  'Rollback: entfällt',
  'Wegen der Datenmenge ist ein Rollback nicht möglich.',
  'No rollback is planned.',
  'A rollback is not possible once the keys were rotated.',
  'Rolling back is not supported.',
  '| Plan | Answer |\n|---|---|\n| Rollback | n/a |',
  'There is neither a test nor a rollback.',
];

/** What leaves a major change without a way back. */
export const ROLLBACK_OPERATORS: readonly Operator[] = [
  major('nothing is said of going back', NO_ROLLBACK, withoutRollback),
  major('going back is denied', NO_ROLLBACK, (document) =>
    perWording(DENIALS, (denial) => appendTo(withoutRollback(document), document.titles.decision ?? '', denial)),
  ),
  major('going back is only mentioned in a comment', NO_ROLLBACK, (document) =>
    appendTo(withoutRollback(document), document.titles.decision ?? '', '<!-- we should think of a rollback -->'),
  ),
  major('going back is only mentioned in a fence', NO_ROLLBACK, (document) =>
    appendTo(withoutRollback(document), document.titles.decision ?? '', '```sql\nROLLBACK;\n```'),
  ),
  major('going back is only mentioned in a quote', NO_ROLLBACK, (document) =>
    appendTo(
      withoutRollback(document),
      document.titles.decision ?? '',
      '> Everybody has a rollback plan, somebody said.',
    ),
  ),
];
