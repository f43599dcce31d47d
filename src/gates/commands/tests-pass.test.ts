import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents, scratch } from '../../../test/scratch.ts';
import type { Tests } from '../../domain/verdict.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { testsPass } from './tests-pass.ts';

type Settings = {
  command?: string | readonly string[];
  timeout?: number;
  baseline?: boolean;
  probe?: boolean;
  checks?: readonly string[];
};
type Files = Readonly<Record<string, string>>;

async function judge(settings: Settings | string, files: Files = {}, change: Partial<GateContext> = {}) {
  return judgeIn(scratch({ 'a.txt': 'x', ...files }), settings, change);
}

async function judgeIn(dir: string, settings: Settings | string, change: Partial<GateContext> = {}) {
  const given = typeof settings === 'string' ? { command: settings } : settings;
  return testsPass.judge({ type: 'tests_pass', ...given }, await gateContext(dir, change));
}

/** A shell command that prints TAP: each word is a test, `-word` a failed one, `~word` a skipped one. */
function tap(words: string, exitCode?: number): string {
  const names = words.split(' ').filter((word) => word !== '');
  const lines = names.map((word, index) => {
    const name = `${index + 1} - ${word.replace(/^[-~]/, '')}`;
    return word.startsWith('-') ? `not ok ${name}` : `ok ${name}${word.startsWith('~') ? ' # SKIP' : ''}`;
  });
  const code = exitCode ?? (names.some((word) => word.startsWith('-')) ? 1 : 0);
  return `cat <<'END'\nTAP version 13\n${lines.join('\n')}\n1..${names.length}\nEND\nexit ${code}`;
}

/** Runs one command the first time and another one from then on; what tells them apart lies outside the scratch copy. */
function firstThen(first: string, then: string): string {
  const mark = join(scratch(), 'mark');
  return `if [ -e ${mark} ]; then ${then}\nfi; touch ${mark}\n${first}`;
}

const before = (total: number, skipped = 0, failed: string[] = []): { before: Tests } => ({
  before: { total, skipped, failed },
});

const NODE_TESTS = {
  'src/maths.mjs': 'export const half = (n) => {\n  if (n === 7) throw new Error("odd");\n  return n / 2;\n};\n',
  'test/maths.test.mjs':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { half } from '../src/maths.mjs';\ntest('halves', () => {\n  assert.equal(half(4), 3);\n});\ntest('odd', () => half(7));\ntest('fine', () => {});\n",
};

it('a failed test of node is named with its message and its place', async () => {
  const answer = await judge({ command: [process.execPath, '--test'] }, NODE_TESTS);
  expect(answer).toMatchObject({
    outcome: 'reject',
    findings: [
      {
        severity: 'error',
        check: 'tests_pass',
        message: expect.stringMatching(/^test failed: test\/maths\.test\.mjs > halves\n.*strictly equal:\n\s*2 !== 3/),
        location: { file: 'test/maths.test.mjs', line: 5, column: 10 },
      },
      {
        message: expect.stringMatching(/^test failed: test\/maths\.test\.mjs > odd\nError: odd/),
        location: { file: 'src/maths.mjs', line: 2, column: 22 },
      },
    ],
    tests: { total: 3, skipped: 0, failed: ['test/maths.test.mjs > halves', 'test/maths.test.mjs > odd'] },
  });
});

it('tests that pass are counted', async () => {
  const files = {
    'a.test.mjs': "import { test } from 'node:test';\ntest('a', () => {});\ntest.skip('b', () => {});\n",
  };
  const answer = await judge({ command: [process.execPath, '--test'] }, files);
  expect(answer).toEqual({
    kind: 'judged',
    outcome: 'pass',
    findings: [],
    tests: { total: 2, skipped: 1, failed: [] },
  });
});

const PYTHON = { 'pkg/test_x.py': 'def test_good():\n    pass\n\ndef test_bad():\n    assert 1 + 1 == 3\n' };

