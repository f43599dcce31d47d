import { describe, expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { type Adr, proseOf } from './adr.ts';
import { parseAdr } from './parse-adr.ts';

const parse = (text: string, path = 'docs/adr/0007-x.md') => parseAdr(text, path);
const names = ({ sections }: Adr) => sections.map(({ level, name }) => `${level} ${name}`);
const told = (all: readonly { value: string; source: string }[]) =>
  all.map(({ value, source }) => `${source}: ${value}`);

describe('sections', () => {
  it('in list items stand behind their markers', () => {
    const [first, second] = parse('- ## One\n\n1. # Two\n').sections;
    expect([first, second]).toMatchObject([
      { title: 'One', column: 6 },
      { title: 'Two', column: 6 },
    ]);
  });

  it('are a tree with places, and the text of a section includes its subsections', () => {
    const adr = parse('# T\n\n## Context\n\nabove\n\n### More\n\nbelow\n\n## Decision\n\nwe do\n');
    const [title, context, more, decision] = adr.sections;
    expect(context).toMatchObject({ line: 3, column: 4, first: 4, last: 10, parent: title });
    expect(more?.parent).toBe(context);
    expect(decision).toMatchObject({ line: 11, last: 14 });
    expect(context && proseOf(adr, context).replaceAll(/\s+/g, ' ')).toBe('above below');
  });

  it.each([
    ['## 2. Kontext', '2 kontext'],
    ['## Kontext ##', '2 kontext'],
    ['## **Kontext**:', '2 kontext'],
    ['## 📝 Kontext', '2 kontext'],
    ['## Kontext {#kontext}', '2 kontext'],
    ['## Kontext <!-- optional -->', '2 kontext'],
    ['## [Kontext](#x)', '2 kontext'],
    ['Kontext\n-------', '2 kontext'],
    ['## Contexte et énoncé du problème', '2 contexte et énoncé du problème'],
    ['## U\u0308berblick', '2 überblick'],
    ['## &nbsp;Kontext', '2 kontext'],
    ['Kontext\n  und Ziele\n---', '2 kontext und ziele'],
    ['## `Kontext` (Pflicht)', '2 kontext'],
    ['### IV. Kontext', '3 kontext'],
    ['## Critères d’acceptation', "2 critères d'acceptation"],
    ['## Use \\[z\\] and [y] now', '2 use [z] and [y] now'],
  ])('%j is read as %j', (heading, name) => {
    expect(names(parse(`# T\n\n${heading}\n\ntext\n`))).toEqual(['1 t', name]);
  });

  it('a line in bold that names a known section is one, one level below its surroundings', () => {
    expect(names(parse('# T\n\n**Context**\n\nx\n\n**Decision:**\ny\n\n**Anything**\n\nz\n'))).toEqual([
      '1 t',
      '2 context',
      '2 decision',
    ]);
    expect(names(parse('# T\n\n## Decision\n\n**Consequences**\n\nx\n'))).toContain('3 consequences');
  });

  it('a document without headings but its title may name its sections on lines of their own', () => {
    expect(names(parse('# T\n\nKontext\n\nEs war so.\n\nEntscheidung\n\nWir tun es.\n'))).toEqual([
      '1 t',
      '2 kontext',
      '2 entscheidung',
    ]);
  });

  it.each([
    ['a fence', '```markdown\n## Decision\n- [ ] x\n```'],
    ['a comment', '<!--\n## Decision\n\n- [ ] x\n-->'],
    ['a quote', '> ## Decision\n>\n> - [ ] x'],
    ['an indented block', '    ## Decision\n    - [ ] x'],
    ['a list', '- text\n\n  ```\n  ## Decision\n  ```'],
  ])('in %s there are none, and no tasks', (_, text) => {
    const adr = parse(`# T\n\n## Context\n\nx\n\n${text}\n`);
    expect(names(adr)).toEqual(['1 t', '2 context']);
    expect(adr.tasks).toEqual([]);
    expect(adr.prose.join('')).not.toContain('Decision');
  });

  it('keep their places after a byte order mark and with every line end', () => {
    for (const text of [
      '\ufeff# T\r\n\r\n## Context\r\n\r\nx\r\n',
      '# T\r\r## Context\r\rx\r',
      '# T\n\n## Context\n\nx\n',
    ]) {
      expect(parse(text).sections[1]).toMatchObject({ name: 'context', line: 3, column: 4, first: 4 });
    }
  });
});

describe('fences', () => {
  const nested = '# T\n\n```markdown\n# in\n\n```json\n{}\n```\n\n## Wichtig\n\n```\n\n## Decision\n\nx\n';

  it('with an info string inside an open one are nested, and told with their place', () => {
    const adr = parse(nested);
    expect(names(adr)).toEqual(['1 t', '2 decision']);
    expect(adr.code).toMatchObject([
      { first: 3, last: 12, info: 'markdown', closed: true, nested: [{ line: 6, column: 1 }] },
    ]);
  });

  it('that a longer one holds are not nested', () => {
    const adr = parse('# T\n\n````markdown\n```json\n{}\n```\n````\n\n## Decision\n\nx\n');
    expect(adr.code).toMatchObject([{ first: 3, last: 7, nested: [] }]);
    expect(names(adr)).toEqual(['1 t', '2 decision']);
  });

  it('are read strictly where nesting would leave a later one open', () => {
    const adr = parse('# T\n\n```\n$ run\n```js\nx\n```\n\n## Decision\n\n```\ncode\n```\n\n## Consequences\n');
    expect(names(adr)).toEqual(['1 t', '2 decision', '2 consequences']);
    expect(adr.code.every(({ closed }) => closed)).toBe(true);
  });

  it('are read strictly where nesting would leave one open', () => {
    const adr = parse('# T\n\n```text\n```js opens a block\n```\n\n## Decision\n\nx\n');
    expect(names(adr)).toEqual(['1 t', '2 decision']);
    expect(adr.code).toMatchObject([{ closed: true, nested: [] }]);
  });

  it('that nothing closes say so', () => {
    expect(parse('# T\n\n```js\nx\n\n## Decision\n').code).toMatchObject([{ first: 3, closed: false }]);
    expect(parse('# T\n\n<!-- never\n\n## Decision\n').openComment).toEqual({ line: 3, column: 1 });
    expect(parse('# T\n\na <!-- never\n\n## Decision\n').openComment).toBeUndefined();
  });
});

describe('tasks', () => {
  it('are found in every form of list, with the section they stand in', () => {
    const adr = parse(
      '## A\n\n- [ ] one\n* [x] two\n+ [X] three\n1. [ ] four\n2) [ ] five\n   - [ ] six\n\n### B\n\n- [ ] seven\n  more\n- [\t] eight\n- []no\n- [ ]\n',
    );
    expect(adr.tasks.map(({ text, checked, line }) => `${line} ${checked} ${text}`)).toEqual([
      '3 false one',
      '4 true two',
      '5 true three',
      '6 false four',
      '7 false five',
      '8 false six',
      '12 false seven\nmore',
      '14 false eight',
    ]);
    expect(adr.tasks.map(({ section }) => section?.name)).toEqual(['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b']);
    expect(adr.tasks[0]).toMatchObject({ column: 3 });
  });

  it('have the text that a reader sees, and are none without any', () => {
    const { tasks } = parse(
      '- [ ] a <!-- b --> c<br>\n- [ ] <!-- none -->\n- [ ] <br>\n- [x] d <!--\n  e --> f\n  g\n- [ ] `<br>` <T>\n',
    );
    expect(tasks.map(({ text, line }) => [line, text.replace(/ +/g, ' ')])).toEqual([
      [1, 'a c'],
      [4, 'd\nf\ng'],
      [7, '`<br>` <T>'],
    ]);
  });
});

describe('prose', () => {
  it('has no definitions of links in it, on however many lines', () => {
    const { prose } = parse(
      'a [x]: b\n\n[x]: http://x "Title"\n[y]:\n  http://y\n  "Title"\n\n[z]: no definition here\n',
    );
    expect(prose).toEqual(['a [x]: b', '', '', '', '', '', '', '[z]: no definition here', '']);
  });

  it('has no tags in it, and everything else keeps its column', () => {
    const { prose } = parse('a <b title="c">d</b> `<b>` <e f> <T>\n');
    expect(prose[0]).toBe('a              d     `<b>` <e f> <T>');
  });
});

describe('the header', () => {
  it('is YAML whose ids stay text, with places', () => {
    const adr = parse(
      '---\nadr_id: 015\ntitle: T\nstatus: Accepted\ndate: 2026-01-31\ndepends_on: [002, ADR-003]\n---\n\n# ADR-015: T\n',
      'x.md',
    );
    expect(told(adr.ids)).toEqual(['front-matter: 015', 'heading: 015']);
    expect(adr.ids[0]).toMatchObject({ line: 2, column: 9 });
    expect(told(adr.statuses)).toEqual(['front-matter: Accepted']);
    expect(told(adr.dates)).toEqual(['front-matter: 2026-01-31']);
    expect(adr.references).toMatchObject([
      { kind: 'depends_on', value: '002', line: 6, column: 14 },
      { kind: 'depends_on', value: 'ADR-003' },
    ]);
  });

  it('is read from the lines of the first HELIX ADRs', () => {
    const adr = parse(
      '# ADR-004: Leiter\n\n**Status:** Akzeptiert  \n**Datum:** 2025-12-21  \n**Bezug:** ADR-000, ADR-002\n\n## Kontext\n\nx\n',
    );
    expect(adr.legacyHeader).toBe(true);
    expect(told(adr.statuses)).toEqual(['top: Akzeptiert']);
    expect(told(adr.dates)).toEqual(['top: 2025-12-21']);
    expect(adr.references.map(({ kind, value, column }) => `${kind} ${value} ${column}`)).toEqual([
      'related_to 000 12',
      'related_to 002 21',
    ]);
  });

  it.each([
    ['* Status: accepted\n* Date: 2020-01-01', 'top: accepted'],
    ['| Status | Accepted |\n|---|---|\n| Date | 2020-01-01 |', 'top: Accepted'],
    ['Status: Accepted', 'top: Accepted'],
    ['## Status\n\n✅ Implemented (2025-12-26)', 'section: Implemented (2025-12-26)'],
    ['## Status: Accepted', 'section: Accepted'],
    ['## Status\n\n- **Proposed**', 'section: Proposed'],
    ['## Status\n\n- [ ] Proposed\n- [x] Accepted', 'section: Accepted'],
    ['## Status: Superseded by [2. B](0002-b.md)', 'section: Superseded by [2. B](0002-b.md)'],
  ])('tells the status in %j', (text, status) => {
    expect(told(parse(`# T\n\n${text}\n\n## Context\n\nstatus: no\n`).statuses)).toContain(status);
  });

  it('reads supersession from the words of adr-tools, MADR and German ADRs', () => {
    const by = (text: string) => parse(`# 1. T\n\n${text}\n`).references.map(({ kind, value }) => `${kind} ${value}`);
    expect(by('## Status\n\nSuperseded by [3. Use X](0003-use-x.md)')).toEqual(['superseded_by 3']);
    expect(by('## Status\n\nAccepted\n\nSupersedes [2. Old](0002-old.md)')).toEqual(['supersedes 2']);
    expect(by('* Status: superseded by [ADR-0005](0005-new.md)')).toEqual(['superseded_by 0005']);
    expect(by('**Status:** Ersetzt durch ADR-012')).toEqual(['superseded_by 012']);
    expect(by('## Status: Superseded by [2. Use \\[B\\]](0002-b.md)')).toEqual(['superseded_by 2']);
    expect(by('* Status: {proposed | accepted | superseded by ADR-0123}')).toEqual([]);
  });

  it('tells where a value starts, whatever stands around it', () => {
    const at = (text: string) => {
      const { statuses, dates, references } = parse(`# 1. T\n\n${text}\n`);
      return [...statuses, ...dates, ...references].map(({ line, column, value }) => `${line}:${column} ${value}`);
    };
    expect(at('## Status\n\n* **Foo**')).toEqual(['5:5 Foo']);
    expect(at('Date: Date')).toEqual(['3:7 Date']);
    expect(at('## Status\n\nAccepted\n\n* Supersedes [ADR-0099](0099-x.md)')).toContain('7:14 0099');
    expect(at('## Status\n\nAccepted\n\n  Superseded by ADR-0099')).toContain('7:17 0099');
  });

  it('takes its id from title and file name, but no date for one', () => {
    expect(told(parse('# 12. Use X\n', 'docs/0012-use-x.md').ids)).toEqual(['heading: 12', 'file-name: 0012']);
    expect(told(parse('# Use X\n', 'docs/2020-01-31-use-x.md').ids)).toEqual([]);
    expect(told(parse('# Use X\n', 'docs/20200131-use-x.md').ids)).toEqual([]);
    expect(told(parse('# ADR-032.1: Use X\n', 'docs/001-ADR-032.1-use-x.md').ids)).toEqual([
      'heading: 032.1',
      'file-name: 032.1',
    ]);
  });

  it.each([
    ['---\ntitle: T\n\n# T\n', 'never closed', 1],
    ['---\na: 1\na: 2\n---\n# T\n', 'stands here twice', 3],
    ['---\na:\n\t- x\n---\n# T\n', 'Tabs', 3],
    ['---\na: &x [1]\nb: [*x, *x]\n---\n# T\n', 'anchors and aliases', 2],
    ['---\na: [1\n---\n# T\n', '', 3],
  ])('that is broken says where, and the rest is read: %j', (text, message, line) => {
    const adr = parse(text);
    expect(adr.frontMatter?.findings[0]).toMatchObject({ check: 'header-yaml', location: { line } });
    expect(adr.frontMatter?.findings[0]?.message).toContain(message);
    expect(names(adr)).toEqual(['1 t']);
  });

  it('is none where a line --- is only a line', () => {
    expect(parse('---\n\n# T\n\n---\n').frontMatter?.fields).toEqual({});
    expect(parse('---\n\nSome prose\n').frontMatter).toBeUndefined();
    expect(parse('---\n**Status:** Accepted\n---\n\n# T\n').frontMatter).toBeUndefined();
    expect(parse('---\n# note\ntitle: X\n---\n\n# T\n').frontMatter?.fields).toEqual({ title: 'X' });
  });
});

describe('prose', () => {
  it.each([
    ['a <!-- x --> b <!-- y --> c', 'a            b            c'],
    ['a <!-- x -->', 'a '],
    ['`<!-- x -->` b', '`<!-- x -->` b'],
    ['`a` <!-- ` --> b', '`a`            b'],
    ['a <!-- x --> ` <!-- y --> `', 'a            ` <!-- y --> `'],
    ['a ` <!-- x -->', 'a ` '],
    ['a <!--> b', 'a       b'],
    ['a&nbsp;b', 'a      b'],
  ])('of %j has no comments, and what stays keeps its column', (text, prose) => {
    expect(parse(text).prose).toEqual([prose]);
  });

  it('goes on behind a comment of several lines', () => {
    expect(parse('a <!-- x --> b <!-- y\nz --> c <!-- d --> e').prose).toEqual([
      'a            b ',
      '      c            e',
    ]);
  });
});

describe('hostile documents', () => {
  const MB = 1024 * 1024;
  it.each([
    ['5 MB of quote signs', '>'.repeat(5 * MB)],
    ['5 MB of brackets', '['.repeat(5 * MB)],
    ['5 MB of backticks', '`'.repeat(5 * MB)],
    ['5 MB of comment openings', '<!--'.repeat(MB)],
    ['a paragraph of lines with comment openings', 'a <!-- b\n'.repeat(100_000)],
    ['100,000 headings', '# a\n## b\n'.repeat(50_000)],
    ['100,000 fences that never pair up', '```a\n```b\n```\n'.repeat(33_000)],
    ['100,000 nested list items', `${'- '.repeat(500)}x\n`.repeat(200)],
    ['100,000 tasks', '- [ ] a\n'.repeat(100_000)],
    ['100,000 bold lines', '**Context**\n\n'.repeat(50_000)],
    ['a line that starts like a definition', `[${'a'.repeat(MB)}`],
    ['a definition that is none', `[${'a'.repeat(MB)}]: <x`],
    ['a heading of brackets', `## ${'['.repeat(MB)}`],
    ['a heading of comment openings', `## ${'<!--'.repeat(MB / 4)}`],
    ['a heading of dots', `## a${'.'.repeat(MB)}x`],
    ['a heading of lines with brackets', `${'[a* <!-- {#\n'.repeat(MB / 12)}---\n`],
    ['a line of comments', 'a <!-- x --> '.repeat(MB / 13)],
    ['a line of comments and ticks', '` <!-- x --> '.repeat(MB / 13)],
    ['100,000 table rows', `| a | b |\n|---|---|\n${'| x | y |\n'.repeat(100_000)}`],
  ])('%s are read in time', (_, text) => {
    const work = workMeter();
    parse(text);
    expect(work()).toBeLessThan(4000);
  });
});
