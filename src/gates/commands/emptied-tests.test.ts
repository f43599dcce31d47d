import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import { emptiedTests, movedTests } from './emptied-tests.ts';

type Files = Readonly<Record<string, string>>;

/** A tree of texts that keeps which of them were read. */
function tree(files: Files): Tree & { readonly looked: string[] } {
  const read: string[] = [];
  return {
    id: JSON.stringify(files),
    files: Object.entries(files).map(([path, text]) => ({
      path,
      digest: text,
      size: text.length,
      executable: false,
    })),
    problems: [],
    looked: read,
    read: async (path, limit) => {
      read.push(path);
      return files[path] === undefined ? undefined : Buffer.from(files[path]).subarray(0, limit);
    },
  };
}

async function said(before: Files, now: Files): Promise<string[]> {
  const findings = await emptiedTests({ base: tree(before), tree: tree(now) });
  return findings.map(({ severity, message }) => `${severity}: ${message}`);
}

const python = (...bodies: string[]) => bodies.map((body, n) => `def test_${n}():\n    ${body}\n`).join('');

it.each([
  ['tests/test_x.py', 'def test_a():\n    assert f() == 1\n', 'def test_a():\n    f()\n'],
  ['src/sum.test.ts', "it('a', () => { expect(f()).toBe(1); });", "it('a', () => { f(); });"],
  ['src/sum.spec.tsx', "it('a', () => { expect(<A b={c} />).toBe(1); });", "it('a', () => { f(); });"],
  ['test/sum.js', "test('a', () => assert.equal(f(), 1));", "test('a', () => f());"],
  [
    'sum_test.go',
    'package a\nfunc TestA(t *testing.T) { if f() { t.Error() } }',
    'package a\nfunc TestA(t *testing.T) {}',
  ],
  [
    'src/test/java/SumTest.java',
    'class A { @Test void a() { assertTrue(f()); } }',
    'class A { @Test void a() { f(); } }',
  ],
  ['src/lib.rs', '#[test]\nfn a() { assert!(f()); }', '#[test]\nfn a() { f(); }'],
  ['spec/sum_spec.rb', 'it "a" do\n  expect(f).to eq 1\nend', 'it "a" do\n  f\nend'],
])('%s without its assertions is rejected', async (path, before, now) => {
  const findings = await emptiedTests({ base: tree({ [path]: before }), tree: tree({ [path]: now }) });
  expect(findings).toMatchObject([
    {
      severity: 'error',
      check: 'emptied-tests',
      message: `${path}: 1 assertion before, 0 now`,
      location: { file: path },
    },
  ]);
  expect(await said({ [path]: now }, { [path]: before })).toEqual([]);
});

it('assertions over literals alone are none', async () => {
  const path = 'test_a.py';
  expect(await said({ [path]: python('assert f() == 1') }, { [path]: python('assert True') })).toEqual([
    'error: test_a.py: 1 assertion before, 0 now',
  ]);
});

it('fewer assertions in the same tests are a warning', async () => {
  const before = { 'test_a.py': python('assert f()', 'assert g(); assert h()') };
  expect(await said(before, { 'test_a.py': python('assert f()', 'assert g()') })).toEqual([
    'warning: test_a.py: 3 assertions before, 2 now',
  ]);
});

it('a test that lost all it had is named though another one has more', async () => {
  const before = { 'test_a.py': python('assert f()', 'assert g()') };
  expect(await said(before, { 'test_a.py': python('f()', 'assert g(); assert f()') })).toEqual([
    'warning: test_a.py: no assertions any more in test_0',
  ]);
});

it('tests that are gone are left to those who count tests', async () => {
  const before = { 'test_a.py': python('assert f()', 'assert g()', 'h()'), 'test_b.py': python('assert f()') };
  const now = { 'test_a.py': python('assert f()') };
  expect(await said({ 'test_a.py': before['test_a.py'] }, now)).toEqual([]);
  expect(
    await said({ 'test_a.py': `${python('f()')}def test_z():\n    assert f()\n` }, { 'test_a.py': python('f()') }),
  ).toEqual([]);
});

it('tests with other names stand for those that are gone', async () => {
  const now = { 'test_a.py': 'def test_x():\n    f()\ndef test_y():\n    g()\n' };
  expect(await said({ 'test_a.py': python('assert f()', 'assert g()') }, now)).toEqual([
    'error: test_a.py: 2 assertions before, 0 now',
  ]);
});

