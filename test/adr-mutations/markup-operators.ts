import { rewriteCriteria } from './criteria-operators.ts';
import type { Document } from './document.ts';
import { appendTo, eachHeading, halves, insertBefore, replaceBody, sectionText, slices } from './edit.ts';
import { harmless, type Operator, perWording } from './operator.ts';

function headings(
  name: string,
  write: (heading: { hashes: string; title: string; level: number }, number: number) => string,
): Operator {
  return harmless(name, ({ text }) =>
    eachHeading(text, ({ level, title }, number) => write({ hashes: '#'.repeat(level), title, level }, number)),
  );
}

/** Other ways to write the bytes and the headings. */
export const HEADING_OPERATORS: readonly Operator[] = [
  harmless('the file starts with a byte order mark', ({ text }) => `\ufeff${text}`),
  harmless('lines end with carriage return and line feed', ({ text }) => text.replaceAll('\n', '\r\n')),
  harmless('accents are separate characters', ({ text }) =>
    text.normalize('NFD') === text ? undefined : text.normalize('NFD'),
  ),
  harmless('the last line has no end', ({ text }) => text.trimEnd()),
  harmless('lines end with spaces', ({ text }) => text.replaceAll(/(?<!-)$/gm, '  ')),
  harmless('there are more blank lines', ({ text }) => {
    const [header, body] = halves(text);
    return header + body.replaceAll('\n\n', '\n\n\n\n');
  }),
  harmless('there are no blank lines after headings', ({ text }) => text.replaceAll(/^(#+ .*)\n\n/gm, '$1\n')),
  headings('headings are underlined', ({ hashes, title, level }) =>
    level === 2 ? `${title}\n${'-'.repeat(title.length)}` : `${hashes} ${title}`,
  ),
  headings('headings have closing hashes', ({ hashes, title }) => `${hashes} ${title} ${hashes}`),
  headings('headings are numbered', ({ hashes, title, level }, number) =>
    level === 2 ? `${hashes} ${number}. ${title}` : `${hashes} ${number}.1 ${title}`,
  ),
  headings('headings are numbered with brackets', ({ hashes, title }, number) => `${hashes} ${number}) ${title}`),
  headings(
    'headings are numbered the Roman way',
    ({ hashes, title }, number) => `${hashes} ${'I'.repeat(((number - 1) % 3) + 1)}. ${title}`,
  ),
  headings('headings start with an emoji', ({ hashes, title }) => `${hashes} 🎯 ${title}`),
  headings('headings end with an emoji', ({ hashes, title }) => `${hashes} ${title} ✅`),
  headings('headings are bold', ({ hashes, title }) => `${hashes} **${title}**`),
  headings(
    'headings are numbered, bold and have an emoji',
    ({ hashes, title }, number) => `${hashes} ${number}. 🚀 **${title}**`,
  ),
  headings('headings are italic', ({ hashes, title }) => `${hashes} _${title}_`),
  headings('headings end with a colon', ({ hashes, title }) => `${hashes} ${title}:`),
  headings('headings are in capitals', ({ hashes, title }) => `${hashes} ${title.toUpperCase()}`),
  headings('headings have anchors in braces', ({ hashes, title }, number) => `${hashes} ${title} {#section-${number}}`),
  headings(
    'headings have anchors in HTML',
    ({ hashes, title }, number) => `${hashes} <a name="s${number}"></a>${title}`,
  ),
  headings('headings have comments', ({ hashes, title }) => `${hashes} ${title} <!-- required -->`),
  headings('headings are links', ({ hashes, title }, number) => `${hashes} [${title}](#s${number})`),
  headings('headings have a remark in brackets', ({ hashes, title }) => `${hashes} ${title} (final)`),
  headings('headings are indented by three spaces', ({ hashes, title }) => `   ${hashes} ${title}`),
  headings('headings have a tab after their hashes', ({ hashes, title }) => `${hashes}\t${title}`),
  harmless('headings are lines in bold', ({ text }) =>
    slices(text).some(({ level }) => level > 2) ? undefined : eachHeading(text, ({ title }) => `**${title}**`),
  ),
  harmless('there are rules between the sections', ({ text, titles }) =>
    insertBefore(text, titles.decision ?? '', '* * *'),
  ),
];

const CHECKLIST = '## Kontext\n\nTBD\n\n## Acceptance criteria\n\n- [ ] one\n- [ ] one\n- [ ] one';

function added(name: string, wordings: readonly string[]): Operator {
  return harmless(name, ({ text, titles }) =>
    perWording(wordings, (words) => appendTo(text, titles.decision ?? '', words)),
  );
}

/** What may stand in a document besides its prose. */
export const CONTENT_OPERATORS: readonly Operator[] = [
  added('a fence has headings and boxes in it', [`\`\`\`markdown\n${CHECKLIST}\n\`\`\``, `~~~\n${CHECKLIST}\n~~~`]),
  added('a long fence has a fence in it', [`\`\`\`\`markdown\n${CHECKLIST}\n\n\`\`\`json\n{"a": 1}\n\`\`\`\n\`\`\`\``]),
  added('a fence is indented below a list item', [
    '- first do this:\n\n  ```sh\n  # Kontext\n  make\n  ```\n\n- and then that',
  ]),
  added('a comment has headings and boxes in it', [`<!--\n${CHECKLIST}\n-->`]),
  added('a comment says that something is to be done', ['<!-- TODO: ask Maria about the figures -->']),
  added('a quote has a heading in it', ['> ## Context\n>\n> TBD', '> - [ ] a box that somebody once wrote']),
  added('details are folded', [
    '<details>\n<summary>More</summary>\n\nThe measurements were made on two days.\n\n</details>',
  ]),
  added('there is a table', [
    '| Weight | Value |\n|---|---|\n| cost | low |\n| effort | high |',
    'a | b\n--|--\n1 | 2',
  ]),
  added('there are links', [
    'See [the minutes][1] and <https://example.org/x>.\n\n[1]: https://example.org/minutes "Minutes"',
  ]),
  added('there is an image', ['![The parts and how they hang together](parts.svg)']),
  added('there is a footnote', ['It was measured twice.[^1]\n\n[^1]: On the same machine.']),
  added('there are nested lists', ['- one\n  - two\n    1. three\n    2. four\n- five']),
  added('there is HTML', ['First line<br>second line with <kbd>Ctrl</kbd> and <sup>2</sup>.']),
  added('there is code in a line', ['The flag `--help` and the header ``a ` b`` stay, so does `<!--`.']),
  added('a drawing is in a fence', ['```mermaid\ngraph TD\n  A[Context] --> B{Decision?}\n```']),
  harmless('the text of a section stands below subsections', ({ text, titles: { context = '' } }) =>
    replaceBody(text, context, (old) => `### Story so far\n\n${old}`),
  ),
  harmless('paragraphs are single lines', ({ text }) => {
    const [header, body] = halves(text);
    return header + body.replaceAll(/(?<=[\p{Ll},;:])\n(?=\p{L})/gu, ' ');
  }),
  harmless('sections that need no text are added', ({ text }) =>
    perWording(
      [
        '## References\n',
        '## Open questions\n\nTBD',
        '## Notes\n\n- none',
        '## Changelog\n\n- 2026-01-01: first draft',
      ],
      (words) => `${text}\n${words}\n`,
    ),
  ),
  harmless('a table of contents is added', ({ text }) =>
    insertBefore(text, slices(text)[1]?.title ?? '', '## Contents\n\n- [Context](#context)\n- [Decision](#decision)'),
  ),
  harmless('the sections stand in the opposite order', ({ text }) => {
    const sections = slices(text).filter(({ level }) => level === 2);
    const top = text.split('\n').slice(0, sections[0]?.start).join('\n');
    return `${top}\n${sections
      .toReversed()
      .map(({ title }) => sectionText(text, title))
      .join('\n\n')}\n`;
  }),
];

function list(name: string, write: (criteria: readonly string[], document: Document) => string): Operator {
  return harmless(name, (document) =>
    document.form === 'helix' ? rewriteCriteria(document, (criteria) => write(criteria, document)) : undefined,
  );
}

/** Other ways to write the acceptance criteria. */
export const LIST_OPERATORS: readonly Operator[] = [
  list('boxes follow stars', (criteria) => criteria.map((each) => `* [ ] ${each}`).join('\n')),
  list('boxes follow plus signs and are ticked', (criteria) => criteria.map((each) => `+ [x] ${each}`).join('\n')),
  list('boxes are ticked with a capital', (criteria) => criteria.map((each) => `- [X] ${each}`).join('\n')),
  list('boxes follow numbers', (criteria) => criteria.map((each, index) => `${index + 1}. [ ] ${each}`).join('\n')),
  list('boxes follow numbers with brackets', (criteria) =>
    criteria.map((each, index) => `${index + 1}) [x] ${each}`).join('\n'),
  ),
  list(
    'boxes stand in nested lists',
    (criteria) => `- all of these\n${criteria.map((each) => `  - [ ] ${each}`).join('\n')}`,
  ),
  list('boxes stand in boxes', (criteria) =>
    criteria.map((each, index) => `${'  '.repeat(index)}- [ ] ${each}`).join('\n'),
  ),
  list('there are blank lines between boxes', (criteria) => criteria.map((each) => `- [ ] ${each}`).join('\n\n')),
  list('criteria go on over several lines', (criteria) =>
    criteria.map((each) => `- [ ] ${each.replace(/ (?=\S+ \S+$)/, '\n      ')}`).join('\n'),
  ),
  list('criteria have subheadings', (criteria) =>
    criteria.map((each, index) => `### Part ${index + 1}\n\n- [ ] ${each}`).join('\n\n'),
  ),
  list('criteria are bold', (criteria) => criteria.map((each) => `- [ ] **${each}**`).join('\n')),
  list('boxes are indented', (criteria) => criteria.map((each) => `   - [ ] ${each}`).join('\n')),
  list('a criterion has an example in a fence', (criteria) =>
    criteria.map((each) => `- [ ] ${each}\n\n  \`\`\`sh\n  make check\n  \`\`\``).join('\n'),
  ),
  list('criteria differ by a number only', (criteria) =>
    [...criteria, 'Ten requests at once take 2 s', 'Ten requests at once take 3 s']
      .map((each) => `- [ ] ${each}`)
      .join('\n'),
  ),
];
