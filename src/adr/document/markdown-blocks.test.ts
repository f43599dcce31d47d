import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { markdownBlocks } from './simple-markdown.ts';

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
