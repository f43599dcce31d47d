import { expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import type { Tree } from '../../ports/tree.ts';
import { runnerChanges } from './runner-files.ts';

type Texts = Readonly<Record<string, string>>;

/** A tree in which some paths are links to others. */
function tree(files: Texts, links: Texts = {}): Tree {
  return {
    links: Object.keys(links).map((path) => ({ path })),
    target: async (path) => links[path],
    id: JSON.stringify([files, links]),
    files: Object.entries(files).map(([path, digest]) => ({ path, digest, size: digest.length, executable: false })),
    problems: [],
    read: async (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
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
  ['python -m unittest', 'src/sitecustomize.pyc'],
  ['make test', 'GNUmakefile'],
  ['make check', 'rules/tests.mk'],
  ['cargo test', '.cargo/config.toml'],
  ['cargo nextest run', '.config/nextest.toml'],
  ['npx jest', 'jest.config.json'],
  ['npx jest', 'babel.config.json'],
  ['npx jest', '.babelrc'],
  ['npx jest', '.swcrc'],
  ['npx vitest', 'vitest.workspace.json'],
  ['npx mocha', '.mocharc.yaml'],
  ['npx ava', 'ava.config.mjs'],
  ['npx tap', '.taprc'],
  ['npx nyc mocha', 'nyc.config.js'],
  ['npx c8 node --test', '.c8rc.json'],
  ['npx karma start', 'karma.conf.js'],
  ['deno test', 'deno.json'],
  ['bun test', 'bunfig.toml'],
  ['nox', 'noxfile.py'],
  ['tox', 'tox.ini'],
  ['go test ./...', 'go.work'],
  ['phpunit', 'phpunit.xml.dist'],
  ['bundle exec rspec', '.rspec'],
  ['bundle exec rspec', 'spec/rails_helper.rb'],
  ['dotnet test', 'tests/all.runsettings'],
  ['./gradlew test', 'src/test/resources/junit-platform.properties'],
  ['python -m pytest', 'calc-1.dist-info/entry_points.txt'],
  ['pytest', 'src/calc.egg-info/entry_points.txt'],
  ['python3 -m unittest', 'tests/__init__.py'],
  ['pytest', 'app/tests/unit/__init__.py'],
])('for %j a new or changed %s is named', async (command, path) => {
  const [added] = await runnerChanges(command, { base: tree({}), tree: tree({ [path]: '1' }) });
  expect(added).toMatchObject({ severity: 'warning', message: expect.stringContaining(`${path} is new`) });
  const [changed] = await runnerChanges(command.split(' '), {
    base: tree({ [path]: '1' }),
    tree: tree({ [path]: '2' }),
  });
  expect(changed?.message).toContain(`${path} was changed`);
  expect(await runnerChanges(command, { base: tree({ [path]: '1' }), tree: tree({ [path]: '1' }) })).toEqual([]);
});

it.each([
  ['npm test', 'src/config.ts'],
  ['npm test', 'src/pytest.py'],
  ['pytest', 'Makefile'],
  ['go test ./...', 'src/jester.ts'],
  ['python -m pytest', 'src/unit.py'],
  ['npm test', 'docs/vite.md'],
])('for %j a new %s is work like any other', async (command, path) => {
  expect(await runnerChanges(command, { base: tree({}), tree: tree({ [path]: '1' }) })).toEqual([]);
});

it.each([
  'make test',
  'npm test',
  './check.sh',
  'sh -c "jest; ./more"',
])('which runner %j comes to run cannot be told, so files of every language of the tree are named', async (command) => {
  const files = { 'calc.py': '1', 'main.go': '1', Makefile: '1' };
  const added = { 'conftest.py': '1', 'go.work': '1', 'more.mk': '1', 'build.rs': '1' };
  const named = await runnerChanges(command, { base: tree(files), tree: tree({ ...files, ...added }) });
  expect(named.map(({ location }) => location?.file)).toEqual(['conftest.py', 'go.work', 'more.mk']);
});

it.each(['go test ./...', 'node --test', 'npx vitest run'])('%j runs nothing of other languages', async (command) => {
  const files = { 'calc.py': '1' };
  expect(await runnerChanges(command, { base: tree(files), tree: tree({ ...files, 'conftest.py': '1' }) })).toEqual([]);
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
])('for %j a new %s takes the place of a module', async (command, path) => {
  const files = { 'tests/test_calc.py': '1' };
  const [added] = await runnerChanges(command, { base: tree(files), tree: tree({ ...files, [path]: '1' }) });
  expect(added?.message).toContain(`${path} is new`);
});

it.each([
  'app/types.py',
  'app/email/__init__.py',
  'calc.py',
  'difflib.test.py',
  'difflib/notes.md',
  'docs/code.py',
])('a new %s takes no place of a module of Python', async (path) => {
  const files = { 'tests/test_calc.py': '1', 'types.py': '1' };
  const now = tree({ ...files, 'types.py': '2', [path]: '1' });
  expect(await runnerChanges('pytest', { base: tree(files), tree: now })).toEqual([]);
});

it('no more than twenty are named', async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}/conftest.py`, '1']));
  expect(await runnerChanges('pytest', { base: tree({}), tree: tree(files) })).toHaveLength(20);
});

it.each([
  ['npx vitest run', 'vitest.config.ts', "test: { setupFiles: ['./test/ready.ts'] }", 'test/ready.ts'],
  ['npx vitest run', 'vitest.config.ts', "import shared from './tools/shared'", 'tools/shared.ts'],
  ['npx jest', 'package.json', '{"jest":{"setupFilesAfterEnv":["<rootDir>/lib/ease"]}}', 'lib/ease.js'],
  ['npm test', 'package.json', '{"scripts":{"test":"node --require ./lib/ease.cjs --test"}}', 'lib/ease.cjs'],
  ['npm test', 'package.json', '{"scripts":{"test":"mocha -r lib/one -r ./lib/two.js"}}', 'lib/two.js'],
  ['npm test', 'package.json', '{"scripts":{"test":"node --env-file=.env.ci --test test/"}}', '.env.ci'],
  ['npm test', 'package.json', '{"scripts":{"test":"node --test --test-reporter=./tools/rep.cjs"}}', 'tools/rep.cjs'],
  ['npx mocha', '.mocharc.yml', 'require:\n  - ts-node/register\n  - ./lib/ease.js\n', 'lib/ease.js'],
  ['pytest', 'tests/conftest.py', 'pytest_plugins = ["tests.plugins.ease"]', 'tests/plugins/ease.py'],
  ['pytest', 'pytest.ini', '[pytest]\naddopts = -q -p helpers.ease\n', 'helpers/ease.py'],
  ['phpunit', 'phpunit.xml', '<phpunit bootstrap="tests/boot.php">', 'tests/boot.php'],
  ['bundle exec rspec', '.rspec', '--require ./lib/ease', 'lib/ease.rb'],
  ['bun test', 'bunfig.toml', '[test]\npreload = ["./ease.ts"]\n', 'ease.ts'],
])('for %j what %s has loaded before tests is named: %s', async (command, settings, text, path) => {
  const base = tree({ [settings]: text, [path]: '1', 'src/app.js': '1' });
  const now = tree({ [settings]: text, [path]: '2', 'src/app.js': '2' });
  expect((await runnerChanges(command, { base, tree: now })).map(({ location }) => location?.file)).toEqual([path]);
  const added = await runnerChanges(command, { base: tree({ [settings]: text }), tree: now });
  expect(added.map(({ location }) => location?.file)).toEqual([path]);
});

it.each([
  ['package.json', '{"exports":{"import":"./src/app.js","require":"./src/app.js"},"main":"src/app.js"}'],
  ['package.json', '{"scripts":{"build":"cp -r src/app.js dist","start":"tsc -p src/app.js"}}'],
  ['vite.config.ts', "build: { lib: { entry: 'src/app.js' } }"],
  ['package.json', '{"scripts":{"test":"node --test src/app.js"}}'],
])('what %s says of the product is no setting of its tests: %s', async (settings, text) => {
  const base = tree({ [settings]: text, 'src/app.js': '1' });
  const now = tree({ [settings]: text, 'src/app.js': '2' });
  expect(await runnerChanges('npm test', { base, tree: now })).toEqual([]);
});

it('long settings are read in bounded time', async () => {
  const text = 'setupFiles: [ require: - -r -p '.repeat(8000);
  const base = tree({ 'jest.config.js': text, '.mocharc.yml': text });
  const work = workMeter();
  await runnerChanges('npm test', { base, tree: tree({ 'a.js': '1' }) });
  expect(work()).toBeLessThan(300);
});

it.each([
  ['npm test', '.npmrc', { '.npmrc': 'notes.txt' }],
  ['pytest', 'conftest.py', { 'conftest.py': 'docs/notes.py' }],
  ['npm test', '.npmrc', { '.npmrc': 'missing.txt' }],
  ['npx vitest run', 'vitest.config.ts', { 'vitest.config.ts': 'a', a: 'docs/notes.py' }],
  ['python3 -m unittest', 'unittest', { unittest: 'docs' }],
  ['npm test', 'node_modules/.bin/node', { node_modules: 'docs/modules' }],
  ['npm test', 'node_modules/.bin/node', { node_modules: 'docs/more', 'docs/more/.bin': '../modules/.bin' }],
  ['make test', 'GNUmakefile', { GNUmakefile: 'notes.txt' }],
])('for %j a new %s that is a link, or lies behind one, is named', async (command, path, links) => {
  const files = { 'notes.txt': '1', 'docs/notes.py': '1', 'docs/modules/.bin/node': '1' };
  const now = tree(files, links as Texts);
  const named = await runnerChanges(command, { base: tree(files), tree: now });
  expect(named.map(({ location }) => location?.file)).toContain(path);
  expect(await runnerChanges(command, { base: now, tree: now })).toEqual([]);
});

it('a change of what a link at the place of settings leads to is a change of the settings', async () => {
  const [base, now] = ['1', '2'].map((text) => tree({ 'notes.txt': text }, { '.npmrc': 'notes.txt' }));
  if (base === undefined || now === undefined) throw new Error('there are two');
  expect((await runnerChanges('npm test', { base, tree: now })).map(({ message }) => message)).toEqual([
    expect.stringContaining('.npmrc was changed'),
  ]);
});

it('links that lead in circles are followed in bounded time', async () => {
  const files = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`a/f${n}.js`, '1']));
  const base = tree(files);
  const work = workMeter();
  await runnerChanges('npm test', { base, tree: tree(files, { 'a/self': '.', 'a/b': '../a', c: '.' }) });
  expect(work()).toBeLessThan(300);
});

it('a new package of tests without content runs nothing', async () => {
  const files = { 'tests/test_calc.py': '1' };
  const now = tree({ ...files, 'tests/__init__.py': '', 'app/__init__.py': '1' });
  expect(await runnerChanges('pytest', { base: tree(files), tree: now })).toEqual([]);
});
