import { expect, it } from 'vitest';
import { indexIn, withIndex } from './index-block.ts';

const table = ['| ADR |', '|---|', '| 1 |'];

it('only what stands between the markers changes, byte for byte', () => {
  const text = '\ufeff# Mine  \r\n\r\n<!-- helix-adr-index -->\r\nold\r\n<!-- /helix-adr-index -->\r\nafter\n\tmixed';
  const after = withIndex(text, table);
  expect(after).toBe(text.replace('old\r\n', '| ADR |\r\n|---|\r\n| 1 |\r\n'));
  expect(withIndex(after, table)).toBe(after);
  expect(indexIn(after)).toEqual(table);
});

it('a text without markers gets the table at its end', () => {
  expect(withIndex('# Mine', table)).toBe(
    '# Mine\n\n<!-- helix-adr-index -->\n| ADR |\n|---|\n| 1 |\n<!-- /helix-adr-index -->\n',
  );
});

it('a marker that nothing closes is none', () => {
  expect(indexIn('<!-- helix-adr-index -->\ntext\n')).toBeUndefined();
});