it('a file with another name is compared with the one its tests are from', async () => {
  const before = { 'test_a.py': python('assert f()', 'assert g()'), 'test_c.py': 'def test_c():\n    assert x\n' };
  expect(await said(before, { 'test_b.py': python('f()', 'g()') })).toEqual([
    'error: test_b.py (before: test_a.py): 2 assertions before, 0 now',
    'warning: test_c.py is gone, with 1 assertion in 1 test; not found elsewhere: test_c. Tests added in this phase have 0 assertions',
  ]);
  const moved = { 'test_b.py': python('assert f()', 'assert g()', 'h()'), 'test_c.py': before['test_c.py'] };
  expect(await said(before, moved)).toEqual([]);
});

it('a test file that is gone is told, unless its tests stand elsewhere and check something there', async () => {
  const before = { 'test_a.py': python('assert f()', 'assert g()'), 'test_b.py': 'def test_b():\n    assert x\n' };
  const lost = (names: string, has: string) =>
    `warning: test_a.py is gone, with 2 assertions in 2 tests; not found elsewhere: ${names}. Tests added in this phase have ${has}`;
  const { 'test_b.py': other } = before;
  const empty = 'def test_one():\n    pass\ndef test_two():\n    pass\n';
  expect(await said(before, { 'test_b.py': other, 'test_c.py': empty })).toEqual([
    lost('test_0, test_1', '0 assertions'),
  ]);
  expect(await said(before, { 'test_b.py': other })).toEqual([lost('test_0, test_1', '0 assertions')]);
  const half = `${other}${python('assert f()', 'g()')}`;
  expect(await said(before, { 'test_b.py': half })).toEqual([lost('test_1', '1 assertion')]);
  expect(await said(before, { 'test_b.py': `${other}${before['test_a.py']}` })).toEqual([]);
  expect(await said(before, { 'test_b.py': other, 'tests/test_a.py': before['test_a.py'] })).toEqual([]);
  expect(await said({ 'test_a.py': python('f()') }, {})).toEqual([]);
});

it.each([
  [
    'a.test.js',
    "test('a', () => assert.equal(f(), 1));",
    "const { test: check } = require('x');\ncheck('a', () => {});",
  ],
  ['test_a.py', python('assert f()'), 'test_0 = lambda: None\n'],
  ['test_a.py', python('assert f()'), `${python('f()')}# ${'x'.repeat(512 * 1024)}\n`],
])('%s with no test that can be recognised any more is told', async (path, before, now) => {
  expect(await said({ [path]: before }, { [path]: now })).toEqual([
    `warning: ${path}: 1 assertion in 1 test before, no tests that can be recognised now`,
  ]);
  expect(await said({ [path]: 'x = 1\n' }, { [path]: now })).toEqual([]);
});

it('of more lost files than are read, only their number is told', async () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`a/test_${n}.py`, python(`assert f(${n})`)]));
  expect(await said(many, {})).toEqual([
    'warning: 201 test files are gone; whether their tests stand elsewhere was not looked up, so many files changed',
  ]);
  const moved = Object.fromEntries(Object.entries(many).map(([path, text]) => [`b/${path}`, text]));
  expect(await said(many, moved)).toEqual([]);
});

it('nothing is said of tests that never asserted, of new ones, and of assertions that moved into a helper', async () => {
  expect(await said({ 'test_a.py': python('f()') }, { 'test_a.py': python('g()') })).toEqual([]);
  expect(await said({}, { 'test_a.py': python('g()') })).toEqual([]);
  const helped = `def same(a):\n    assert a\n    assert f(a)\n${python('same(x)')}`;
  expect(await said({ 'test_a.py': python('assert x; assert f(x)') }, { 'test_a.py': helped })).toEqual([]);
});

it('where the grammar cannot read all of a file it only warns', async () => {
  const before = { 'test_a.py': python('assert f()') };
  expect(await said(before, { 'test_a.py': `${python('f()')}\ndef (:\n` })).toEqual([
    'warning: test_a.py: 1 assertion before, 0 now',
  ]);
});

it('only changed test files of a bearable size are read', async () => {
  const large = `${python('assert f()')}# ${'x'.repeat(512 * 1024)}\n`;
  const files = { 'src/app.py': 'assert x', 'test_same.py': python('assert f()'), 'node_modules/a/a.test.js': 'x()' };
  const base = tree({ ...files, 'test_large.py': large, 'test_bytes.py': python('assert f()') });
  const now = { ...files, 'src/app.py': '', 'node_modules/a/a.test.js': '', 'test_large.py': python('f()') };
  const after = tree({ ...now, 'test_bytes.py': '\0\0' });
  expect(await emptiedTests({ base, tree: after })).toMatchObject([{ location: { file: 'test_bytes.py' } }]);
  expect(base.looked.sort()).toEqual(['test_bytes.py', 'test_large.py']);
});

