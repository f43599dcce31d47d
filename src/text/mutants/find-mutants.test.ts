import { expect, it } from 'vitest';
import type { SourceLanguage } from '../syntax/grammar.ts';
import { applyMutant, findMutants } from './find-mutants.ts';

function allLines(text: string): Set<number> {
  return new Set(text.split('\n').map((_, index) => index + 1));
}

async function changes(language: SourceLanguage, text: string, lines = allLines(text)): Promise<string[]> {
  return (await findMutants(language, text, lines)).map(({ line, change }) => `${line} ${change}`);
}

it.each<[SourceLanguage, text: string, found: string[]]>([
  ['javascript', 'f = (a, b) => a + b;', ['1 the result "a + b" became null', '1 + became -']],
  ['javascript', 'if (ok(x)) go();', ['1 the condition "ok(x)" was negated', '1 "go();" was removed']],
  ['javascript', 'if (a === 1) throw e;', ['1 === became !==', '1 1 became 2', '1 "throw e;" was removed']],
  ['typescript', 'const f = (a: 1 | 2): boolean => a > b && !c;', ['> became <=', '&& became ||', '"!c" became "c"']],
  ['tsx', 'const a = <b c="d">{x && y}</b>;', ['1 && became ||']],
  ['python', 'def f(a: int | None):\n    return a in b', ['2 the result "a in b" became None', '2 in became not in']],
  ['python', 'if not a:\n    raise E("x")', ['1 "not a" became "a"', '2 "raise E(\\"x\\")" was removed']],
  [
    'go',
    'package p\nfunc f(a int) int {\n\tif ok(a) {\n\t\ta++\n\t}\n\treturn a * 2\n}',
    ['3 the condition', '4 ++ became --', '6 * became /', '6 2 became 3'],
  ],
  [
    'java',
    'class A { int f(int a) { if (a >= 3) { g(); } return a - 1; } }',
    ['1 >= became <', '"g();" was removed', '1 - became +'],
  ],
  [
    'rust',
    'fn f(a: i32) -> bool {\n    if ok(a) { h(); }\n    a <= 3\n}',
    ['2 the condition "ok(a)" was negated', '"h();" was removed', '3 <= became >'],
  ],
  [
    'cpp',
    '#include "a.h"\nint f(std::vector<std::vector<int>> v) { if (ok(v)) { return 1; } return 2; }',
    ['2 the condition', '2 1 became 2'],
  ],
  [
    'csharp',
    'class A { bool F(int a) { if (Ok(a)) { G(); } return a < 3 && true; } }',
    ['condition', '"G();"', '< became >=', 'true became false'],
  ],
  [
    'php',
    '<?php\nfunction f($a) { if ($a > 3) { g($a); } return $a; }',
    ['2 > became <=', '"g($a);" was removed', 'result "$a" became null'],
  ],
  ['ruby', 'def f(a)\n  if a > 3\n    go(a)\n  end\nend', ['2 > became <=', '2 3 became 4', '3 "go(a)" was removed']],
  ['bash', 'if [ "$a" -eq 3 ]; then go; fi', ['1 -eq became -ne', '1 "go" was removed']],
])('%s: %s', async (language, text, found) => {
  const said = await changes(language, text);
  for (const one of found) expect(said).toContainEqual(expect.stringContaining(one));
});

it.each<[SourceLanguage, text: string]>([
  ['javascript', "'use strict';\nimport a from 'b';\nexport * from 'c';\nconsole.log('d', 1 + 2);\n// 1 + 2"],
  ['typescript', "import type { A } from 'b';\ntype C = 'd' | 1;\ninterface E { f: 1 }"],
  ['python', '"""doc 1"""\nfrom a import b\nprint("x", 1 + 1)\ndef test_x():\n    assert 1 + 1 == 2'],
  ['go', 'package a\n\nimport "fmt"'],
  ['rust', 'use a::b;\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { assert_eq!(f(1), 2); }\n}'],
  ['css', 'a { width: 1px }'],
  ['javascript', 'a +* b'],
])('nothing is broken in %s that is not run, only tells, tests, or cannot be read: %s', async (language, text) => {
  expect(await changes(language, text)).toEqual([]);
});

it('only the lines that are asked for are broken', async () => {
  const text = 'a = b + 1;\nc = d + 2;\ne = f + 3;\n';
  const said = await changes('javascript', text, new Set([2]));
  expect(said).toContain('2 + became -');
  expect(said.every((change) => change.startsWith('2 '))).toBe(true);
});

it('a mutant is the text with that one place changed, or nothing where it would not parse', async () => {
  const text = 'x = "ä" && a > b;';
  const mutant = (await findMutants('javascript', text, new Set([1]))).find(({ change }) => change === '> became <=');
  if (mutant === undefined) throw new Error('not found');
  expect(await applyMutant('javascript', text, mutant)).toBe('x = "ä" && a <= b;');
  expect(await applyMutant('javascript', text, { ...mutant, text: '<=+*' })).toBeUndefined();
});
