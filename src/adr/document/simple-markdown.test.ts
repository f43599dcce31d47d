import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { libraryBlocks } from './markdown-library.ts';
import { markdownBlocks, simpleBlocks } from './simple-markdown.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CORPUS = `${ROOT}../shared/corpus`;

/** Whatever is read as simple must be what the library reads. */
function expectSame(lines: readonly string[]): boolean {
  const simple = simpleBlocks(lines, 0);
  if (simple !== undefined) expect(simple, JSON.stringify(lines)).toEqual(libraryBlocks(lines.join('\n')));
  return simple !== undefined;
}

/** How many of the documents in a folder are simple, and how many there are. */
function documents(folder: string): { simple: number; all: number } {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  const simple = paths.filter((path) =>
    expectSame(
      readFileSync(`${folder}/${path}`, 'utf8')
        .replace(/^\ufeff/, '')
        .replace(/\r\n?/g, '\n')
        .split('\n'),
    ),
  );
  return { simple: simple.length, all: paths.length };
}

describe('simple Markdown', () => {
  it.each([
    '# Use one ledger\n\n## Context\n\nThree programs write\nat once.\n\nTitle\n=====\n\nAnother\n---\n\n---\n',
    '- one\n- [ ] two\n  more\n\n  again\n  - three\n    1. four\n    2. five\n\nlast\n',
    'A paragraph\n- and its list\nthat goes on\n\n```sh\n# no heading\n```\n\n~~~\n```\n~~~\n',
    '<!-- a\ncomment -->\n\n> a quote\n> goes on\n\n[1]: https://example.org/a#b\n[two]: ./two.md\n',
    'a\n<details>\n# no heading\n\ntext\n\n</details>\n\n<https://example.org> is text\n\n[^1]: so is this\n',
    '1. one\n\n   ```json\n   {}\n   ```\n\n2. two\n   # heading\n',
  ])('%j is read as the library reads it', (text) => {
    expect(expectSame(text.split('\n'))).toBe(true);
  });

  it.each([
    ['a tab before text', '\ttext'],
    ['indented code', 'a\n\n    code'],
    ['a fence that is not closed', '```\nx'],
    ['a fence in a fence', '```markdown\n```json\n```\n```'],
    ['an element that makes no block', '<br>\ntext'],
    ['an element in a list', '- <div>\n  a'],
    ['a comment that is not closed', '<!-- x'],
    ['a quote that goes on without its mark', '> a\nb'],
    ['an item without text', '-\n  text'],
    ['a definition with a title', '[a]: b "c"'],
    ['a definition over two lines', '[a]: b\n"c"'],
    ['a heading underlined in a list', '- a\n  ---'],
  ])('%s is left to the library', (_, text) => {
    expect(simpleBlocks(text.split('\n'), 0)).toBeUndefined();
  });

  it('is read as the library reads it, whatever lines are put together', () => {
    const text = fc.constantFrom(
      ...[
        '',
        '',
        '',
        'word',
        'two words  ',
        'Ä',
        '`x`',
        '**b** c',
        '*x*',
        '_y_',
        '| a | b |',
        '[x] y',
        '[a](b) c',
        '"t"',
      ],
      ...['(t)', '<https://a.b>', '< x', 'a <b>', '1', '12) x', '#x', '####### x', '===', '== =', '---', '--', '-'],
      ...['- - -', '* * *', '***', '_ _ _', '# h', '## h ##', '# ', '### a #b', '#', '- item', '* item', '+ item'],
      ...['1. one', '2. two', '10) ten', '-  two', '-    four', '-     five', '- - n', '- 1. n', '- # h', '- > q'],
      ...['- ```', '- <!-- c -->', '- [ ] t', '- [x]: y', '> q', '>', '> ```', '```', '```js', '````', '~~~', '~~~ x'],
      ...[
        '``` a`b',
        '<!-- c -->',
        '<!-- c',
        'c -->',
        '<!-->',
        '<div>',
        '</p>',
        '<td',
        '<hr/',
        '<hr/>',
        '<br>',
        '<http://a>',
        '[a]: b c',
        '[a]: <b> c',
        '[a]: b',
        '[a]: http://x/y',
        '[a]: <b>',
      ],
      ...['[a]: b "t"', '[]: x', '[ ]: x', '[a\\]: b', '[a]:', '[a]: javascript:x', '[^1]: note', '\t', '\tx', '\t```'],
      ...['-\tx', '- \tx', 'x\ty', '\u00a0', '\u2028'],
    );
    const indent = fc.constantFrom('', '', '', '', ' ', '  ', '   ', '    ', '      ');
    // Few kinds of lines in a document: others in between would make most of them not simple.
    const document = fc
      .array(text, { minLength: 2, maxLength: 6 })
      .chain((some) => fc.array(fc.tuple(indent, fc.constantFrom('', ...some)), { minLength: 1, maxLength: 9 }));
    let simple = 0;
    fc.assert(
      fc.property(document, (lines) => {
        if (expectSame(lines.map(([space, line]) => space + line))) simple += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(simple).toBeGreaterThan(2000);
  });

  it('is what our own ADRs are', () => {
    const { simple, all } = documents(`${ROOT}docs/adr`);
    expect(simple).toBe(all);
  });

  it.skipIf(!existsSync(CORPUS))('is most of what others write', () => {
    const { simple, all } = documents(CORPUS);
    expect(simple / all).toBeGreaterThan(0.9);
  });
});

const stock = new MarkdownIt({ html: true }).disable('table');
stock.core.ruler.enableOnly(['block']);

/** Headings and paragraphs outside of quotes, as the parser finds them without rules of ours. */
function stockBlocks(text: string): unknown[] {
  const found: unknown[] = [];
  let quotes = 0;
  const tokens = stock.parse(text, {});
  for (const [index, token] of tokens.entries()) {
    quotes += token.type === 'blockquote_open' ? 1 : token.type === 'blockquote_close' ? -1 : 0;
    if (quotes > 0 || token.type !== 'inline') continue;
    const opening = tokens[index - 1];
    found.push([opening?.tag, token.content, (token.map?.[0] ?? 0) + 1]);
  }
  return found;
}

describe('Markdown blocks', () => {
  it('are what the parser finds by itself, whatever lines are put together', () => {
    const line = fc.constantFrom(
      ...['word', 'two words  ', '  word', '   word', '    word', '      word', 'Ä', '', '', '- item', '  - item'],
      ...['-', '1. one', '10) ten', '   more', '===', '---', '> quote', '# heading', 'a <b>', '<div>', '</div>'],
      ...[
        '[a]: b',
        '* * *',
        '<!-- c',
        'c -->',
        '*x*',
        '**x**',
        '**',
        '**x',
        '`x`',
        '``',
        '```',
        '* x',
        'word:',
        '| a | b |',
        '\tword',
        '- a\n\n  word',
        'setext\n===',
        '- [ ] task',
        '- [x]: y',
        '[x] y',
        '[x]',
        '– ü',
        '`é',
        ' - deep\n   - deeper\n     text',
        '+ plus',
        '-  two',
        '-\ttab',
        '- \n',
        '> - quoted',
      ],
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), (lines) => {
        const text = lines.join('\n');
        const found = markdownBlocks(text.split('\n')).flatMap((block) =>
          block.kind === 'heading'
            ? [[`h${block.level}`, block.text, block.first]]
            : block.kind === 'paragraph'
              ? [['p', block.text, block.first]]
              : [],
        );
        expect(found, text).toEqual(stockBlocks(text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['lists', '- '],
    ['numbered lists', '1. '],
    ['quotes', '> '],
    ['lists in quotes', '> - '],
  ])('after %s that are nested 20,000 times are found', (_, marker) => {
    const text = `## Context\n\n${marker.repeat(20_000)}deep\nmore\n\n## Decision\n\nWe do it.\n`;
    const headings = markdownBlocks(text.split('\n')).flatMap((block) =>
      block.kind === 'heading' ? [block.text] : [],
    );
    expect(headings).toEqual(['Context', 'Decision']);
  });

  it('after lists that are nested line by line are found', () => {
    const items = Array.from({ length: 500 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('');
    const found = markdownBlocks(`${items}\n## Decision\n\n- [ ] b\n`.split('\n'));
    expect(found.slice(-2)).toMatchObject([
      { kind: 'heading', text: 'Decision' },
      { kind: 'paragraph', item: true },
    ]);
  });
});
