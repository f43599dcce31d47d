import { expect, it } from 'vitest';
import type { Language } from '../../domain/language.ts';
import { checkSyntax } from './check-syntax.ts';

async function told(language: Language, text: string): Promise<string[]> {
  const { problems } = await checkSyntax(language, text);
  return problems.map(({ line, column, message, hint }) => `${line}:${column} ${message}${hint ? ` (${hint})` : ''}`);
}

const GOOD: Readonly<Record<Language, string>> = {
  bash: 'case "$1" in\n  a) echo "$(date)" ;;\nesac\ncat <<END\n"\nEND\n',
  c: '#include <stdio.h>\nint main(void) { printf("%d\\n", 1); return 0; }\n',
  cpp: 'template <typename T> struct A { T t; };\nint main() { auto f = [](int x) { return x; }; return f(1); }\n',
  csharp: 'namespace X;\npublic record A(int B) { public string C { get; init; } = "c"; }\n',
  css: '@media (min-width: 3em) { a:hover > b { color: #fff; } }\n',
  go: 'package main\n\nfunc main() { for i := range 3 { println(i) } }\n',
  java: 'record A(int b) { int c() { return switch (b) { case 1 -> 2; default -> 3; }; } }\n',
  javascript: '#!/usr/bin/env node\nconst A = () => <b>{x?.y ?? 1}</b>;\nexport { A as default };\n',
  json: '{"a": [1, -2.5e3, true, null, "\\u00e4"]}\n',
  jsonc: '// c\n{ "a": [1, /* x */ 2,], }\n',
  php: '<h1><?php function f(?int $x): int { return match(true) { default => $x ?? 1 }; } ?></h1>\n',
  python: 'def f(a, /, *, b: int = 1):\n    match a:\n        case [x, *_] if x:\n            return f"{x!r:>{b}}"\n',
  ruby: 'class A\n  def b(c:) = c&.d { |x| puts "#{x}" }\nend\n',
  rust: 'fn main() { let x: Option<i32> = Some(1); if let Some(y) = x { println!("{y}"); } }\n',
  tsx: 'const A = <T,>(x: T) => <div a={x as string}>{...y}</div>;\n',
  typescript: 'export type * from "./x";\nenum A { B }\nfunction f<const T>(x: T): asserts x is T {}\n',
  yaml: 'a: &x [1, 2]\nb: *x\nc: !Ref d\n---\na: "b"\n...\n%YAML 1.1\n---\nc: yes\n',
};

const BAD: Readonly<Record<Language, readonly [text: string, first: string]>> = {
  bash: ['if true; then\n  echo x\n', '2:9 missing "fi"'],
  c: ['#include <stdio.h>\n\nint main(void) {\n  printf("x")\n  return 0;\n}\n', '4:14 missing ";"'],
  cpp: ['struct A {\n  int b\n};\n', '2:8 missing ";"'],
  csharp: ['class A { int b = ; }\n', '1:19 unexpected ";"'],
  css: ['a { color: red;\n', '1:16 missing "}"'],
  go: ['package main\n\nfunc main() {\n\tx := (1 +\n}\n', '5:1 unexpected "}" (the ( of line 4 is still open here)'],
  java: ['class A {\n  int b() { return 1 }\n}\n', '2:21 missing ";"'],
  javascript: ['function f() {\n  if (a {\n  }\n}\n', '2:8 missing ")"'],
  json: ['{\n  "a": 1\n  "b": 2\n}\n', '3:3 unexpected "b"; expected "," or "}"'],
  jsonc: ['{ "a": 1,, }\n', '1:10 unexpected ","; expected a name in double quotes'],
  php: ['<?php\n$x = ;\n', '2:6 unexpected ";"'],
  python: ['x = (1,\n     2\n\ndef f():\n    pass\n', '4:1 unexpected "def" (the ( of line 1 is still open here)'],
  ruby: ['def f\n  [1, 2\nend\n', '3:1 unexpected "end" (the [ of line 2 is still open here)'],
  rust: ['fn main() {\n  let x = ;\n}\n', '2:11 unexpected ";"'],
  tsx: ['const A = () => <div>{x}</span>;\n', '1:25 unexpected "</span>"; the <div> of line 1 is still open'],
  typescript: ['interface A {\n  b: ;\n}\n', '2:6 unexpected ";"'],
  yaml: ['a: 1\n---\nb: c: d\n', '3:4 Nested mappings are not allowed in compact mappings'],
};

it.each(Object.entries(GOOD) as [Language, string][])('%s that is right', async (language, text) => {
  expect(await told(language, text)).toEqual([]);
});

it.each(Object.entries(BAD) as [Language, [string, string]][])('%s that is wrong', async (language, [text, first]) => {
  expect((await told(language, text))[0]).toBe(first);
});

it.each(Object.keys(GOOD) as Language[])('an empty file is no error in %s, but for JSON', async (language) => {
  const empty = language.startsWith('json') ? ['1:1 unexpected end of the file; expected a value'] : [];
  expect(await told(language, '')).toEqual(empty);
});

