import type { Document, Kind } from './document.ts';
import { bodyOf, insertBefore, replaceBody, replaceHeading, replaceSection, sectionText } from './edit.ts';
import { breaking, type Expected, type Operator, perSection } from './operator.ts';

/** With the criteria go those about the migration, with the implementation goes a migration plan below it. */
const LOST_WITH_IT = ['min-acceptance', 'major-needs-migration', 'breaking-needs-upgrade'];

function expecting(checks: readonly string[], severity?: 'error'): Expected {
  return { checks, also: LOST_WITH_IT, ...(severity !== undefined && { severity }) };
}

/** An operator that does something to each section a document needs. */
function required(
  name: string,
  expected: Expected,
  change: (document: Document, title: string, kind: Kind) => string,
): Operator {
  return breaking(name, expected, (document) =>
    perSection(document, document.required, (title, kind) => change(document, title, kind)),
  );
}

/** The same for helix documents only, where text has to be text; `but` names sections it says nothing of. */
function strict(
  name: string,
  expected: Expected,
  { but = [], change }: { but?: readonly Kind[]; change: (document: Document, title: string) => string },
): Operator {
  return breaking(name, expected, (document) =>
    document.form === 'helix'
      ? perSection(
          document,
          document.required.filter((kind) => !but.includes(kind)),
          (title) => change(document, title),
        )
      : undefined,
  );
}

function filled(name: string, words: string | ((kind: Kind, document: Document) => string)): Operator {
  return required(name, expecting(['placeholder'], 'error'), (document, title, kind) =>
    replaceBody(document.text, title, typeof words === 'string' ? words : words(kind, document)),
  );
}

const MISSING = expecting(['missing-section'], 'error');
const EMPTY = expecting(['empty-section'], 'error');
const NOTHING_SAID = expecting(['placeholder', 'empty-section', 'short-section']);

const TEMPLATE: Partial<Record<Kind, string>> = {
  context: "What is the issue that we're seeing that is motivating this decision or change?",
  decision: "What is the change that we're proposing and/or doing?",
  consequences: 'What becomes easier or more difficult to do because of this change?',
};

