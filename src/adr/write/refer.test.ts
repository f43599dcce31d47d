import { expect, it } from 'vitest';
import { linkedPath } from '../corpus/adr-lookup.ts';
import { relativeLink } from './refer.ts';

it('a link leads to its file whatever signs the name has, and ends no cell of a table', () => {
  expect(relativeLink('docs/adr/0009-sp ace (1)#?.md', 'docs/adr/README.md')).toBe('0009-sp%20ace%20%281%29%23%3F.md');
  for (const name of ['a#b.md', 'a?b.md', 'a|b.md', 'a:b.md', 'a&amp;b.md', 'a`b`.md', '100%.md', 'a b.md', 'ü.md']) {
    const link = relativeLink(`docs/adr/${name}`, 'docs/README.md');
    expect(link).not.toMatch(/[\s()<>"\\#?|`:&]/);
    expect(linkedPath(link, 'docs/README.md')).toBe(`docs/adr/${name}`);
  }
});
