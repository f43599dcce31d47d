import { addField, halves, replaceField, replaceSection } from './edit.ts';
import { harmless, type Operator, perWording } from './operator.ts';

function helix(name: string, apply: (text: string) => string | Record<string, string> | undefined): Operator {
  return harmless(name, ({ form, text }) => (form === 'helix' ? apply(text) : undefined));
}

/** Other ways to write the header. */
export const FIELD_OPERATORS: readonly Operator[] = [
  helix('the id has no quotes', (text) => text.replace(/^adr_id: "(\d+)"/m, 'adr_id: $1')),
  helix('the id has a prefix', (text) => text.replace(/^adr_id: "(\d+)"/m, 'adr_id: ADR-$1')),
  helix('the id has single quotes', (text) => text.replace(/^adr_id: "(\d+)"/m, "adr_id: '$1'")),
  helix('dependencies have a prefix or no quotes', (text) => {
    if (!/^depends_on: \["/m.test(text)) return undefined;
    return {
      prefix: text.replace(/^depends_on: .*$/m, (line) => line.replaceAll(/"(\d+)"/g, 'ADR-$1')),
      bare: text.replace(/^depends_on: .*$/m, (line) => line.replaceAll('"', '')),
      block: text.replace(
        /^depends_on: .*$/m,
        (line) => `depends_on:${line.replaceAll(/[^"]*"(\d+)"\]?/g, '\n  - "$1"')}`,
      ),
    };
  }),
  harmless('dependencies are named another way', ({ text, name }) => {
    const [header, body] = halves(text);
    if (!name.startsWith('027')) return undefined;
    return perWording(
      ['ADR 019', 'adr-19', '[019](019-timeouts.md)', 'ADRs 018 and 019', 'ADR #19'],
      (words) => header + body.replace('ADR-019', words),
    );
  }),
  helix('the status has an emoji, a date or other letters', (text) =>
    perWording(
      ['✅ Accepted', 'accepted', 'ACCEPTED', 'Accepted (2026-01-05)', '"Implemented"', 'Akzeptiert'],
      (status) => replaceField(text, 'status', `status: ${status}`),
    ),
  ),
  harmless('the front matter has comments', ({ text, form }) =>
    form === 'nygard' ? undefined : text.replace(/^status: .*$/m, '# as decided in the meeting\n$& # since Monday'),
  ),
  helix('lists are written in one line', (text) => {
    const flow = text.replaceAll(
      /^( *)(\w+):\n((?:\1 +- .*\n)+)/gm,
      (_, indent: string, key: string, items: string) =>
        `${indent}${key}: [${[...items.matchAll(/- (.*)/g)].map(([, item]) => item).join(', ')}]\n`,
    );
    return flow === text ? undefined : flow;
  }),
  helix('lists are written in a block', (text) =>
    text.replaceAll(
      /^( *)(\w+): \[([^\]\n]+)\]$/gm,
      (_, indent: string, key: string, items: string) =>
        `${indent}${key}:\n${items
          .split(', ')
          .map((item) => `${indent}  - ${item}`)
          .join('\n')}`,
    ),
  ),
  helix('the fields stand in another order', (text) => {
    const title = /^title: .*\n/m.exec(text)?.[0] ?? '';
    return addField(text.replace(title, ''), title.trim());
  }),
  helix('the header has fields of somebody else', (text) =>
    addField(text, 'authors: [Kim, Sascha]\nreview_by: 2027-01-01'),
  ),
  helix('optional fields are left out', (text) =>
    ['domain', 'language', 'skills', 'related_to'].reduce((rest, field) => replaceField(rest, field, ''), text),
  ),
  helix('the values are in other letters', (text) =>
    text
      .replace(/^classification: (\w+)/m, (line) => line.toLowerCase())
      .replace(/^change_scope: (\w+)/m, (_, scope: string) => `change_scope: ${scope.toUpperCase()}`),
  ),
  harmless('the date has quotes or a time', ({ text, form }) =>
    form === 'nygard'
      ? undefined
      : {
          quotes: text.replace(/^date: (.*)$/m, 'date: "$1"'),
          time: text.replace(/^date: (.*)$/m, 'date: $1T09:30:00Z'),
        },
  ),
  harmless('the front matter ends with dots', ({ text, form }) =>
    form === 'nygard' ? undefined : text.replace('\n---\n', '\n...\n'),
  ),
  harmless('the file has another name with the same number', ({ text, name }) => {
    const [number = ''] = /^\d+/.exec(name) ?? [];
    return Object.fromEntries(
      [`adr-${number}-x.md`, `ADR-${number}.md`, `0${number}-x.md`].map((file) => [
        file,
        { text, path: `docs/decisions/${file}` },
      ]),
    );
  }),
  harmless('the status of a Nygard ADR stands elsewhere', ({ text, form }) => {
    if (form !== 'nygard') return undefined;
    const without = replaceSection(text, 'Status', '');
    return {
      bold: without.replace(/^(Date|Datum): /m, '**Status:** Accepted\n\n$1: '),
      bullet: without.replace(/^(Date|Datum): (.*)$/m, '* Status: accepted\n* Date: $2'),
      table: without.replace(/^(Date|Datum): (.*)$/m, '| Status | Accepted |\n|---|---|\n| Date | $2 |'),
      header: addField(without, 'status: accepted'),
      heading: text.replace(/^## Status\n\n\w+/m, '## Status: Accepted'),
    };
  }),
  harmless('the title of a Nygard ADR is numbered another way', ({ text, form }) =>
    form === 'nygard'
      ? perWording(['ADR-$1: ', 'ADR $1: ', '0$1 - ', 'ADR-000$1 '], (words) =>
          text.replace(/^# 0*(\d+)\. /, `# ${words}`),
        )
      : undefined,
  ),
];
