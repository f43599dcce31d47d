import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import { runnerChanges } from './runner-files.ts';

function tree(files: Readonly<Record<string, string>>): Tree {
  return {
    id: JSON.stringify(files),
    files: Object.entries(files).map(([path, digest]) => ({ path, digest, size: 1, executable: false })),
    problems: [],
    read: async () => undefined,
  };
}

it.each([
  ['npm test', '.npmrc'],
  ['npm test', 'node_modules/.bin/node'],
  ['python3 -m unittest', '.venv/bin/python3'],
  ['composer test', 'vendor/bin/phpunit'],
  ['npm test', 'packages/a/vitest.config.ts'],
  ['npx jest', 'jest.config.js'],
  ['python -m pytest', 'tests/conftest.py'],
  ['pytest -q', 'pytest.ini'],
  ['python3 -m pytest', 'pytest.py'],
  ['uv run pytest', 'pytest/__init__.py'],
  ['python -m unittest', 'sitecustomize.py'],
  ['make test', 'GNUmakefile'],
  ['make check', 'rules/tests.mk'],
  ['cargo test', '.cargo/config.toml'],
])('for %j a new or changed %s is named', (command, path) => {
  const [added] = runnerChanges(command, { base: tree({}), tree: tree({ [path]: '1' }) });
  expect(added).toMatchObject({ severity: 'warning', message: expect.stringContaining(`${path} is new`) });
  const [changed] = runnerChanges(command.split(' '), { base: tree({ [path]: '1' }), tree: tree({ [path]: '2' }) });
  expect(changed?.message).toContain(`${path} was changed`);
  expect(runnerChanges(command, { base: tree({ [path]: '1' }), tree: tree({ [path]: '1' }) })).toEqual([]);
});

it.each([
  ['npm test', 'src/config.ts'],
  ['npm test', 'src/pytest.py'],
  ['pytest', 'Makefile'],
  ['go test ./...', 'src/jester.ts'],
  ['python -m pytest', 'src/unit.py'],
  ['npm test', 'docs/vite.md'],
])('for %j a new %s is work like any other', (command, path) => {
  expect(runnerChanges(command, { base: tree({}), tree: tree({ [path]: '1' }) })).toEqual([]);
});

it.each([
  'make test',
  'npm test',
  './check.sh',
  'sh -c "jest; ./more"',
])('which runner %j comes to run cannot be told, so files of every language of the tree are named', (command) => {
  const files = { 'calc.py': '1', 'main.go': '1', Makefile: '1' };
  const added = { 'conftest.py': '1', 'go.work': '1', 'more.mk': '1', 'build.rs': '1' };
  const named = runnerChanges(command, { base: tree(files), tree: tree({ ...files, ...added }) });
  expect(named.map(({ location }) => location?.file)).toEqual(['conftest.py', 'go.work', 'more.mk']);
});

it.each(['go test ./...', 'node --test', 'npx vitest run'])('%j runs nothing of other languages', (command) => {
  const files = { 'calc.py': '1' };
  expect(runnerChanges(command, { base: tree(files), tree: tree({ ...files, 'conftest.py': '1' }) })).toEqual([]);
});

it.each([
  ['python3 -m pytest', 'iniconfig.py'],
  ['python3 -m unittest', 'difflib.py'],
  ['make test', 'difflib/__init__.py'],
  ['pytest', 'src/packaging/__init__.py'],
  ['pytest', 'tests/pprint.cpython-311-x86_64-linux-gnu.so'],
  ['pytest', 'pytest_cov.py'],
  ['npm test', 'node_modules/jest/build/index.js'],
  ['npm test', 'node_modules/@jest/core/package.json'],
  ['npm test', 'node_modules/chalk/index.js'],
  ['node --test', 'node_modules/helper.js'],
])('for %j a new %s takes the place of a module', (command, path) => {
  const files = { 'tests/test_calc.py': '1' };
  const [added] = runnerChanges(command, { base: tree(files), tree: tree({ ...files, [path]: '1' }) });
  expect(added?.message).toContain(`${path} is new`);
});

it.each([
  'app/types.py',
  'app/email/__init__.py',
  'calc.py',
  'difflib.test.py',
  'difflib/notes.md',
  'docs/code.py',
])('a new %s takes no place of a module of Python', (path) => {
  const files = { 'tests/test_calc.py': '1', 'types.py': '1' };
  const now = tree({ ...files, 'types.py': '2', [path]: '1' });
  expect(runnerChanges('pytest', { base: tree(files), tree: now })).toEqual([]);
});

it('no more than twenty are named', () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}/conftest.py`, '1']));
  expect(runnerChanges('pytest', { base: tree({}), tree: tree(files) })).toHaveLength(20);
});
