import type { Document } from './document.ts';
import { addField, halves, replaceField, replaceHeading, replaceSection, slices, swap } from './edit.ts';
import { breaking, type Expected, type Operator, perWording } from './operator.ts';

/** An operator on the header of helix documents, where it is an error. */
function helix(
  name: string,
  expected: Pick<Expected, 'checks' | 'also'> & { severity?: 'warning' },
  apply: (document: Document) => string | Record<string, string>,
): Operator {
  return breaking(name, { severity: 'error', ...expected }, (document) =>
    document.form === 'helix' ? apply(document) : undefined,
  );
}

/** An operator on every document: an error in helix documents, elsewhere a warning. */
function everywhere(name: string, checks: readonly string[], apply: (document: Document) => string): Operator {
  return breaking(name, ({ form }) => ({ checks, severity: form === 'helix' ? 'error' : 'warning' }), apply);
}

const YAML = { checks: ['header-yaml'] };
/** What cannot be read tells nothing else either. */
const YAML_GONE = { checks: ['header-yaml'], also: ['missing-id', 'missing-title', 'missing-status'] };

function withStatus({ text, form }: Document, status: string): string {
  if (form === 'nygard') return text.replace(/^(## Status\n\n)\w+/m, `$1${status}`);
  return replaceField(text, 'status', `status: ${status}`);
}

function withoutStatus({ text, form }: Document): string {
  return form === 'nygard' ? replaceSection(text, 'Status', '') : replaceField(text, 'status', '');
}

function withDate({ text, form }: Document, date: string): string {
  if (form === 'nygard') return text.replace(/^(Date|Datum): .*$/m, `$1: ${date}`);
  return replaceField(text, 'date', `date: ${date}`);
}

function titleLine(text: string): string {
  return slices(text).find(({ level }) => level === 1)?.title ?? '';
}

function withoutTitle({ text }: Document): string {
  const [header, body] = halves(text);
  return header.replace(/^title: .*\n/m, '') + body.replace(/^# .*\n/m, '');
}

/** What goes wrong with what an ADR tells about itself. */
export const HEADER_OPERATORS: readonly Operator[] = [
  everywhere('the status is a word that is no status', ['invalid-status'], (document) =>
    withStatus(document, 'Wonderful'),
  ),
  helix('the status is one that HELIX does not list', { checks: ['invalid-status'] }, (document) =>
    perWording(['Draft', 'Deprecated', 'Pending'], (status) => withStatus(document, status)),
  ),
  helix('the status has no value', { checks: ['missing-status', 'invalid-status'] }, ({ text }) =>
    replaceField(text, 'status', 'status:'),
  ),
  everywhere('the status is missing', ['missing-status'], withoutStatus),
  everywhere('the title is missing', ['missing-title'], withoutTitle),
  helix('the id is missing', { checks: ['missing-id'] }, ({ text }) => {
    const title = titleLine(text);
    return replaceHeading(replaceField(text, 'adr_id', ''), title, `# ${title.replace(/^ADR-\d+: /, '')}`);
  }),
  helix('the id in the title is another one', { checks: ['id-mismatch'] }, ({ text }) => {
    const title = titleLine(text);
    return replaceHeading(text, title, `# ${title.replace(/ADR-\d+/, 'ADR-099')}`);
  }),
  breaking(
    'the file is numbered otherwise',
    { checks: ['id-mismatch'], severity: 'warning' },
    ({ text, name, form }) =>
      form === 'madr' || form === 'what-why'
        ? undefined
        : { 'file name': { text, path: `docs/adr/${name.replace(/^\d+/, (id) => '7'.repeat(id.length))}` } },
  ),
  breaking('the date is a day that does not exist', dated('invalid-date'), (document) =>
    withDate(document, '2025-02-30'),
  ),
  breaking('the date is no date', dated('invalid-date'), (document) => withDate(document, 'next spring')),
  breaking(
    'the date is not in the order of the calendar',
    { checks: ['date-format'], severity: 'warning' },
    (document) => perWording(['21.12.2025', '12/21/2025', '21 December 2025'], (date) => withDate(document, date)),
  ),
  breaking('two places tell different statuses', { checks: ['status-conflict'], severity: 'warning' }, (document) =>
    document.form === 'nygard'
      ? addField(document.text, 'status: Rejected')
      : `${document.text}\n## Status\n\nRejected\n`,
  ),
  helix('a field has a value nobody knows', YAML, ({ text }) =>
    perWording(['classification', 'component_type', 'change_scope', 'project_type'], (field) =>
      replaceField(text, field, `${field}: GREAT`),
    ),
  ),
  helix('a list is a single word', YAML, ({ text }) =>
    perWording(['skills', 'related_to', 'depends_on'], (field) => replaceField(text, field, `${field}: "none at all"`)),
  ),
  helix('a list of files is a single path', YAML, ({ text }) =>
    replaceField(text, 'files', 'files:\n  create: src/main.py'),
  ),
  helix('a field is misspelt', { ...YAML, severity: 'warning' }, ({ text }) => ({
    classification: text.replace('\nclassification:', '\nclasification:'),
    component_type: text.replace('\ncomponent_type:', '\ncomponent_typ:'),
    depends_on: text.replace('\ndepends_on:', '\ndepend_on:'),
  })),
  breaking('the front matter is never closed', { severity: 'error', ...YAML_GONE }, ({ text, form }) =>
    form === 'nygard' ? undefined : text.replace('\n---\n', '\n'),
  ),
  breaking('a field stands twice in the front matter', { severity: 'error', ...YAML }, ({ text, form }) =>
    form === 'nygard' ? undefined : addField(text, 'status: Rejected'),
  ),
  breaking('the front matter is indented with tabs', { severity: 'error', ...YAML_GONE }, ({ text, form }) =>
    form === 'nygard' ? undefined : addField(text, 'meta:\n\towner: platform'),
  ),
  breaking('a quote in the front matter is never closed', { severity: 'error', ...YAML_GONE }, ({ text, form }) =>
    form === 'nygard' ? undefined : swap(text, 'status: ', 'status: "'),
  ),
  helix('the title has a colon that YAML reads as a field', YAML_GONE, ({ text }) =>
    text.replace(/^title: (\w+) /m, 'title: $1: '),
  ),
  helix('the front matter is a list', YAML_GONE, ({ text }) => `---\n- adr_id\n- status\n---\n${halves(text)[1]}`),
  helix('the front matter is a bomb of aliases', YAML_GONE, ({ text }) => addField(text, bomb())),
  helix('the front matter names an anchor that is not there', YAML_GONE, ({ text }) => addField(text, 'meta: *owner')),
  helix('there is no front matter', YAML_GONE, ({ text }) => halves(text)[1].trimStart()),
  helix('the front matter stands below the title', YAML_GONE, ({ text }) => {
    const [header, body] = halves(text);
    const [title = '', ...rest] = body.trimStart().split('\n');
    return [title, '', header, ...rest].join('\n');
  }),
];

function dated(check: string) {
  return ({ form }: Document): Expected => ({ checks: [check], severity: form === 'helix' ? 'error' : 'warning' });
}

function bomb(): string {
  const lines = ['meta:', '  a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih', 'ji'].map((pair) => [...pair]))
    lines.push(`  ${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
  return lines.join('\n');
}