it('an emptied file does not hide behind many others', async () => {
  const many = (text: string) => Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`a/test_${n}.py`, text]));
  const before = { ...many(python('assert f()')), 'test_z.py': python('assert f() == g()') };
  const now = { ...many(`${python('assert f()')}\n`), 'test_z.py': python('f()') };
  const [base, after] = [tree(before), tree(now)];
  expect(await emptiedTests({ base, tree: after })).toMatchObject([{ location: { file: 'test_z.py' } }]);
  expect(base.looked).toHaveLength(200);
});

it('an emptied file does not hide behind many that only lost something', async () => {
  const many = (text: string) => Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a/test_${n}.py`, text]));
  const before = { ...many(python('assert f(); assert g(); assert h()')), 'test_z.py': python('assert f()') };
  const [first, ...others] = await said(before, { ...many(python('assert f()')), 'test_z.py': python('f()') });
  expect(first).toBe('error: test_z.py: 1 assertion before, 0 now');
  expect(others).toHaveLength(19);
});

const script = (...tests: string[]) =>
  tests.map((mark, n) => `${mark}('t${n}', () => { expect(f(${n})).toBe(1); });`).join('\n');

it.each(['it.fails', 'it.skip', 'xit', 'test.todo'])('tests that all became %s are rejected', async (mark) => {
  expect(await said({ 'a.test.js': script('it', 'it') }, { 'a.test.js': script(mark, mark) })).toEqual([
    "error: a.test.js: 2 assertions before, 0 now; skipped, expected to fail or left out now: 't0', 't1'",
  ]);
});

it('a test that is expected to fail now is told, though others check more', async () => {
  expect(await said({ 'a.test.js': script('it') }, { 'a.test.js': script('it.fails', 'it', 'it') })).toEqual([
    "warning: a.test.js: skipped, expected to fail or left out now: 't0'",
  ]);
  expect(await said({ 'a.test.js': script('it', 'it') }, { 'a.test.js': script('it', 'it.only') })).toEqual([
    "warning: a.test.js: 2 assertions before, 1 now; skipped, expected to fail or left out now: 't0'",
  ]);
});

it('tests that were skipped before are nothing new, and one that is run again is welcome', async () => {
  expect(await said({ 'a.test.js': script('it.skip', 'it') }, { 'a.test.js': script('it.skip', 'it', 'it') })).toEqual(
    [],
  );
  expect(await said({ 'a.test.js': script('it.skip', 'it') }, { 'a.test.js': script('it', 'it') })).toEqual([]);
});

it.each([
  [
    'test/helpers/same.js',
    'exports.same = (a, b) => assert.equal(a, b);',
    'exports.same = () => {};',
    '1 assertion before, 0 now',
  ],
  [
    'tests/checks.py',
    'def same(a, b):\n    assert a == b\n    assert a\n',
    'def same(a, b):\n    assert a\n',
    '2 assertions before, 1 now',
  ],
])('a helper of tests that asserts less is told: %s', async (path, before, now, numbers) => {
  expect(await said({ [path]: before }, { [path]: now })).toEqual([
    `warning: ${path}, which tests may be helped by: ${numbers}`,
  ]);
  expect(await said({ [path]: now }, { [path]: before })).toEqual([]);
});

const MOVED = "test('adds', () => assert.equal(f(), 1));";

async function moved(to: string, passed?: readonly string[]): Promise<string[]> {
  const trees = { base: tree({ 'test/sum.test.js': MOVED }), tree: tree({ [to]: MOVED }) };
  return (await movedTests(trees, passed)).map(({ severity, message }) => `${severity}: ${message}`);
}

it('tests that a file took along to where they are not run are told', async () => {
  expect(await moved('docs/sum.test.js', ['more'])).toEqual([
    'warning: test/sum.test.js is docs/sum.test.js now, with adds: they were not seen to run and pass',
  ]);
  expect(await moved('docs/sum.test.js')).toEqual([
    'warning: test/sum.test.js is docs/sum.test.js now, with adds: whether they are run there cannot be told',
  ]);
  expect(await moved('test/all.js')).toEqual([]);
  expect(await moved('test/unit/sum.test.js', ['sum > adds'])).toEqual([]);
});

it('a test file in whose place there is a link checks what that leads to', async () => {
  const now = { ...tree({ 'docs/quick.js': "test('adds', () => {});", 'docs/test/sum.test.js': MOVED }) };
  const linked: Tree = {
    ...now,
    id: 'linked',
    links: [{ path: 'test/sum.test.js' }],
    target: async () => '../docs/quick.js',
    read: (path, limit) => now.read(path === 'test/sum.test.js' ? 'docs/quick.js' : path, limit),
  };
  const findings = await emptiedTests({ base: tree({ 'test/sum.test.js': MOVED }), tree: linked });
  expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'error: test/sum.test.js: 1 assertion before, 0 now',
  ]);
});