it('a failed test of pytest is named with its message and its place', async () => {
  const answer = await judge({ command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'] }, PYTHON);
  expect(answer).toMatchObject({
    outcome: 'reject',
    findings: [
      {
        message: 'test failed: pkg/test_x.py::test_bad\nassert (1 + 1) == 3',
        location: { file: 'pkg/test_x.py', line: 5 },
      },
    ],
    tests: { total: 2, failed: ['pkg/test_x.py::test_bad'] },
  });
});

it('a failed test of unittest is named with its message and its place', async () => {
  const test =
    'import unittest\nclass T(unittest.TestCase):\n    def test_bad(self):\n        self.assertEqual(1, 2)\n';
  expect(await judge({ command: ['python3', '-m', 'unittest'] }, { 'test_y.py': test })).toMatchObject({
    outcome: 'reject',
    findings: [
      {
        message: expect.stringMatching(/^test failed: test_bad \(test_y\.T.*\)\nAssertionError: 1 != 2$/),
        location: { file: 'test_y.py', line: 4 },
      },
    ],
    tests: { total: 1 },
  });
});

it('a failed test of vitest is named with its message and its place', async () => {
  const test = "import { expect, it } from 'vitest';\nit('adds', () => {\n  expect(1 + 1).toBe(3);\n});\n";
  const dir = scratch({ 'src/a.test.ts': test, 'package.json': '{"type":"module"}' });
  const context = await gateContext(dir);
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(dir, 'node_modules'));
  const command = [process.execPath, join(dir, 'node_modules/vitest/vitest.mjs'), 'run'];
  expect(await testsPass.judge({ type: 'tests_pass', command }, context)).toMatchObject({
    outcome: 'reject',
    findings: [
      {
        message: expect.stringMatching(/^test failed: src\/a\.test\.ts > adds\nAssertionError: expected 2 to be 3/),
        location: { file: 'src/a.test.ts', line: 3, column: 17 },
      },
    ],
    tests: { total: 1, failed: ['src/a.test.ts > adds'] },
  });
});

it('a test that fails only once is flaky, which is a warning', async () => {
  expect(said(await judge(firstThen(tap('a -b'), tap('a b'))))).toEqual([
    'pass',
    'warning: flaky: b failed in one of two runs',
  ]);
});

it('a command that fails once without naming a test passes with a warning that shows what it said', async () => {
  const [outcome, message] = said(await judge(firstThen('echo out of luck; exit 3', tap('a'))));
  expect(outcome).toBe('pass');
  expect(message).toMatch(/^warning: flaky: the tests failed \(exit code 3\) and passed .*:\nout of luck$/s);
});

it('what fails twice is an error, what fails once is a warning', async () => {
  expect(said(await judge(firstThen(tap('-a -b c'), tap('a -b -c'))))).toEqual([
    'reject',
    'error: test failed: b',
    'warning: flaky: a failed in one of two runs',
    'warning: flaky: c failed in one of two runs',
  ]);
});

it('two runs that fail in different tests do not pass', async () => {
  expect(said(await judge(firstThen(tap('-a b'), tap('a -b'))))).toEqual(['reject', 'error: test failed: b']);
});

it('with a baseline only new failures count', async () => {
  const known = before(3, 0, ['old']);
  expect(said(await judge({ command: tap('a -old b'), baseline: true }, {}, known))).toEqual([
    'pass',
    'info: failed before this phase, too: old',
  ]);
  expect(said(await judge({ command: tap('-a -old b'), baseline: true }, {}, known))).toEqual([
    'reject',
    'error: test failed: a',
    'info: failed before this phase, too: old',
  ]);
  expect(said(await judge({ command: tap('a -old b') }, {}, known))).toEqual(['reject', 'error: test failed: old']);
});

it('with a baseline a flaky test does not count, though a known failure fails both runs', async () => {
  const command = firstThen(tap('-a -old'), tap('a -old'));
  expect(said(await judge({ command, baseline: true }, {}, before(2, 0, ['old'])))).toEqual([
    'pass',
    'warning: flaky: a failed in one of two runs',
    'info: failed before this phase, too: old',
  ]);
});

it('a baseline excuses nothing that is not named', async () => {
  const known = before(3, 0, ['old']);
  for (const command of ['exit 1', 'echo "3 examples, 2 failures"; exit 1', tap('a b c', 4)]) {
    const answer = await judge({ command, baseline: true }, {}, known);
    expect(answer).toMatchObject({ outcome: 'reject', findings: [{ hint: expect.stringMatching(/cannot be told/) }] });
  }
});

/** What was counted on the untouched tree, where `old` failed. */
const knownEnd = (exitCode: number, steps: string[] = []): { before: Tests } => ({
  before: { total: 2, skipped: 0, failed: ['old'], exitCode, steps },
});

it('a baseline excuses no other step of the command that fails', async () => {
  const command = tap('a -old', 2);
  expect(said(await judge({ command: tap('a -old', 1), baseline: true }, {}, knownEnd(1)))[0]).toBe('pass');
  const [outcome, ...messages] = said(await judge({ command, baseline: true }, {}, knownEnd(1)));
  expect([outcome, messages[0]]).toEqual(['reject', expect.stringContaining('ended with exit code 2')]);
  const answer = await judge({ command, baseline: true }, {}, knownEnd(1));
  expect(answer).toMatchObject({
    findings: [{ message: expect.stringContaining('(exit code 2, where it was 1)') }, { check: 'baseline' }],
    tests: { exitCode: 2 },
  });
  const hidden = await judge({ command: tap('a -old', 1), baseline: true }, {}, knownEnd(0));
  expect(hidden).toMatchObject({ outcome: 'reject' });
});

it('a baseline excuses no step that says it failed, though the exit code is the same', async () => {
  const command = `echo 'make: *** [Makefile:9: lint] Error 1' >&2; ${tap('a -old', 1)}`;
  expect(said(await judge({ command, baseline: true }, {}, knownEnd(1)))[0]).toBe('reject');
  const known = knownEnd(1, ['make: *** [Makefile:N: lint] Error N']);
  expect(said(await judge({ command, baseline: true }, {}, known))[0]).toBe('pass');
});

it('a runner that ends with the number of its failures may have fewer of them', async () => {
  const known = { before: { total: 3, skipped: 0, failed: ['old', 'b'], exitCode: 2 } };
  expect(said(await judge({ command: tap('a -old b', 1), baseline: true }, {}, known))[0]).toBe('pass');
});

it('where known failures may keep later steps from being run, that is told', async () => {
  const files = { 'package.json': '{"scripts":{"test":"sh unit.sh && npm run lint"}}', 'unit.sh': tap('a -old') };
  const answer = await judge({ command: ['npm', 'test'], baseline: true }, files, knownEnd(1));
  expect(answer).toMatchObject({ outcome: 'pass' });
  expect(said(answer).join('\n')).toContain('may not have been run: test: sh unit.sh && npm run lint');
});

it('a baseline without a past says so', async () => {
  const [outcome, ...messages] = said(await judge({ command: tap('-a'), baseline: true }));
  expect([outcome, messages[0]]).toEqual(['reject', 'error: test failed: a']);
  expect(messages[1]).toMatch(/^info: what failed before this phase is not known/);
});

it.each<[string, string, Tests, string]>([
  ['fewer tests', tap('a b'), { total: 3, failed: [] }, 'fewer tests than before: 2 ran, 3 ran before'],
  [
    'more skipped ones',
    tap('a ~b ~c ~d'),
    { total: 3, skipped: 1, failed: [] },
    'fewer tests than before: 1 ran, 2 ran before; 3 were skipped, 1 before',
  ],
  ['none at all', tap(''), { total: 3, failed: [] }, 'fewer tests than before: 0 ran, 3 ran before'],
  [
    'an emptied command',
    'exit 0',
    { total: 3, failed: [] },
    '3 tests ran before; this time none could be counted: was the test command emptied?',
  ],
])('%s than before are refused even with exit code 0', async (_what, command, past, message) => {
  const answer = await judge(command, {}, { before: past });
  expect(answer).toMatchObject({
    outcome: 'reject',
    findings: [{ severity: 'error', check: 'fewer-tests', message, hint: expect.stringMatching(/^Bring the missing/) }],
  });
});

it('a run that fails may have stopped early, so there fewer tests are only a warning', async () => {
  expect(said(await judge(tap('-a'), {}, before(3)))).toEqual([
    'reject',
    'error: test failed: a',
    'warning: fewer tests than before: 1 ran, 3 ran before',
  ]);
});

it('as many tests as before are enough, and more skipped ones do no harm', async () => {
  expect(said(await judge(tap('a b ~c ~d'), {}, before(3, 1)))).toEqual(['pass']);
  expect(said(await judge(tap('a'), {}, before(0)))).toEqual(['pass']);
});

it.each([
  ['true ./gradlew test', 'pass', 'warning'],
  ['true mvn -B -q test', 'pass', 'warning'],
  ['true mvn -B test', 'reject', 'error'],
])('%s: a build that counts only its failures is not accused of losing tests', async (command, expected, severity) => {
  const [outcome, message] = said(await judge(command, {}, before(3)));
  expect(outcome).toBe(expected);
  expect(message).toMatch(new RegExp(`^${severity}: 3 tests ran before; this time none could be counted`));
});

it('nothing was tested: no tests, only skipped ones, or an exit code that says so', async () => {
  expect(said(await judge(tap('')))).toEqual(['reject', 'error: nothing was tested']);
  expect(said(await judge(tap('~a ~b')))).toEqual(['reject', 'error: nothing was tested: all 2 tests were skipped']);
  expect(said(await judge('echo "no tests ran in 0.01s"; exit 5'))).toEqual([
    'reject',
    'error: nothing was tested; the command ended with exit code 5:\nno tests ran in 0.01s',
  ]);
});

it('an exit code of 0 without a count passes, and says that it could not count', async () => {
  const [outcome, message] = said(await judge('exit 0'));
  expect(outcome).toBe('pass');
  expect(message).toMatch(/^info: the tests passed, but how many ran could not be read/);
});

const IGNORED = 'error: the test command ended with exit code 0, though its output counts 1 failed test';

it('failures that an exit code of 0 hides are refused, named or not', async () => {
  const answer = await judge(tap('a -b', 0));
  expect(answer).toMatchObject({ tests: { total: 2, failed: ['b'] } });
  expect(answer).toMatchObject({ findings: [{ hint: expect.stringMatching(/the test runner's own exit code/) }, {}] });
  expect(said(answer)).toEqual(['reject', IGNORED, 'error: test failed: b']);
  expect(said(await judge('echo "3 examples, 1 failure"'))).toEqual(['reject', IGNORED]);
  expect(said(await judge(firstThen(tap('a -b', 0), tap('a b'))))).toEqual([
    'pass',
    'warning: flaky: b failed in one of two runs',
  ]);
});

it('a baseline excuses the failures an exit code of 0 hides when they are old, and only then', async () => {
  const judgeOld = (words: string) => judge({ command: tap(words, 0), baseline: true }, {}, before(2, 0, ['old']));
  const passed = await judgeOld('a -old');
  expect(passed).toMatchObject({ tests: { failed: ['old'] } });
  expect(said(passed)).toEqual(['pass', 'info: failed before this phase, too: old']);
  const [outcome, ...messages] = said(await judgeOld('-new -old'));
  expect([outcome, messages[1]]).toEqual(['reject', 'error: test failed: new']);
});

it('a command that fails without naming a test is shown with its last words and the place they name', async () => {
  const command = "seq 1 5000; printf '\\033[31ma.txt:7:3\\033[0m: no such thing\\n' >&2; exit 2";
  const answer = await judge({ command, checks: ['unit', 'slow'] });
  expect(answer).toMatchObject({
    outcome: 'reject',
    findings: [{ check: 'unit, slow', location: { file: 'a.txt', line: 7, column: 3 } }],
  });
  const [, message = ''] = said(answer);
  expect(message).toMatch(
    /^error: the test command ended with exit code 2:\n…\n[\s\S]*\n5000\na\.txt:7:3: no such thing$/,
  );
  expect(message.length).toBeLessThan(1700);
  expect(said(await judge('exit 2'))).toEqual([
    'reject',
    'error: the test command ended with exit code 2 and said nothing',
  ]);
});

it.each<[string, Settings, string]>([
  ['a program nobody has', { command: ['no-such-program-here'] }, 'setup'],
  ['exit code 127', { command: 'no-such-program-here' }, 'setup'],
  ['exit code 126', { command: '/etc/passwd' }, 'setup'],
  ['a test run that does not end', { command: 'sleep 20', timeout: 0.2 }, 'timeout_wall'],
  ['a test run that is killed', { command: 'kill -9 $$' }, 'crash'],
])('%s is no opinion', async (_what, settings, failure) => {
  expect(said(await judge(settings))[0]).toBe(failure);
});

it('a test run nobody wants any more is no opinion, not even when it is the second one', async () => {
  expect(said(await judge('exit 0', {}, { signal: AbortSignal.abort('stop') }))[0]).toBe('cancelled');
  expect(said(await judge(firstThen('exit 1', 'kill -9 $$')))[0]).toBe('crash');
});

it('without a command the tests of the project are found and run', async () => {
  const files = { 'package.json': '{"scripts":{"test":"node --test"}}', ...NODE_TESTS };
  const answer = await judge({}, files);
  expect(answer).toMatchObject({ outcome: 'reject', tests: { total: 3 } });
  expect(testsPass.command({ type: 'tests_pass' })).toBe('detected');
  expect(testsPass.command({ type: 'tests_pass', command: ['make', 'test'] })).toEqual(['make', 'test']);
});

it('where there is nothing to run, that is said, with what to write', async () => {
  expect(await judge({})).toMatchObject({
    outcome: 'reject',
    findings: [
      {
        message: 'there is nothing to run: the gate has no command, and no test command was found in the project',
        hint: expect.stringMatching(/command: \[npm, test\].*Looked for package\.json/),
      },
    ],
  });
});

it('a test command that is found elsewhere than before the phase is told', async () => {
  const base = (await gateContext(scratch({ Makefile: 'test:\n\t@echo "3 passed in 0.1s"\n' }))).tree;
  const files = { 'package.json': '{"scripts":{"test":"echo 3 passed in 0.1s"}}' };
  const [outcome, message] = said(await judge({}, files, { base, ...before(3) }));
  expect(outcome).toBe('pass');
  expect(message).toMatch(/^warning: the test command found in the project changed .* from "make test" to "npm test"/);
});

it('names and places that would do harm do none', async () => {
  const name = `\u001b[31mred\u202e ${'long '.repeat(200)}`;
  const command = `cat <<'END'\n1..1\nnot ok 1 - ${name}\n# (in test file ../../etc/passwd, line 3)\nEND\nexit 1`;
  const answer = await judge(command);
  const [, message = ''] = said(answer);
  expect(message).toMatch(/^error: test failed: \S+ > red/);
  expect(JSON.stringify(answer)).not.toMatch(/u001b|\u202e/i);
  expect(JSON.stringify(answer)).not.toContain('location');
  expect(JSON.stringify(answer).length).toBeLessThan(2000);
});

it('thousands of failures are counted, and some of them shown', async () => {
  const command = 'i=1; echo 1..3000; while [ $i -le 3000 ]; do echo "not ok $i - test $i"; i=$((i+1)); done; exit 1';
  const answer = await judge(command);
  if (answer.kind !== 'judged') throw new Error(answer.message);
  expect(answer.findings.filter(({ severity }) => severity === 'error')).toHaveLength(51);
  expect(answer.tests).toMatchObject({ total: 3000, failed: { length: 200 } });
});

it('an output of twenty megabytes is counted by its beginning and its end', async () => {
  const print =
    'const line = "x".repeat(99) + "\\n"; console.log("2 passed in 0.1s"); for (let i = 0; i < 200; i += 1) process.stdout.write(line.repeat(1000)); console.log("3 passed in 0.1s");';
  const answer = await judge({ command: [process.execPath, '-e', print] }, {}, before(5));
  expect(answer).toMatchObject({ outcome: 'pass', findings: [], tests: { total: 5 } });
});

it('JUnit XML on one line of several megabytes is read whole', async () => {
  const print =
    'console.log("<testsuite>" + "<testcase name=\\"x\\"></testcase>".repeat(1e5) + "<testcase name=\\"y\\"><failure message=\\"no\\"/></testcase></testsuite>"); process.exitCode = 1;';
  const answer = await judge({ command: [process.execPath, '-e', print] });
  expect(said(answer)).toEqual(['reject', 'error: test failed: y\nno']);
  expect(answer).toMatchObject({ tests: { total: 100_001 } });
});

it('a failed command is run once more in the same scratch copy', async () => {
  const dir = scratch({ 'a.txt': 'x' });
  await judgeIn(dir, 'echo run >> runs; exit 1');
  expect(contents(dir).runs).toBe('run\nrun\n');
});

it('tests that pass because their assertions are gone are rejected, and fewer assertions are named', async () => {
  const whole = "const assert = require('node:assert');\ntest('a', () => { assert.ok(f()); assert.equal(g(), 1); });\n";
  const base = (await gateContext(scratch({ 'a.txt': 'x', 'a.test.js': whole }))).tree;
  const emptied = { 'a.test.js': "test('a', () => { f(); g(); });\n" };
  expect(said(await judge(tap('a'), emptied, { base, ...before(1) }))).toEqual([
    'reject',
    'error: a.test.js: 2 assertions before, 0 now',
  ]);
  const fewer = { 'a.test.js': whole.replace('assert.ok(f());', 'f();') };
  expect(said(await judge(tap('a'), fewer, { base, ...before(1) }))).toEqual([
    'pass',
    'warning: a.test.js: 2 assertions before, 1 now',
  ]);
  expect(said(await judge(tap('a'), { 'a.test.js': whole }, { base, ...before(1) }))).toEqual(['pass']);
});
