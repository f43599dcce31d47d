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

it('no more than twenty are named', () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}/conftest.py`, '1']));
  expect(runnerChanges('pytest', { base: tree({}), tree: tree(files) })).toHaveLength(20);
});
