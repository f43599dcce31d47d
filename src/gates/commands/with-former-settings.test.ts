import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { testsPass } from './tests-pass.ts';

type Files = Readonly<Record<string, string>>;

/** A runner that prints what its settings file names. */
const COMMAND = 'out="out-$(cat .mocharc 2>/dev/null || echo old)"; cat "$out"; ! grep -q "^not ok" "$out"';
const BEFORE = { total: 1, failed: [] };
const TESTS = { 'a.test.js': "test('adds', () => assert.equal(f(), 1));\n" };
const GOOD = '1..2\nok 1 - adds\nok 2 - takes away\n';

async function judge(old: Files, now: Files, { declared = '', change = {} as Partial<GateContext> } = {}) {
  const dir = scratch(now);
  const changes: Record<string, string | undefined>[] = [];
  const variant: GateContext['variant'] = async (wanted) => {
    const copy = scratch();
    cpSync(dir, copy, { recursive: true });
    for (const [path, content] of wanted)
      if (content === undefined) rmSync(join(copy, path));
      else put(copy, { [path]: content });
    changes.push(Object.fromEntries([...wanted].map(([path, content]) => [path, content?.toString()])));
    return { dir: copy, touched: () => [], dispose: async () => rmSync(copy, { recursive: true }) };
  };
  const { tree: origin } = await gateContext(scratch(old));
  const settings = { origin, declared: (path: string) => path === declared };
  const context = await gateContext(dir, { variant, settings, base: origin, before: BEFORE, ...change });
  const answer = await testsPass.judge({ type: 'tests_pass', command: COMMAND }, context);
  return { answer, changes };
}

const work = (byFormer: string): Files => ({ ...TESTS, '.mocharc': 'new', 'out-new': GOOD, 'out-old': byFormer });

it('tests that pass only with settings the work changed are shown to a human, with both facts', async () => {
  const { answer, changes } = await judge(TESTS, work('1..2\nnot ok 1 - adds\nok 2 - takes away\n'));
  expect(answer).toMatchObject({ outcome: 'pass', asks: ['.mocharc'] });
  expect(said(answer)).toContain(
    'warning: the tests pass only with ".mocharc" as this work has it; with the former settings: 1 failed ("adds")',
  );
  expect(changes).toEqual([{ '.mocharc': undefined }]);
});

it.each([
  ['they pass with the former settings, too', GOOD, '2 ran, none failed'],
  [
    'only tests fail with the former settings that are new',
    '1..2\nok 1 - adds\nnot ok 2 - takes away\n',
    '2 ran, 1 failed ("takes away")',
  ],
])('nobody is asked where %s, and told is what was seen', async (_why, byFormer, seen) => {
  const { answer, changes } = await judge(TESTS, work(byFormer));
  expect(answer).not.toHaveProperty('asks');
  expect(said(answer)).toContain(`info: with the former settings of ".mocharc" ${seen}; counted before this work: 1`);
  expect(changes).toHaveLength(1);
});

it.each([
  [
    'a test got another name',
    "test('plus', () => assert.equal(f(), 1));\n",
    '1..2\nnot ok 1 - plus\nok 2 - x\n',
    '1 failed ("plus")',
  ],
  ['it is not run any more', TESTS['a.test.js'], '1..1\nnot ok 1 - new\n', 'only 0 ran and passed, of 1 there were'],
  ['it is skipped', TESTS['a.test.js'], '1..1\nok 1 - adds # SKIP\n', 'only 0 ran and passed, of 1 there were'],
  ['nothing is counted', TESTS['a.test.js'], 'fine\n', 'how many tests ran cannot be told'],
])('a human is asked where %s with the former settings', async (_why, tests, byFormer, why) => {
  const { answer } = await judge(TESTS, { ...work(byFormer), 'a.test.js': tests });
  expect(answer).toMatchObject({ outcome: 'pass', asks: ['.mocharc'] });
  expect(said(answer)).toContain(
    `warning: the tests pass only with ".mocharc" as this work has it; with the former settings: ${why}`,
  );
});

it('a file that a phase declares is its own, and where no tests were before nothing was settled', async () => {
  const broken = work('1..1\nnot ok 1 - adds\n');
  expect((await judge(TESTS, broken, { declared: '.mocharc' })).changes).toEqual([]);
  expect((await judge(TESTS, broken, { change: { before: { total: 0, failed: [] } } })).changes).toEqual([]);
});

it('of files that are about more than tests, only what is about tests is put back', async () => {
  const old = {
    'package.json': '{"scripts":{"test":"a"}}',
    'pyproject.toml': '[tool.pytest]\nx = 1\n[project]\nname = "a"\n',
  };
  const now = {
    'package.json': '{"scripts":{"test":"b"},"dependencies":{"c":"1"},"jest":{}}',
    'pyproject.toml': '[project]\nname = "b"\n[tool.pytest]\nx = 2\n',
  };
  const { changes } = await judge({ ...TESTS, ...old }, { ...TESTS, ...now, 'out-old': GOOD });
  expect(JSON.parse(changes[0]?.['package.json'] ?? '')).toEqual({ dependencies: { c: '1' }, scripts: { test: 'a' } });
  expect(changes[0]?.['pyproject.toml']).toBe('[project]\nname = "b"\n\n[tool.pytest]\nx = 1\n');
});

it('dependencies and names in such files are no settings of tests', async () => {
  const old = { 'package.json': '{"scripts":{"test":"a"}}', 'setup.cfg': '[metadata]\nname = a\n' };
  const now = {
    'package.json': '{"scripts":{"test":"a"},"dependencies":{"c":"1"}}',
    'setup.cfg': '[metadata]\nname = b\n',
  };
  expect((await judge({ ...TESTS, ...old }, { ...TESTS, ...now, 'out-old': GOOD })).changes).toEqual([]);
});

const PYTEST = '[tool.pytest.ini_options]\naddopts = "-p ease"\n';

it.each([
  ['is new and says nothing else', undefined, PYTEST, undefined],
  ['is new', undefined, `[project]\nname = "a"\n${PYTEST}`, '[project]\nname = "a"\n'],
  ['is gone', `[project]\nname = "a"\n${PYTEST}`, undefined, PYTEST],
  ['cannot be read surely', '[project]\nname = "a"\n', `[tool]\npytest.ini_options.x = 1\n`, '[project]\nname = "a"\n'],
])('settings in a pyproject.toml that %s are as they were', async (_what, old, now, wanted) => {
  const at = (text: string | undefined): Files => (text === undefined ? {} : { 'pyproject.toml': text });
  const { changes } = await judge({ ...TESTS, ...at(old) }, { ...TESTS, ...at(now), 'out-old': GOOD });
  expect(changes).toEqual([{ 'pyproject.toml': wanted }]);
});

it('a new package keeps its scripts, not what it says to test runners', async () => {
  const now = { 'a/package.json': '{"scripts":{"test":"jest"},"jest":{"testMatch":[]}}' };
  const { changes } = await judge(TESTS, { ...TESTS, ...now, 'out-old': GOOD });
  expect(JSON.parse(changes[0]?.['a/package.json'] ?? '')).toEqual({ scripts: { test: 'jest' } });
  const plain = { 'a/package.json': '{"scripts":{"test":"jest"},"type":"module"}' };
  expect((await judge(TESTS, { ...TESTS, ...plain, 'out-old': GOOD })).changes).toEqual([]);
});
