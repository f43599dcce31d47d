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
  const [checked] = await checkEvidence([{ file, quote: 'export const answer = 42' }], snapshot);
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
  ['two characters', 'src/other.ts', '42', /says too little/],
  ['spaces', 'src/other.ts', '        ', /says too little/],
  ['characters nobody can see', 'src/other.ts', '\u200b\u200b\u200b\u2060 \u00ad', /says too little/],
  ['a word every text has', 'docs/adr/001.md', 'the', /says too little/],
  ['several of them', 'docs/adr/001.md', 'because it is', /neither 3 telling words nor a whole line/],
  ['words every program has', 'src/other.ts', 'export const', /says too little/],
  ['a part of a line with two words', 'docs/adr/001.md', 'keep the journal', /neither 3 telling words/],
])('%s is no evidence', async (_, file, quote, why) => {
  const [checked] = await checkEvidence([{ file, quote }], snapshot);
  expect(checked).toEqual({ holds: false, why: expect.stringMatching(why) });
});

it('what cannot be seen may be quoted as it is or as the difference shows it', async () => {
  const hidden = memorySnapshot({ 'a.ts': 'const kept\u202e = "sum";\r\nUmlaut: a\u0308ndern\n' });
  const quotes = ['const kept\u202e = "sum"', 'const kept\\u{202e} = "sum"', '"sum"; Umlaut: ändern'].map((quote) => ({
    file: 'a.ts',
    quote,
  }));
  expect((await checkEvidence(quotes, hidden)).map(({ holds }) => holds)).toEqual([true, true, true]);
});

it('each file is read once, and no more of it than 2 MB', async () => {
  const big = memorySnapshot({ 'big.txt': `${'x'.repeat(2 * 1024 * 1024)}\nthe last line`, 'a.txt': 'abc def\nghi' });
  const quotes = ['the last line', 'x'.repeat(2 * 1024 * 1024), 'the last line'].map((quote) => ({
    file: 'big.txt',
    quote,
  }));
  const checked = await checkEvidence(
    [...quotes, { file: 'a.txt', quote: 'ghi' }, { file: './a.txt', quote: 'abc def' }],
    big,
  );
  expect(checked.map(({ holds }) => holds)).toEqual([false, true, false, true, true]);
  expect(checked[0]).toMatchObject({ why: expect.stringContaining('the first 2 MB of big.txt') });
  expect(big.reads).toEqual(['big.txt', 'a.txt']);
});

const CODE = memorySnapshot({
  'a.ts': 'function total(items) {\n  let sum = 0;\n  }\n  else {\n  return sum;\n}\n',
  'notes.md': '# The plan\n\n- fixed stuff\n1. The first step\n\n> quoted words\n---\n',
  'ja.md': '注文は一日に一度だけ保存される。\n\n次の章\n',
});

it.each([
  ['a whole line', 'notes.md', '- fixed stuff', 3],
  ['one without the signs around it', 'notes.md', 'fixed stuff', 3],
  ['a quoted line without its sign', 'notes.md', 'quoted words', 6],
  ['a heading', 'notes.md', 'The plan', 1],
  ['a line of code', 'a.ts', 'return sum;', 5],
  ['a line of code without its end', 'a.ts', 'let sum = 0', 2],
  ['whole lines that follow each other', 'a.ts', '}\n  else {\n  return sum;\n}', 3],
  ['a part with three words', 'a.ts', 'total(items) { let sum', 1],
  ['a part of a text without blanks', 'ja.md', '一度だけ保存', 1],
  ['a whole line of such a text', 'ja.md', '次の章', 3],
])('%s is evidence', async (_, file, quote, line) => {
  expect(await checkEvidence([{ file, quote }], CODE)).toEqual([{ holds: true, file, line, moved: false }]);
});

it.each([
  ['a bracket', 'a.ts', '}'],
  ['a line that every program has', 'a.ts', 'else {'],
  ['a rule', 'notes.md', '---'],
  ['a part of a line', 'a.ts', 'sum = 0'],
  ['a line with a part of the next', 'a.ts', 'let sum = 0; } else { return'],
  ['two words of a line', 'notes.md', 'first step'],
  ['two letters of a text without blanks', 'ja.md', '保存'],
])('%s is not, though it stands there', async (_, file, quote) => {
  expect(await checkEvidence([{ file, quote }], CODE)).toMatchObject([{ holds: false }]);
});

it('a short quote is found where it is a whole line, not where it is part of one', async () => {
  const twice = memorySnapshot({ 'a.md': 'see the costs below\n\n# Costs\n' });
  const [checked] = await checkEvidence([{ file: 'a.md', line: 1, quote: 'costs' }], twice);
  expect(checked).toEqual({ holds: false, why: expect.stringContaining('neither') });
  const [heading] = await checkEvidence([{ file: 'a.md', line: 1, quote: 'Costs' }], twice);
  expect(heading).toMatchObject({ holds: true, line: 3 });
});

it.each([
  ['one', 'if n == 0:', 2],
  ['another', "return ''", 3],
  ['both', "if n == 0:\n        return ''", 2],
])('a short whole line, %s, is evidence where it stands there once', async (_, quote, line) => {
  const once = memorySnapshot({ 'a.py': "def cuu(n):\n    if n == 0:\n        return ''\n    return CSI + str(n)\n" });
  expect(await checkEvidence([{ file: 'a.py', quote }], once)).toEqual([
    { holds: true, file: 'a.py', line, moved: false },
  ]);
  const twice = memorySnapshot({ 'a.py': "if n == 0:\n    return ''\nif n == 0:\n    return ''\n" });
  expect(await checkEvidence([{ file: 'a.py', quote }], twice)).toEqual([
    { holds: false, why: expect.stringMatching(/says too little/) },
  ]);
});
