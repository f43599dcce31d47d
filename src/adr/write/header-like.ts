import type { Adr } from '../document/adr.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { fieldLine } from './edit-front-matter.ts';
import { editable, insertAfter, joined, lineAt } from './edit-lines.ts';

const KNOWN = ['adr_id', 'id', 'number', 'title', 'status', 'date'];

/** A template without front matter gets one where most ADRs tell their status in it; what they tell there leaves its text. */
export function headerLike(template: string, adrs: readonly Adr[]): string {
  const telling = adrs.filter(({ statuses }) => statuses.length > 0);
  const inFields = telling.filter(({ statuses }) => statuses[0]?.source === 'front-matter');
  const model = inFields.at(-1);
  const adr = parseAdr(template, '');
  if (model === undefined || inFields.length * 2 <= telling.length || adr.frontMatter !== undefined) return template;
  const edit = editable(template);
  for (const { first, last } of toldTwice(adr, model)) {
    let end = last;
    while (lineAt(edit, end + 1) === '' && end < edit.lines.length) end += 1;
    edit.lines.splice(first - 1, end - first + 1);
  }
  const fields = Object.keys(model.frontMatter?.fields ?? {}).filter((name) => KNOWN.includes(name));
  insertAfter(edit, 0, ['---', ...fields.map((name) => emptyField(name, model)), '---', '']);
  return joined(edit);
}

type Lines = { readonly first: number; readonly last: number };

/** Where a template tells what the model tells only in its front matter, the last place first. */
function toldTwice(template: Adr, model: Adr): Lines[] {
  const told = (['status', 'date'] as const).flatMap((kind): Lines[] => {
    const of = ({ statuses, dates }: Adr) => (kind === 'status' ? statuses : dates);
    if (of(model).length === 0 || of(model).some(({ source }) => source !== 'front-matter')) return [];
    const lines = of(template).filter(({ source }) => source === 'top');
    const sections = template.sections.filter(({ level, kinds }) => level > 1 && kinds.includes(kind));
    return [
      ...lines.map(({ line }) => ({ first: line, last: line })),
      ...sections.map(({ line, last }) => ({ first: line, last })),
    ];
  });
  return told.sort((a, b) => b.first - a.first);
}

/** A field to be filled, in the quotes the model has. */
function emptyField(name: string, model: Adr): string {
  const lines = editable(model.lines.join('\n'));
  const quote = /:\s*(["'])/.exec(lineAt(lines, fieldLine(lines, model, [name])))?.[1] ?? '';
  return `${name}: ${quote}x${quote}`;
}
