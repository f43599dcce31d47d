import { expect, it } from 'vitest';
import { memorySnapshot } from './approval.fixture.ts';
import { checkEvidence } from './check-evidence.ts';

const snapshot = memorySnapshot();

it.each([
  ['the path in the project', 'src/other.ts'],
  ['a path from here', './src/other.ts'],
  ['the folder a definition speaks of', 'input/src/other.ts'],
  ['the place of the copy', '/pinned/a1/src/other.ts'],
  ['a way round that ends inside', 'src/../src/other.ts'],
])('a quote holds by %s', async (_, file) => {
  const [checked] = await checkEvidence([{ file, quote: 'answer = 42' }], snapshot);
  expect(checked).toEqual({ holds: true, file: 'src/other.ts', line: 1, moved: false });
});

it('the project may have a folder of its own called input', async () => {
  const own = memorySnapshot({ 'input/a.md': 'first one', 'a.md': 'second one' });
  const [checked] = await checkEvidence([{ file: 'input/a.md', quote: 'first one' }], own);
  expect(checked).toMatchObject({ holds: true, file: 'input/a.md' });
});

it('white space and line breaks between the words do not matter', async () => {
  const quote = 'keep the journal in\n\tSQLite,  because';
  const [checked] = await checkEvidence([{ file: 'docs/adr/001.md', quote }], snapshot);
  expect(checked).toMatchObject({ holds: true, line: 3 });
});

const LONG = Array.from({ length: 40 }, (_, index) => (index % 10 === 4 ? 'same words' : `line ${index + 1}`)).join(
  '\n',
);

it.each([
  [5, 5, false],
  [8, 5, false],
  [9, 5, true],
  [12, 15, false],
  [36, 35, false],
  [40, 35, true],
  [4000, 35, true],
  [undefined, 5, false],
])('a quote said to be at line %s is found at line %i', async (line, found, moved) => {
  const evidence = { file: 'a.txt', quote: 'same words', ...(line !== undefined && { line }) };
  const [checked] = await checkEvidence([evidence], memorySnapshot({ 'a.txt': LONG }));
  expect(checked).toEqual({ holds: true, file: 'a.txt', line: found, moved });
});

it.each([
  ['words that stand nowhere', 'src/other.ts', 'answer = 43', /does not stand in src\/other\.ts/],
  ['words of another file', 'src/other.ts', 'export const open', /does not stand/],
  ['a file that is not there', 'src/none.ts', 'answer = 42', /src\/none\.ts is not among the files/],
  ['a file outside', '../src/other.ts', 'answer = 42', /not among/],
  ['an absolute path', '/etc/passwd', 'root:x:0', /not among/],
  ['a copy of the same name elsewhere', '/pinned/a12/src/other.ts', 'answer = 42', /not among/],
  ['a way out of the copy', '/pinned/a1/../../etc/passwd', 'root:x:0', /not among/],
  ['a name of the prototype', '__proto__', 'answer = 42', /not among/],
  ['two characters', 'src/other.ts', '42', /too short/],
  ['spaces', 'src/other.ts', '        ', /too short/],
  ['characters nobody can see', 'src/other.ts', '\u200b\u200b\u200b\u2060 \u00ad', /too short/],
])('%s is no evidence', async (_, file, quote, why) => {
  const [checked] = await checkEvidence([{ file, quote }], snapshot);
  expect(checked).toEqual({ holds: false, why: expect.stringMatching(why) });
});

it('what cannot be seen may be quoted as it is or as the difference shows it', async () => {
  const hidden = memorySnapshot({ 'a.ts': 'const a\u202e = "x";\r\nUmlaut: a\u0308\n' });
  const quotes = ['const a\u202e = "x"', 'const a\\u{202e} = "x"', '"x"; Umlaut: ä'].map((quote) => ({
    file: 'a.ts',
    quote,
  }));
  expect((await checkEvidence(quotes, hidden)).map(({ holds }) => holds)).toEqual([true, true, true]);
});

it('each file is read once, and no more of it than 2 MB', async () => {
  const big = memorySnapshot({ 'big.txt': `${'x'.repeat(2 * 1024 * 1024)}\nthe end`, 'a.txt': 'abc def' });
  const quotes = ['the end', 'xxxx', 'the end'].map((quote) => ({ file: 'big.txt', quote }));
  const checked = await checkEvidence(
    [...quotes, { file: 'a.txt', quote: 'def' }, { file: './a.txt', quote: 'abc' }],
    big,
  );
  expect(checked.map(({ holds }) => holds)).toEqual([false, true, false, true, true]);
  expect(checked[0]).toMatchObject({ why: expect.stringContaining('the first 2 MB of big.txt') });
  expect(big.reads).toEqual(['big.txt', 'a.txt']);
});
