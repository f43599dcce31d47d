import { expect, it } from 'vitest';
import type { AdrFinding } from '../document/adr.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { checkHeader } from './check-header.ts';

function told(text: string, helix = true): string[] {
  const found: string[] = [];
  checkHeader(parseAdr(text, 'adr.md'), helix, (severity: AdrFinding['severity'], { check, hint }, place) => {
    if (check === 'header-yaml') found.push(`${severity} ${place?.line ?? 1} ${hint}`);
  });
  return found;
}

const HEADER = '---\nadr_id: "007"\ntitle: X\nstatus: Accepted\n---\n\n# ADR-007: X\n';

it.each([
  ['an empty line', '\n', 2],
  ['a comment', '<!-- made by\nhand -->\n', 3],
])('front matter below %s is told to start in line 1', (_, above, line) => {
  const says = `${line} front matter must start in line 1: remove what stands above its \`---\``;
  expect(told(above + HEADER)).toEqual([`error ${says}`]);
  expect(told(above + HEADER, false)).toEqual([`warning ${says}`]);
});

it('a line below text is not taken for front matter', () => {
  expect(told(`Text.\n\n${HEADER}`).join()).toContain('error 1 start the file with a line');
  expect(told(`Text.\n\n${HEADER}`, false)).toEqual([]);
  expect(told(`\n---\n\nText.\n`).join()).toContain('error 1 start the file with a line');
});

it.each([
  '- a\n- b',
  'just words',
])('front matter that is no mapping is an error in the helix form alone: %j', (yaml) => {
  const text = `---\n${yaml}\n---\n\n# X\n`;
  const says = '1 write each field as `name: value`';
  expect(told(text)).toEqual([`error ${says}`]);
  expect(told(text, false)).toEqual([`warning ${says}`]);
  expect(told('---\na: [1\n---\n\n# X\n', false)[0]).toMatch(/^error/);
});

it('blanks around a value do not make it another one', () => {
  const scoped = (value: string) => told(HEADER.replace('status:', `change_scope: ${value}\nstatus:`));
  expect(scoped('" Major "')).toEqual([]);
  expect(scoped('" huge "')).toHaveLength(1);
});
