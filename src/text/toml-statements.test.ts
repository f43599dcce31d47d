import { expect, it } from 'vitest';
import { tomlStatements } from './toml-statements.ts';

function paths(text: string): string[] | undefined {
  return tomlStatements(text)
    ?.filter(({ kind }) => kind !== 'rest')
    .map(({ kind, path }) => `${kind} ${path.join('/')}`);
}

it('tables and values are told by their keys, however these are written', () => {
  expect(paths('a = 1\n [ b . "c d".\'e\' ] # [x]\nf.g = 2\r\n[[h]]\ni = {j = 1}\n')).toEqual([
    'value a',
    'table b/c d/e',
    'value b/c d/e/f/g',
    'table h',
    'value h/i',
  ]);
});

it.each([
  ['an array', 'a = [\n[1],\n"]",\n# ]\n]\n[b]'],
  ['a string', 'a = """\n[x]\n\\""" ""\n""""\n[b]'],
  ['a literal string', "a = '''\n[x]\n'' \"\"\"\n'''\n[b]"],
])('what looks like a table within %s is none', (_what, text) => {
  expect(paths(text)).toEqual(['value a', 'table b']);
  expect(
    tomlStatements(text)
      ?.map((one) => one.text)
      .join('\n'),
  ).toBe(text);
});

it.each([
  '["\\u0062"]',
  'a = [1',
  'a = """x',
  'a = "x',
  '[a] b',
  '[a',
  '[[a]',
  'a',
  '= 1',
  'a. = 1',
])('%j is not read surely', (text) => {
  expect(tomlStatements(text)).toBeUndefined();
});
