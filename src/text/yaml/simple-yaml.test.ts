import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSimpleYaml } from './simple-yaml.ts';
import { parseYaml } from './yaml.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KEYS = new Set(['id', 'adr_id', 'depends_on', 'title']);
/** A tab, which only the library reads, in a comment that changes nothing. */
const FOR_THE_LIBRARY = '\n# \t\n';

type Told = { value: unknown; places: unknown[] };

function told(text: string): Told & { clean: boolean } {
  const { value, complete, findings, locate, locateKey } = parseYaml(text, 'x.yaml', KEYS);
  const places = pathsOf(value).map((path) => [path, locate(path), locateKey(path)]);
  return { value, places, clean: complete && findings.length === 0 };
}

function pathsOf(value: unknown, path: readonly PropertyKey[] = []): (readonly PropertyKey[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, each]) => pathsOf(each, [...path, key]))];
}

/** Whatever is read as simple must be what the library reads, place by place. */
function expectSame(text: string): boolean {
  if (readSimpleYaml(text, KEYS) === undefined) return false;
  const library = told(text + FOR_THE_LIBRARY);
  expect(library.clean, text).toBe(true);
  expect(told(text), text).toEqual(library);
  return true;
}

describe('simple YAML', () => {
  it.each([
    'a: 1\nb: two words\nc: "x: y"\n',
    "a: 'it is'\nb:\nc: true\n",
    'id: 015\nadr_id: 1.10\ndepends_on: [002, ADR-003, "004"]\n',
    'files:\n  create:\n    - a/b.ts\n    - c.ts # why\n  modify: []\nlist:\n- one\n- two\n',
    'rules:\n  - id: a\n    when:\n      x: z\n    of:\n      - name: z\n        n: 3\n  - id: b\n',
    '# first\n\na: x # y\n\n  # deep\nb: http://x/y#z\nc: 2026-11-16\n',
    'a:\n  "one\n  two \\"three\\"\n    four"\nb: 1\n',
    'x:\n  - t: u\n    s:\n      "one #no\n      # two"\n  - t: v\n',
    'a: one\n  two\nb: \'x: y \n   z\'\nc: "q\n r"\n',
    'a: >-\n  one: #two\n  # three\n\nb:\n  c: >-\n    x\n',
    'a: 0.25\nb: 10.50\nm.2-x: { id: gpt-2.5, p: 1.25, q.1: 0.3 }\nv: [1.5, 2]\n',
    '',
    '# only a comment\n\n',
    'a: { b: 1, c: [x, { id: 015, d: "q, r" }], e: {} } # why\nf:\n  - { id: 2, b: two words }\n',
    'a: Überschrift mit „Zeichen“\nb: 12 Monate\nc: v1.2.3\nd: (x)\n',
  ])('is read as the library reads it: %j', (text) => {
    expect(expectSame(text)).toBe(true);
  });

  it.each([
    ['an anchor', 'a: &x 1\n'],
    ['a block text', 'a: |\n  x\n'],
    ['a tab', 'a:\n\t- x\n'],
    ['a flow map over two lines', 'a: { b: 1,\n  c: 2 }\n'],
    ['a flow map with an address', 'a: { b: http://c }\n'],
    ['a pair in a flow list', 'a: [b: c]\n'],
    ['a key twice in a flow map', 'a: { b: 1, b: 2 }\n'],
    ['the prototype in a flow map', 'a: { __proto__: 1 }\n'],
    ['a key without a value in a flow map', 'a: { b }\n'],
    ['a comma at the end', 'a: [b, ]\n'],
    ['flow lists that are nested too deep', 'a: [[[[[b]]]]]\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['an octal or hexadecimal number', 'a: 0x1f\n'],
    ['a word that is a value in some version', 'a: yes\n'],
    ['a colon in plain text', 'a: b: c\n'],
    ['an open bracket', 'a: [1\n'],
    ['a brace in a list', 'a: [b}c, d]\n'],
    ['white space that YAML does not know', 'a: "b"\u00a0\n'],
    ['an indentation that is none', 'a:\n\u00a0\u00a0b: c\n'],
    ['an open quote', 'a: "x\n'],
    ['a text with an empty line', 'a: x\n\n  y\n'],
    ['a text with a comment in it', 'a: x\n  # y\n  z\n'],
    ['a folded text with an empty line', 'a: >-\n  x\n\n  y\n'],
    ['a folded text with another indentation', 'a: >-\n  x\n   y\n'],
    ['a folded text that goes on with what looks like a comment', 'a: >-\n  x\n\n  # y\n'],
    ['a folded text whose second line is indented less', 'a: >-\n  foo\n bar \n'],
    ['a text with a line of blanks', 'a: x\n  \n y\n'],
    ['a folded text that ends with a line of blanks', 'a: >-\n  x\n  \n b\n'],
    ['a key that is null', 'null: x\n'],
    ['a list in a list', 'a:\n  - - x\n'],
    ['a wrong indentation', 'a:\n    b: 1\n  c: 2\n'],
    ['a second document', 'a: 1\n---\nb: 2\n'],
    ['a scalar alone', 'just text\n'],
    ['the prototype', '__proto__: 1\n'],
  ])('%s is left to the library', (_, text) => {
    expect(readSimpleYaml(text, KEYS)).toBeUndefined();
  });

  it('is what most files in this repository have, and is read the same', () => {
    const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        /^(config|templates|examples|docs|test|src)\//.test(path) &&
        /\.(ya?ml|md)$/.test(path) &&
        !path.includes('node_modules'),
    );
    const texts = files.map((path) => frontMatterOf(readFileSync(join(ROOT, path), 'utf8'), path));
    const simple = texts.filter((text) => text.trim() !== '' && expectSame(text));
    expect(simple.length).toBeGreaterThan(25);
  });

  it.skipIf(!existsSync(join(ROOT, '../shared/corpus')))('is what most front matter of real ADRs is', () => {
    const corpus = join(ROOT, '../shared/corpus');
    const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
    const texts = files
      .map((path) => frontMatterOf(readFileSync(join(corpus, path), 'utf8'), path))
      .filter((text) => text.trim() !== '');
    const simple = texts.filter(expectSame);
    expect(texts.length).toBeGreaterThan(200);
    expect(simple.length / texts.length).toBeGreaterThan(0.7);
  });

  it('is read the same for whatever lines are put together', () => {
    const scalar = fc.constantFrom(
      ...[
        'x',
        'two words',
        '"q"',
        "'s'",
        '1',
        '015',
        '1.5',
        '-3',
        'true',
        'null',
        '~',
        '2026-01-01',
        'a:b',
        'a: b',
        '#c',
        'x #c',
        '[a, b]',
        '[]',
        '["x", 1]',
        '',
        '- x',
        'http://a',
        'it’s',
        "it's",
        '"a"b',
        'a"b',
        '1e3',
        '.5',
        '0x1',
        '0',
        '+1',
        'Yes',
        '12:30',
        'a,b',
        '[a, [b]]',
        '{ a: 1 }',
        '{}',
        '{a: b, id: 015}',
        '{ a: [x, {b: true}], c-d: "e" }',
        '{ a : 1 }',
        '{ a:1 }',
        '{ a: , b: 1 }',
        '{ null: 1 }',
        '{ a: b c } # d',
        '[ x , y ]',
        '[x #c]',
        '{ a: x}y',
        '{ a: 1.5 }',
        '[a,b]',
        '{a: 1,b: 2}',
        '{a: {b: {c: d}}}',
        '[,]',
        '{,}',
        '[a b ,c]',
        "['x', y z]",
        'ü',
        '(a)',
        '/p',
        '1_000',
        '.inf',
      ],
    );
    const key = fc.constantFrom('a', 'b', 'id', 'depends_on', 'c-d', 'on', 'true', '_e', 'null', 'Null');
    const indent = fc.constantFrom('', '  ', '    ', '      ');
    const line = fc.oneof(
      fc.tuple(indent, key, scalar).map(([before, name, value]) => `${before}${name}: ${value}`),
      fc.tuple(indent, key).map(([before, name]) => `${before}${name}:`),
      fc.tuple(indent, scalar).map(([before, value]) => `${before}- ${value}`),
      fc.tuple(indent, key, scalar).map(([before, name, value]) => `${before}- ${name}: ${value}`),
      fc.constantFrom(
        ...[
          '  a:\n    "one\n    two"',
          'b:\n  "one\n\n  two"',
          'a:\n  "x" # c',
          '  c:\n   "x\n  y" z',
          'c:\n "x\n # y\n z"',
          'b:\n  "x\\n\n  y"',
          'a:\n    "x\n  y"',
          'a: >-',
          '  b: >-',
          'a: "x',
          "  id: 'y",
          '  z"',
          "    z'",
          '  more words',
          '    more, #words',
          '  more # words',
          '      1',
          '  true ',
          '  ',
          '    ',
          ' one deeper',
          '  # no comment',
          ' - ',
        ],
      ),
      fc.constantFrom('', '# comment', '  # comment', '-', '  -'),
    );
    let simple = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        if (expectSame(`${lines.join('\n')}\n`)) simple += 1;
      }),
      { numRuns: 20000 },
    );
    expect(simple).toBeGreaterThan(100);
  });
});

function frontMatterOf(text: string, path: string): string {
  return path.endsWith('.md') ? (/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '') : text;
}
