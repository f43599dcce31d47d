import type { Document } from './document.ts';
import { appendTo, bodyOf, replaceBody } from './edit.ts';
import { breaking, type Expected, type Operator } from './operator.ts';

const ITEM = /^- \[[ x]\] (.+)$/gm;

/** The criteria of a document, without their boxes. */
function criteriaOf({ text, titles: { acceptance = '' } }: Document): string[] {
  return [...bodyOf(text, acceptance).matchAll(ITEM)].map(([, criterion = '']) => criterion);
}

/** Writes the list of criteria another way; a sentence around it stays, so that the section is long enough. */
export function rewriteCriteria(document: Document, write: (criteria: readonly string[]) => string): string {
  const { text, titles } = document;
  const introduction =
    document.language === 'de'
      ? 'Geprüft wird das folgende gemeinsam mit allen, die später damit arbeiten müssen.'
      : 'All of this is checked together with the people who will have to work with it.';
  return replaceBody(text, titles.acceptance ?? '', `${introduction}\n\n${write(criteriaOf(document))}`);
}

const TOO_FEW: Expected = { checks: ['min-acceptance'], severity: 'error', also: ['major-needs-migration'] };

function helix(
  name: string,
  expected: Expected,
  write: (criteria: readonly string[], document: Document) => string,
): Operator {
  return breaking(name, expected, (document) =>
    document.form === 'helix' ? rewriteCriteria(document, (criteria) => write(criteria, document)) : undefined,
  );
}

function boxed(criteria: readonly string[]): string {
  return criteria.map((criterion) => `- [ ] ${criterion}`).join('\n');
}

/** What leaves an ADR with fewer acceptance criteria than it needs. */
export const CRITERIA_OPERATORS: readonly Operator[] = [
  helix('only two criteria are left', TOO_FEW, (criteria) => boxed(criteria.slice(0, 2))),
  helix('the criteria have no boxes', TOO_FEW, (criteria) => criteria.map((each) => `- ${each}`).join('\n')),
  helix('the criteria are prose', TOO_FEW, (criteria) => `${criteria.join('. ')}.`),
  helix('the boxes stand in a fence', TOO_FEW, (criteria) => `\`\`\`markdown\n${boxed(criteria)}\n\`\`\``),
  helix('the boxes stand in an indented block', TOO_FEW, (criteria) => boxed(criteria).replaceAll(/^/gm, '    ')),
  helix('the boxes stand in a quote', TOO_FEW, (criteria) => boxed(criteria).replaceAll(/^/gm, '> ')),
  helix('the boxes stand in a comment', TOO_FEW, (criteria) => `<!--\n${boxed(criteria)}\n-->`),
  helix('the boxes have no text', TOO_FEW, (criteria) => criteria.map(() => '- [ ]').join('\n')),
  helix('the boxes have no room for a tick', TOO_FEW, (criteria) => criteria.map((each) => `- [] ${each}`).join('\n')),
  helix('the boxes are escaped', TOO_FEW, (criteria) => criteria.map((each) => `- \\[ \\] ${each}`).join('\n')),
  helix('the boxes are in no list', TOO_FEW, (criteria) => criteria.map((each) => `[ ] ${each}`).join('\n\n')),
  helix('the criteria are placeholders', TOO_FEW, (criteria) =>
    criteria.map((_, index) => `- [ ] ${['TBD', 'TODO: define', '...', 'wird noch ergänzt'][index]}`).join('\n'),
  ),
  helix(
    'all criteria are the same one',
    { ...TOO_FEW, also: [...(TOO_FEW.also ?? []), 'duplicate-acceptance'] },
    (criteria) => boxed(criteria.map(() => criteria[0] ?? '')),
  ),
  helix('one criterion stands twice', { checks: ['duplicate-acceptance'], severity: 'warning' }, (criteria) =>
    boxed([...criteria, criteria[0] ?? '']),
  ),
  helix(
    'one criterion stands twice in other letters',
    { checks: ['duplicate-acceptance'], severity: 'warning' },
    (criteria) => boxed([...criteria, `**${(criteria[0] ?? '').toUpperCase()}.**`]),
  ),
  breaking('the criteria stand under the consequences', TOO_FEW, (document) => {
    const { text, titles, form } = document;
    if (form !== 'helix') return undefined;
    const without = rewriteCriteria({ ...document, text }, () => '');
    return appendTo(without, titles.consequences ?? '', boxed(criteriaOf(document)));
  }),
];
