import type { Adr } from '../document/adr.ts';
import { headingNumber } from '../document/adr-names.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { fieldLine, setField } from './edit-front-matter.ts';
import { type EditableText, editable, insertAfter, joined, lineAt, setLine } from './edit-lines.ts';

/** What a new ADR says about itself. */
export type NewAdr = {
  readonly path: string;
  readonly id: string | undefined;
  readonly title: string;
  readonly status: string;
  readonly date: string;
  /** A heading of the folder, whose form is kept. */
  readonly likeHeading: string | undefined;
};

/** Fills a template of any form: its title, and id, status and date wherever it has them; what it lacks is added below the title. */
export function fillAdrTemplate(template: string, values: NewAdr): string {
  const edit = editable(fillWords(template, values));
  const adr = parseAdr(joined(edit), values.path);
  setHeading(edit, adr, values);
  if (adr.frontMatter !== undefined) setFields(edit, adr, values);
  const body = fillBody(edit, adr, values);
  const told = parseAdr(joined(edit), values.path);
  const missing = [
    ...(told.dates.some(({ value }) => value === values.date) ? [] : [`Date: ${values.date}`]),
    ...(told.statuses.length > 0 || body ? [] : ['', `Status: ${values.status}`]),
  ];
  const title = told.sections.find(({ level }) => level === 1);
  if (missing.length > 0)
    insertAfter(edit, title === undefined ? (told.frontMatter?.last ?? 0) : title.first - 1, [
      '',
      ...missing.filter((line, index) => index > 0 || line !== ''),
    ]);
  return joined(edit);
}

/** The words adr-tools looks for. */
function fillWords(template: string, { id, title, status, date }: NewAdr): string {
  if (!/^# NUMBER\. TITLE/m.test(template)) return template;
  const words: Readonly<Record<string, string>> = {
    NUMBER: String(Number(id ?? 0)),
    TITLE: headingText(title),
    STATUS: status,
    DATE: date,
  };
  return template.replace(/\b(?:NUMBER|TITLE|STATUS|DATE)\b/g, (word) => words[word] ?? word);
}

function setHeading(edit: EditableText, adr: Adr, { id, title, likeHeading }: NewAdr): void {
  const heading = adr.sections.find(({ level }) => level === 1);
  const text = headingIn({ form: likeHeading ?? heading?.title ?? '', id, title });
  if (heading === undefined) insertAfter(edit, adr.frontMatter?.last ?? 0, ['', `# ${text}`]);
  else setLine(edit, heading.line, lineAt(edit, heading.line).startsWith('#') ? `# ${text}` : text);
}

const FORM =
  /^((?:adr|architecture decision record)?[\s#_-]*)(\d+|[nx]{1,4}|number|\{[^}]*(?:number|id|n)[^}]*\})(\s*[:.)–—|-]+\s+|\s+)/i;

/** The newest of those headings that have the form most have. */
export function commonHeading(headings: readonly string[]): string | undefined {
  const forms = new Map<string, { count: number; heading: string }>();
  for (const heading of headings) {
    const [, prefix, number, separator] = FORM.exec(heading) ?? [];
    const form = number === undefined ? '' : `${prefix} ${/^0/.test(number)} ${separator}`;
    forms.set(form, { count: (forms.get(form)?.count ?? 0) + 1, heading });
  }
  let common: { count: number; heading: string } | undefined;
  for (const each of forms.values()) if (each.count >= (common?.count ?? 0)) common = each;
  return common?.heading;
}

/** The title with its number in the form of another heading: "7. X", "ADR-007: X", or without. */
function headingIn({ form, id, title }: { form: string; id: string | undefined; title: string }): string {
  const [, prefix = '', number, separator = ': '] = FORM.exec(form) ?? [];
  const text = headingText(title);
  if (id === undefined) return text;
  if (number === undefined || (prefix.trim() === '' && separator.trim() === ''))
    // A title that starts with a number would be read as the number of the ADR.
    return headingNumber(title).id === undefined ? text : `ADR-${id}: ${text}`;
  const bare = /^[1-9]\d*$/.test(number) && String(Number(id)).length <= number.length + 1 && prefix.trim() === '';
  return `${prefix}${bare ? Number(id) : id}${separator}${text}`;
}

/** A title as it stands in a heading: nothing in it is markup. */
function headingText(title: string): string {
  return title
    .replace(/[\\`*_[\]<>{~]/g, '\\$&')
    .replace(/#+$/, (hashes) => (/\s#+$/.test(title) ? `\\${hashes}` : hashes));
}

function setFields(edit: EditableText, adr: Adr, values: NewAdr): void {
  const set = (names: readonly string[], value: string | undefined): void => {
    const line = fieldLine(edit, adr, names);
    if (line > 0 && value !== undefined) setField(edit, adr, { line, value });
  };
  set(['adr_id', 'id', 'number'], values.id);
  set(['title'], values.title);
  set(['status'], values.status);
  set(['date'], values.date);
}

/** Sets status and date in lines and sections; true when a status was set. */
function fillBody(edit: EditableText, adr: Adr, { status, date }: NewAdr): boolean {
  const inBody = (line: number): boolean => line > (adr.frontMatter?.last ?? 0);
  const top = [
    ...adr.statuses.filter(({ source }) => source === 'top').map((told) => ({ told, value: status })),
    ...adr.dates.filter(({ source }) => source === 'top').map((told) => ({ told, value: date })),
  ];
  for (const { told, value } of top) {
    const line = lineAt(edit, told.line);
    const [, head = '', rest = ''] = /^(.*?\p{L}(?:\*\*|__)?\s*(?::\s*(?:\*\*|__)?|\|)\s*)(.*)$/su.exec(line) ?? [];
    const tail = /(\s*(?:\||\\| {2})\s*)$/.exec(rest)?.[0] ?? '';
    if (inBody(told.line) && head !== '') setLine(edit, told.line, `${head}${value}${tail}`);
  }
  let done = top.some(({ value }) => value === status);
  for (const section of [...adr.sections].reverse()) {
    const kinds = section.kinds;
    if (section.level === 1 || section.level > 3 || !(kinds.includes('status') || kinds.includes('date'))) continue;
    const value = kinds.includes('status') ? status : date;
    done ||= value === status;
    setFirstParagraph(edit, section, value);
  }
  return done;
}

/** A template tells in a section what may stand there: all of it gives way to the value. */
function setFirstParagraph(edit: EditableText, { first, last }: { first: number; last: number }, value: string): void {
  let from = first;
  while (from <= last && lineAt(edit, from).trim() === '') from += 1;
  let to = last;
  while (to > from && lineAt(edit, to).trim() === '') to -= 1;
  if (from > last) insertAfter(edit, first - 1, ['', value]);
  else {
    setLine(edit, from, value);
    edit.lines.splice(from, to - from);
  }
}
