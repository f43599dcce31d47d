import { expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { gateContext } from '../gate/gates.fixture.ts';
import { testCommandChanges } from './test-command-changes.ts';

type Files = Readonly<Record<string, string>>;

async function changes(command: string | readonly string[], old: Files, now: Files) {
  const [{ tree: base }, { tree }] = await Promise.all([gateContext(scratch(old)), gateContext(scratch(now))]);
  const findings = await testCommandChanges(command, { base, tree });
  expect(findings.every(({ severity, check }) => severity === 'warning' && check === 'test-command-changed')).toBe(
    true,
  );
  return findings.map(({ message, location }) => `${location?.file}: ${message}`);
}

function scripts(written: Record<string, string>): Files {
  return { 'package.json': JSON.stringify({ scripts: written }) };
}

it('a test script that was emptied is told with its old and new text', async () => {
  expect(await changes(['npm', 'test'], scripts({ test: 'vitest run' }), scripts({ test: 'exit 0' }))).toEqual([
    'package.json: the script "test" of package.json changed in this phase, from "vitest run" to "exit 0"',
  ]);
  expect(await changes('npm t', scripts({ test: 'vitest' }), scripts({}))).toEqual([
    'package.json: the script "test" of package.json changed in this phase, from "vitest" to nothing',
  ]);
});

it.each([
  'npm run unit',
  'yarn unit',
  'pnpm --silent unit',
  'bun run unit',
  'cd x && npm run unit -- --all',
])('%s: the script it names is looked at, what runs before it and what it runs itself too', async (command) => {
  const old = scripts({ unit: 'npm run deep && yarn other', deep: 'jest', lint: 'biome' });
  const now = scripts({ unit: 'npm run deep && yarn other', deep: 'true', lint: 'true', preunit: 'rm -r test' });
  const [first, second, ...others] = await changes(command, old, now);
  expect(first).toMatch(/the script "preunit" .* from nothing to "rm -r test"/);
  expect(second).toMatch(/the script "deep" .* from "jest" to "true"/);
  expect(others).toEqual([]);
});

it('packages of a workspace are looked at, those that were installed are not', async () => {
  const [old, now] = [{ scripts: { test: 'mocha' } }, { scripts: { test: 'true' } }].map((one) => JSON.stringify(one));
  const at = (text = '') => ({ 'packages/a/package.json': text, 'node_modules/b/package.json': text });
  expect(await changes('npm test --workspaces', at(old), at(now))).toHaveLength(1);
});

it('the recipe of a target is told when it changed, and only then', async () => {
  const file = (recipe: string, other = 'x') => ({
    Makefile: `.PHONY: test\nlint:\n\t${other}\ntest: build\n\t${recipe}\n\nx = 1\n`,
  });
  expect(await changes('make -s test', file('pytest'), file('@true'))).toEqual([
    'Makefile: the target test of Makefile changed in this phase, from "test: build pytest" to "test: build @true"',
  ]);
  expect(await changes('make -s test', file('pytest'), file('pytest', 'y'))).toEqual([]);
});

it('settings of pytest are told when they changed, the rest of their file is not looked at', async () => {
  const file = (options: string, name = 'x') => ({
    'pyproject.toml': `[project]\nname = "${name}"\n[tool.pytest.ini_options]\naddopts = "${options}"\n[tool.black]\n`,
  });
  const [told] = await changes(['python3', '-m', 'pytest'], file('-q'), file('-k nothing'));
  expect(told).toMatch(/^pyproject.toml: the settings of pytest in pyproject.toml changed .*-q.* to .*-k nothing/);
  expect(await changes('pytest', file('-q'), file('-q', 'y'))).toEqual([]);
  expect(await changes('cargo test', { ...file('-q'), 'a.py': '' }, file('-x'))).toEqual([]);
  expect(await changes('make test', { ...file('-q'), 'a.py': '' }, file('-x'))).toHaveLength(1);
});

it.each([
  ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-p ease"\n'],
  ['setup.cfg', '[tool:pytest]\naddopts = -p ease\n'],
  ['tox.ini', '[pytest]\naddopts = -p ease\n'],
  ['pytest.ini', '[pytest]\naddopts = -p ease\n'],
])('settings of pytest in a new %s are told', async (path, text) => {
  const [told, ...others] = await changes('pytest -q', {}, { [path]: text });
  expect(told).toMatch(/the settings of pytest in \S+ changed in this phase, from nothing to .*-p ease/);
  expect(others).toEqual([]);
  expect(await changes('pytest -q', {}, { 'setup.cfg': '[metadata]\nname = a\n' })).toEqual([]);
});

it.each([
  ['pyproject.toml', '[tool]\npytest.ini_options.addopts = "-p ease"\n'],
  ['pyproject.toml', ' [tool.pytest.ini_options]\naddopts = "-p ease"\n'],
  ['pyproject.toml', '["tool".\'pytest\'."ini_options"]\naddopts = "-p ease"\n'],
  ['pyproject.toml', '["tool"."\\u0070ytest"."ini_options"]\naddopts = "-p ease"\n'],
  ['pyproject.toml', '[tool.pytest.ini_options]\nmarkers = [\n[1]\n]\naddopts = "-p ease"\n'],
  ['pyproject.toml', '[tool]\npytest = { ini_options = { addopts = "-p ease" } }\n'],
  ['setup.cfg', 'x = 1\f[tool:pytest]\faddopts = -p ease\n'],
  ['setup.cfg', '[tool:pytest]\nmarkers = a\n[x] y\naddopts = -p ease\n'],
])('in %s settings of pytest written as %j are told', async (path, text) => {
  const before = '[project]\nname = "a"\n';
  const [told] = await changes('pytest', { [path]: before }, { [path]: before + text });
  expect(told).toMatch(/the settings of pytest in \S+ changed in this phase, from .*-p ease/);
});

it('what the command does not run, and what is new, is no change', async () => {
  expect(await changes(['node', '--test'], scripts({ test: 'a' }), scripts({ test: 'b' }))).toEqual([]);
  expect(await changes('npm test', {}, scripts({ test: 'b' }))).toEqual([]);
  expect(await changes('npm test', scripts({ build: 'b' }), scripts({ build: 'b', test: 'vitest' }))).toEqual([]);
  expect(await changes('npm test', { 'package.json': '{' }, { 'package.json': '[1]' })).toEqual([]);
});