function fenced(text: string): string {
  return `\`\`\`\`text\n${text}\n\`\`\`\``;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** What makes a section that is needed vanish, or leaves nothing in it. */
export const SECTION_OPERATORS: readonly Operator[] = [
  required('a required section is removed', MISSING, ({ text }, title) => replaceSection(text, title, '')),
  required('a required section is emptied', EMPTY, ({ text }, title) => replaceBody(text, title, '')),
  filled('a required section says only TBD', 'TBD'),
  filled('a required section is a note to write it', 'TODO: write this down before the review'),
  filled('a required section says that it will be completed', 'Wird noch ergänzt.'),
  filled('a required section says that it is not applicable', 'n/a'),
  filled('a required section says in French that it is to be completed', 'À compléter'),
  filled(
    'a required section holds the question of a template',
    (kind) => TEMPLATE[kind] ?? '{Describe here what this section is about, in two or three sentences}',
  ),
  filled('a required section holds an order in brackets', (_, { language }) =>
    language === 'de'
      ? '[Beschreibe hier kurz, worum es in diesem Abschnitt geht und was sich dadurch ändert]'
      : '<describe the point of this section in free form, two or three sentences>',
  ),
  filled(
    'a required section is dummy text',
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
  ),
  required('a required section is one letter over and over', NOTHING_SAID, ({ text }, title) =>
    replaceBody(text, title, `${'x'.repeat(80)}\n${'x'.repeat(80)}`),
  ),
  required('a required section is one short sentence over and over', NOTHING_SAID, ({ text }, title) =>
    replaceBody(text, title, 'It is fine. '.repeat(20).trim()),
  ),
  required('a required section is the same few words over and over', NOTHING_SAID, ({ text }, title) =>
    replaceBody(text, title, 'wichtig ja sehr '.repeat(15).trim()),
  ),
  required('a required section is only dots', NOTHING_SAID, ({ text }, title) => replaceBody(text, title, '...')),
  required('a required section is a hard space', NOTHING_SAID, ({ text }, title) => replaceBody(text, title, '&nbsp;')),
  required('a required section is an empty list', NOTHING_SAID, ({ text }, title) =>
    replaceBody(text, title, '-\n-\n-'),
  ),
  required('the text of a required section is moved into a comment', EMPTY, ({ text }, title) =>
    replaceBody(text, title, (old) => `<!--\n${old}\n-->`),
  ),
  strict('the text of a required section is moved into a fence', EMPTY, {
    but: ['implementation'],
    change: ({ text }, title) => replaceBody(text, title, fenced),
  }),
  strict('the text of a required section is moved into a quote', EMPTY, {
    but: ['implementation'],
    change: ({ text }, title) => replaceBody(text, title, quoted),
  }),
  strict('a required section has only empty subsections', EMPTY, {
    change: ({ text }, title) => replaceBody(text, title, '### Details\n\n### Overview'),
  }),
  strict('a required section is reduced to a pointer', expecting(['short-section'], 'error'), {
    change: ({ text }, title) => replaceBody(text, title, 'See the ticket.'),
  }),
  required('a required section stands only in a fence, heading and all', MISSING, ({ text }, title) =>
    replaceSection(text, title, fenced(sectionText(text, title))),
  ),
  required('a required section stands only in a quote, heading and all', MISSING, ({ text }, title) =>
    replaceSection(text, title, quoted(sectionText(text, title))),
  ),
  required('a required section stands only in a comment, heading and all', MISSING, ({ text }, title) =>
    replaceSection(text, title, `<!--\n${sectionText(text, title)}\n-->`),
  ),
  required('the heading of a required section lost its space', expecting(['missing-section']), ({ text }, title) =>
    replaceHeading(text, title, `##${title}`),
  ),
  required('a required section is called something nobody knows', MISSING, ({ text }, title) =>
    replaceHeading(text, title, '## Sundries'),
  ),
  strict('a required section is one level too deep', MISSING, {
    change: ({ text }, title) => replaceHeading(text, title, `### ${title}`),
  }),
  strict('a required section is moved below the acceptance criteria', MISSING, {
    but: ['acceptance'],
    change: ({ text, titles: { acceptance = '' } }, title) =>
      replaceBody(
        replaceSection(text, title, ''),
        acceptance,
        (old) => `${old}\n\n### ${title}\n\n${bodyOf(text, title)}`,
      ),
  }),
];

const SWALLOWED: Expected = {
  checks: ['unclosed-fence'],
  severity: 'error',
  also: ['missing-section', 'short-section', 'empty-section', ...LOST_WITH_IT],
};

/** The section from which on a fence swallows the document. */
function second({ titles, form }: Document): string {
  return (form === 'what-why' ? titles.context : titles.decision) ?? '';
}

/** What goes wrong with fences and comments. */
export const FENCE_OPERATORS: readonly Operator[] = [
  breaking('a fence stands inside a fence', { checks: ['nested-fence'], severity: 'warning' }, (document) =>
    insertBefore(
      document.text,
      second(document),
      '```markdown\n## Output\n\n```json\n{"ok": true}\n```\n\n## After it\n```',
    ),
  ),
  breaking('a fence is never closed and swallows the rest', SWALLOWED, (document) =>
    insertBefore(document.text.replaceAll(/^```.*$/gm, ''), second(document), '```sh\nmake all'),
  ),
  breaking('a fence is closed by a shorter one', SWALLOWED, (document) =>
    insertBefore(document.text.replaceAll(/^```.*$/gm, ''), second(document), '````sh\nmake all\n```'),
  ),
  breaking('a fence is closed by another sort of fence', SWALLOWED, (document) =>
    insertBefore(document.text.replaceAll(/^```.*$/gm, ''), second(document), '~~~sh\nmake all\n```'),
  ),
  breaking('a comment is never closed and swallows the rest', SWALLOWED, (document) =>
    insertBefore(document.text, second(document), '<!-- not sure about this part'),
  ),
  breaking(
    'a fence at the very end is never closed',
    { checks: ['unclosed-fence'], severity: 'warning' },
    ({ text }) => `${text}\n\`\`\`sh\nmake all\n`,
  ),
];
