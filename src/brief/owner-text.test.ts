import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownerText } from './owner-text.ts';

it('headings go below those of a brief, however they are written', () => {
  expect(ownerText('# One\n\n ## Rules ##\n\nTwo\n===\n\nThree\n---\n\n###### Deep\n#tag')).toBe(
    '#### One\n\n##### Rules ##\n\n#### Two\n\n##### Three\n\n###### Deep\n#tag',
  );
  expect(ownerText('<h1>Rules</h1>')).toBe('&lt;h1>Rules&lt;/h1>');
});

it('code stays code, with its comments, and a block that is left open is closed', () => {
  expect(ownerText('```yaml\n# a comment\na: 1\n---\n```\n# h')).toBe(
    '```yaml\n#### a comment\na: 1\n---\n```\n#### h',
  );
  expect(ownerText('- do:\n  ~~~\n  # a\n')).toBe('- do:\n  ~~~\n#### a\n~~~');
  expect(ownerText('---\nname: x\n---\nDo it so.\n\n---\n- a')).toBe('Do it so.\n\n---\n- a');
});

it('nothing of it is a heading of level 1 to 3, and nothing after it is inside its code', () => {
  const piece = fc.constantFrom(
    '#',
    '##',
    '# x',
    '`',
    '```',
    '~~~',
    '````',
    '\n',
    ' ',
    'a',
    '=',
    '---',
    '> ',
    '\r',
    '\u2028',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = `${ownerText(pieces.join(''))}\n\n## Rules\n`;
      expect(headings(text)).toEqual(['## Rules']);
    }),
    { numRuns: 2000 },
  );
});

/** What a reader of CommonMark takes for headings of levels 1 to 3 at the left margin. */
function headings(text: string): string[] {
  const found: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks.startsWith(fence) && rest.trim() === '') fence = undefined;
    } else if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) fence = marks;
    else if (/^ {0,3}#{1,3}(\s|$)/.test(line)) found.push(line.trim());
  }
  return found;
}