it.each<[Language, string, string]>([
  ['python', 'def f():\nreturn 1\n', '1:9 an indented block must follow'],
  ['python', 'x = 1\n  y = 2\n', '2:3 unexpected indentation'],
  ['python', 'if x:\n    y\n  z\n', '3:3 unexpected indentation'],
  ['python', 'try:\n    x\n  except E:\n    y\n', '3:3 unexpected indentation'],
  ['python', 'import a    import b\n', '1:13 unexpected "import"'],
  ['python', 'x = f()    y = 1\n', '1:12 unexpected "y"'],
  ['python', "x = 'abc\ny = 1\n", "1:5 the text that starts with ' has no end"],
  ['python', 'def f():\n    """abc\n    return 1\n', '2:7 the text that starts with " has no end'],
  ['python', 'x = {"a" 1}\n', '1:10 unexpected "1"'],
  [
    'python',
    'class A:\n    def f(self):\n        return [1,\n',
    '3:19 unexpected end of the file (the [ of line 3 is still open here)',
  ],
  ['javascript', 'const s = `abc\nlet y;\n', '1:11 the text that starts with ` has no end'],
  ['javascript', 'f(a,\n  b]\n', '2:4 unexpected "]" (the ( of line 1 is still open here)'],
  ['javascript', 'let x: number = 1;\n', '1:6 unexpected ":"'],
  ['tsx', 'const A = (\n  <div>\n    <b>x</div>\n);\n', '3:9 unexpected "</div>"; the <b> of line 3 is still open'],
  ['bash', "echo 'abc\n", "1:6 the text that starts with ' has no end"],
  ['json', '', '1:1 unexpected end of the file; expected a value'],
  ['json', '{"a": [1,\n2', '2:2 unexpected end of the file; expected "," or "]" (the [ of line 1 is still open here)'],
  ['json', '[1, 2}', '1:6 unexpected "}"; expected "," or "]"'],
  ['json', '{"a": "b\nc"}', '1:7 the text that starts with " has no end'],
  ['json', '["\\x41"]', '1:3 a backslash with an unknown meaning'],
  ['json', '["a\tb"]', '1:4 a control character must be written as \\u and four digits'],
  ['json', "{'a': 1}", '1:2 unexpected "\'"; expected a name in double quotes'],
  ['json', '{} x', '1:4 unexpected "x"; expected the end'],
  ['json', '[01]', '1:2 unexpected "01"; expected a value'],
  ['jsonc', '/* a', '1:1 the comment that starts with /* has no end'],
  ['yaml', 'a: 1\nb: 2\na: 3\n', '3:1 the key "a" stands here twice'],
  ['yaml', 'a:\n\t- b\n', '2:1 Tabs are not allowed as indentation'],
])('%s %j: %s', async (language, text, first) => {
  expect((await told(language, text))[0]).toBe(first);
});

it('a trailing comma is told what it is', async () => {
  const [first] = await told('json', '{"a": 1,\n}');
  expect(first).toContain('2:1 unexpected "}"; expected a name in double quotes (only .jsonc files');
});

it('what Node itself reads is right, whatever the grammar thinks of it', async () => {
  const tuple = 'type A = [symbol: string];\n';
  expect(await told('typescript', `${tuple}let b: import("./c").D<E>;\n`)).toEqual([]);
  expect(await told('tsx', `${tuple}const f = () => <b>{b}</b>;\n`)).toEqual([]);
  expect(await told('tsx', `${tuple}const f = () => <b>{b};\n`)).not.toEqual([]);
  expect(await told('tsx', `${tuple}const f = () => <b>{b}</i>;\n`)).not.toEqual([]);
});

it.each<[string, Language, string, boolean]>([
  ['a macro', 'c', 'PyAPI_FUNC(int) f(int *);\n', true],
  ['the line after a macro', 'c', 'struct A {\n  PyObject_HEAD\n\n  char *b;\n};\n', true],
  ['a condition of the preprocessor', 'cpp', '#ifdef A\nint f( {\n#endif\n', true],
  ['an include', 'c', '#include <a.h>\nint f( {\n', false],
  ['a plain error', 'c', 'int f(void) { return NULL }\n', false],
  ['an old way of writing', 'css', 'a { margin: 0 ! important }\n', true],
  ['a plain error', 'css', 'a { color red; }\n', false],
])('%s in %s is doubted or not', async (_what, language, text, doubted) => {
  const { problems } = await checkSyntax(language, text);
  expect(problems.map(({ doubt }) => doubt !== undefined)).toContain(doubted);
  expect(problems.map(({ doubt }) => doubt !== undefined)).not.toContain(!doubted);
});

it('far into a long file the place is still found', async () => {
  const text = `${'def f(a):\n    return a\n\n'.repeat(500)}x = (1\ny = 2\n`;
  expect(await told('python', text)).toEqual(['1502:1 unexpected "y" (the ( of line 1501 is still open here)']);
});
