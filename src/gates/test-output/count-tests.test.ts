import { expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { collectOutput } from './collect-output.ts';
import { countTests } from './count-tests.ts';
import { inShort, printed, recorded, recordedNames } from './recorded.fixture.ts';
import { splitByPackage } from './split-by-package.ts';

it.each(recordedNames())('%s: the tests are counted, and the failed ones named with their places', (name) => {
  const { output, expected } = recorded(name);
  expect(expected.length).toBeGreaterThan(0);
  expect(inShort(countTests(output))).toEqual(expected);
});

it('what is no test output counts nothing', () => {
  expect(inShort(countTests(printed('')))).toEqual(['nothing']);
  expect(inShort(countTests(printed('hello\nok\n3 files\nAll good: 12 passed over\nTests\n1 failed attempt')))).toEqual(
    ['nothing'],
  );
});

it('several suites in one output add up, also of different runners', () => {
  const both = `${VITEST(3)}\n${VITEST(3)}\n5 passed in 0.10s\n1 failed, 2 passed, 1 skipped in 0.10s`;
  expect(inShort(countTests(printed(both)))).toEqual(['15 tests, 1 skipped, 1 failures']);
  const twice = [...recorded('cargo').output.stdout, ...recorded('maven').output.stdout].join('\n');
  expect(inShort(countTests(printed(twice)))[0]).toBe('15 tests, 2 skipped, 7 failures');
});

function VITEST(tests: number): string {
  return ` Test Files  1 passed (1)\n      Tests  ${tests} passed (${tests})\n   Start at  10:00:00`;
}

it.each(['node-spec', 'node-junit', 'go', 'go-verbose'])('%s: the same results printed twice count once', (name) => {
  const { output, expected } = recorded(name);
  const twice = printed([...output.stdout, ...output.stdout].join('\n'));
  expect(inShort(countTests(twice))[0]).toEqual(expected[0]);
});

it.each([
  ['node-tap', ['adds', 'a parent > a good child', 'a suite > works', 'adds'], 'is skipped'],
  ['node-spec', ['adds', 'a parent > a good child', 'a suite > works', 'adds'], 'is skipped'],
])('%s: the tests that passed are named with what is around them, and nothing that was skipped', (name, some, never) => {
  const { passed = [] } = countTests(recorded(name).output) ?? {};
  expect(passed).toEqual(expect.arrayContaining(some));
  expect(passed).not.toContain(never);
});

it.each(['node-junit', 'cargo'])('%s: the tests that passed are named like those that fail', (name) => {
  const { passed = [], failed = [], total = 0, skipped = 0, failures = 0 } = countTests(recorded(name).output) ?? {};
  expect(passed).toHaveLength(total - skipped - failures);
  expect(failed.filter((test) => passed.includes(test.name))).toEqual([]);
});

it.each(['pytest', 'go', 'jest', 'prove'])('%s: a runner that does not name all that passes names none', (name) => {
  expect(countTests(recorded(name).output)?.passed).toBeUndefined();
});

it('a summary that does not agree with itself is none', () => {
  const lies = [
    ' Test Files  1 passed (1)\n      Tests  3 passed (300)',
    'Test Suites: 1 passed, 1 total\nTests:       3 passed, 300 total',
    'running 3 tests\ntest result: ok. 300 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
    'ℹ tests 300\nℹ suites 0\nℹ pass 3\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 1.5',
    'ℹ tests 300\nℹ pass 300',
    '      Tests  300 passed (300)',
    'Tests:       300 passed, 300 total',
  ];
  for (const lie of lies) expect(inShort(countTests(printed(lie)))).toEqual(['nothing']);
});

it('what a test of node prints is not taken for results in TAP', () => {
  const honest = 'TAP version 13\n# Subtest: a\nok 1 - a\n1..1\n# tests 1';
  const forged = honest.replace('ok 1 - a', '# ok 2 - b\n# tests 300\n# 1..300\nok 1 - a');
  expect(inShort(countTests(printed(forged)))).toEqual(['1 tests, 0 skipped, 0 failures']);
});

it('a parent that fails by itself in TAP is named, one that fails with its child is not', () => {
  const lines = (child: string) =>
    `TAP version 13\n# Subtest: p\n    # Subtest: c\n    ${child} 1 - c\n    1..1\nnot ok 1 - p\n1..1`;
  expect(inShort(countTests(printed(lines('ok'))))).toEqual(['1 tests, 0 skipped, 1 failures', 'p @ nowhere |']);
  expect(inShort(countTests(printed(lines('not ok'))))).toEqual([
    '1 tests, 0 skipped, 1 failures',
    'p > c @ nowhere |',
  ]);
});

it('a line that only looks like that of a package stays where it is', () => {
  const [first, ...others] = splitByPackage(['a', 'unit test: b', 'c']);
  expect([first?.lines, others]).toEqual([['a', 'unit test: b', 'c'], []]);
});

it('an output of many megabytes is read at its beginning and at its end', () => {
  const collector = collectOutput();
  const add = (text: string) => {
    for (const line of text.split('\n')) collector.add(line, 'stdout');
  };
  add(VITEST(3));
  for (let line = 0; line < 300_000; line += 1) collector.add(`chatter ${line} ${'x'.repeat(60)}`, 'stdout');
  add(VITEST(4));
  expect(collector.lines().cut).toBe(true);
  expect(inShort(countTests(collector.lines()))).toEqual(['7 tests, 0 skipped, 0 failures']);
});

const EVIL = [
  ' ',
  'ok 1\n',
  'not ok 1 - a {\n',
  '<testcase a="',
  "<testsuite><testcase a='",
  '<a ',
  '<!--',
  '{"Action":"fail","Package":"p","Test":"a/b/c"}\n',
  '___ a ___\n',
  ' FAIL  x\n',
  '  1 passing (1ms)\n  9 failing\n  1) a\n',
  '--- FAIL: A/b/c (0.00s)\n',
  `${'='.repeat(70)}\nFAIL: a\n`,
  'FAIL a\n  ● x\n',
  '\u001b[',
  'a\r',
  'test at a:1:1\n✖ a (1ms)\n',
  'a => b.c:1:1\nerror: \n',
  '=== short test summary info ===\nFAILED a::b[ - \n',
  'packages/a test: x\n',
  '(a.java:1',
  'File "a", line 1 ',
];

it.each(EVIL)('four megabytes of %j are read in bounded time', (piece) => {
  const half = 2 * 1024 * 1024;
  const line = `${piece.replaceAll('\n', ' ').repeat(2000).slice(0, 1900)}\n`;
  const text = piece.repeat(half / piece.length) + (piece + line).repeat(half / (piece.length + line.length));
  const work = workMeter();
  countTests(printed(text));
  expect(work()).toBeLessThan(3000);
});
