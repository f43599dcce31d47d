import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import { type DetectedTools, detectTools } from './detect-tools.ts';
import type { Look } from './place.ts';

type Files = Readonly<Record<string, string>>;

function detect(files: Files): Promise<DetectedTools> {
  return detectTools(lookOf(files), { prepared: true });
}

function lookOf(files: Files): Look {
  return { paths: Object.keys(files), read: async (path) => files[path] };
}

const words = (commands: readonly (readonly string[])[]): string[] => commands.map((argv) => argv.join(' '));
const TESTED = '{"scripts":{"test":"node --test"},"devDependencies":{"left-pad":"1.0.0"}}';
const UNITTEST = 'import unittest\n';

describe('package.json', () => {
  const managers: readonly (readonly [name: string, files: Files, setup: string, test: string])[] = [
    ['npm', { 'package-lock.json': '{}' }, 'npm ci', 'npm test'],
    ['npm without a lock file', {}, 'npm install --no-package-lock', 'npm test'],
    ['pnpm', { 'pnpm-lock.yaml': '' }, 'pnpm install --frozen-lockfile', 'pnpm test'],
    ['yarn 1', { 'yarn.lock': '# yarn lockfile v1' }, 'yarn install --frozen-lockfile', 'yarn test'],
    [
      'yarn 4 with node_modules',
      { 'yarn.lock': '__metadata:\n  version: 8\n', '.yarnrc.yml': 'nodeLinker: node-modules\n' },
      'yarn install --immutable',
      'yarn test',
    ],
    ['bun', { 'bun.lock': '{}' }, 'bun install --frozen-lockfile', 'bun run test'],
  ];

  test.each(managers)('of %s installs what is locked and runs the test script', async (_name, files, setup, run) => {
    const found = await detect({ 'package.json': TESTED, ...files });
    expect(words(found.setup)).toEqual([setup]);
    expect(found).toMatchObject({ languages: ['javascript'], cache: ['node_modules'], test: run.split(' ') });
  });

  test('without a lock file is said to install other versions each time', async () => {
    expect((await detect({ 'package.json': TESTED })).notes).toEqual([expect.stringContaining('has no lock file')]);
  });

  test('that needs nothing needs no set-up', async () => {
    const found = await detect({ 'package.json': '{"scripts":{"test":"node --test"}}', 'src/a.ts': '' });
    expect(found).toEqual({ languages: ['typescript'], setup: [], cache: [], test: ['npm', 'test'], notes: [] });
  });

  test('of JavaScript that declares its types is no TypeScript', async () => {
    const found = await detect({ 'package.json': '{}', 'a.js': '', 'a.d.ts': '', 'b.d.mts': '' });
    expect(found.languages).toEqual(['javascript']);
  });

  test('names its manager itself, whatever lock files lie around', async () => {
    const manifest = JSON.stringify({ ...JSON.parse(TESTED), packageManager: 'pnpm@9.1.0' });
    const found = await detect({ 'package.json': manifest, 'package-lock.json': '{}', 'pnpm-lock.yaml': '' });
    expect(words(found.setup)).toEqual(['pnpm install --frozen-lockfile']);
    expect(found.notes).toEqual([expect.stringContaining('lock files of pnpm and npm')]);
  });

  test.each([
    '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
    '{"scripts":{"test":" "}}',
    '{"scripts":{"test":7}}',
    '{"scripts":null}',
    '{}',
  ])('with the scripts of %s has no tests, and the note says what to write', async (manifest) => {
    const found = await detect({ 'package.json': manifest });
    expect(found.test).toBeUndefined();
    expect(found.notes).toEqual([
      expect.stringMatching(/no test script; write one, or give the tests_pass gates a command/),
    ]);
  });

  test.each(['{', '[]', 'null', '"x"'])('that holds %s is no reason to break down', async (manifest) => {
    const found = await detect({ 'package.json': manifest });
    expect(found).toMatchObject({ setup: [], cache: [], notes: [expect.stringContaining('cannot be read as JSON')] });
  });

  test('whose tests watch for changes is reported', async () => {
    const found = await detect({ 'package.json': '{"scripts":{"test":"jest --watch"}}' });
    expect(found.notes).toEqual([expect.stringContaining('never ends')]);
    expect((await detect({ 'package.json': '{"scripts":{"test":"ng test --watch=false"}}' })).notes).toEqual([]);
  });

  test("of Yarn's Plug'n'Play must be committed with .pnp.cjs", async () => {
    const berry = { 'package.json': TESTED, 'yarn.lock': '__metadata:\n' };
    expect((await detect(berry)).notes).toEqual([expect.stringContaining('.pnp.cjs')]);
    const committed = await detect({ ...berry, '.pnp.cjs': '', '.yarn/cache/a.zip': '' });
    expect(committed).toMatchObject({ cache: ['.yarn/unplugged'], notes: [] });
  });
});

describe('a workspace', () => {
  const root = (more: object): string => JSON.stringify({ private: true, ...more });

  test('of npm shares every folder of packages and runs the tests of its members', async () => {
    const found = await detect({
      'package.json': root({ workspaces: ['packages/*', '!packages/old'] }),
      'package-lock.json': '{}',
      'packages/a/package.json': TESTED,
      'packages/b/package.json': '{}',
      'packages/old/package.json': '{}',
    });
    expect(found.cache).toEqual(['node_modules', 'packages/a/node_modules', 'packages/b/node_modules']);
    expect(found.test).toEqual(['npm', 'test', '--workspaces', '--if-present']);
    expect(found.notes).toEqual([expect.stringMatching(/^packages\/old \(npm\) is a package of its own/)]);
  });

  test('with many members names their folders by a pattern', async () => {
    const members = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`packages/p${n}/package.json`, '{}']));
    const found = await detect({ 'package.json': root({ workspaces: ['packages/*'] }), ...members });
    expect(found.cache).toEqual(['**/node_modules']);
  });

  test('has no members with names that could be taken for something else', async () => {
    const names = ['a\u001b[2Jb', '[x]', '--x', 'a\nb', '*'];
    const found = await detect({
      'package.json': root({ workspaces: ['**'] }),
      'good one/package.json': '{}',
      ...Object.fromEntries(names.map((name) => [`${name}/package.json`, TESTED])),
    });
    expect(found.cache).toEqual(['node_modules', 'good one/node_modules']);
  });

  test('of pnpm is read from pnpm-workspace.yaml, and the tests of its root come first', async () => {
    const files = {
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': 'packages:\n  - apps/*\n',
      'apps/a/package.json': TESTED,
    };
    const whole = await detect({ 'package.json': root({}), ...files });
    expect(whole).toMatchObject({ cache: ['node_modules', 'apps/a/node_modules'], notes: [] });
    expect(whole.test).toEqual(['pnpm', '--recursive', 'test']);
    expect((await detect({ 'package.json': TESTED, ...files })).test).toEqual(['pnpm', 'test']);
  });

  test('of Go names its modules one by one', async () => {
    const found = await detect({
      'go.work': 'go 1.22\n\nuse (\n\t./api // the server\n\t"./lib"\n\t./gone\n\t-x\n)\nuse ./cli\n',
      'api/go.mod': '',
      'lib/go.mod': '',
      'cli/go.mod': '',
      '-x/go.mod': '',
    });
    expect(found.test).toEqual(['go', 'test', './api/...', './lib/...', './cli/...']);
    expect(words(found.setup)).toEqual(['go mod download']);
  });

  test('of Cargo tests all of its members', async () => {
    const found = await detect({
      'Cargo.toml': '[workspace]\nmembers = [\n  "crates/*", # all\n]\n',
      'Cargo.lock': '',
      'crates/a/Cargo.toml': '[package]\n',
    });
    expect(found).toEqual({
      languages: ['rust'],
      setup: [['cargo', 'fetch', '--locked']],
      cache: [],
      test: ['cargo', 'test', '--workspace'],
      notes: [],
    });
  });

  test('of Maven holds the modules below it', async () => {
    const found = await detect({ 'pom.xml': '<project/>', 'core/pom.xml': '', 'core/src/main/java/A.java': '' });
    expect(found).toMatchObject({ languages: ['java'], notes: [] });
  });

  test('of uv holds the packages below it', async () => {
    const pyproject = '[project]\nname = "a"\n[tool.uv.workspace]\nmembers = ["libs/*"]\n[tool.pytest.ini_options]\n';
    const found = await detect({ 'pyproject.toml': pyproject, 'uv.lock': '', 'libs/b/pyproject.toml': '[project]\n' });
    expect(found.notes).toEqual([]);
  });
});

describe('Python', () => {
  const cases: readonly (readonly [name: string, files: Files, setup: readonly string[], test: string | undefined])[] =
    [
      [
        'with uv',
        { 'pyproject.toml': '[project]\nname="a"\n[dependency-groups]\ndev=["pytest"]\n', 'uv.lock': '' },
        ['uv sync --frozen'],
        'uv run --frozen python -m pytest',
      ],
      [
        'with uv and tests among the extras',
        {
          'pyproject.toml': '[project.optional-dependencies]\ntest = ["uvicorn[standard]", "pytest"]\n',
          'uv.lock': '',
        },
        ['uv sync --frozen --all-extras'],
        'uv run --frozen python -m pytest',
      ],
      [
        'with poetry',
        {
          'pyproject.toml': '[tool.poetry]\nname="a"\n[tool.poetry.group.dev.dependencies]\npytest="*"\n',
          'poetry.lock': '',
        },
        ['python3 -m venv .venv', 'poetry install --no-interaction'],
        'poetry run python -m pytest',
      ],
      [
        'with requirements',
        { 'requirements.txt': 'flask\n', 'requirements-dev.txt': 'pytest>=8\n', 'app.py': '' },
        ['python3 -m venv .venv', '.venv/bin/python -m pip install -r requirements.txt -r requirements-dev.txt'],
        '.venv/bin/python -m pytest',
      ],
      [
        'to be installed by pip',
        {
          'pyproject.toml': '[build-system]\n[project]\nname="a"\n[project.optional-dependencies]\ntest=["pytest"]\n',
          'src/a/__init__.py': '',
        },
        ['python3 -m venv .venv', '.venv/bin/python -m pip install -e .[test]'],
        '.venv/bin/python -m pytest',
      ],
      [
        'with groups of dependencies',
        { 'pyproject.toml': '[project]\nname="a"\n[dependency-groups]\ndev=["pytest"]\n' },
        [
          'python3 -m venv .venv',
          '.venv/bin/python -m pip install pip>=25.1',
          '.venv/bin/python -m pip install -e . --group dev',
        ],
        '.venv/bin/python -m pytest',
      ],
      ['that needs nothing', { 'test_a.py': UNITTEST }, [], 'python3 -m unittest'],
      [
        'that could be installed, but depends on nothing',
        { 'setup.py': "setup(name='a', py_modules=['a'])\n", 'a.py': '', 'tests/test_a.py': UNITTEST },
        [],
        'python3 -m unittest discover -s tests',
      ],
      [
        'in src that could be installed, but depends on nothing',
        {
          'pyproject.toml':
            '[build-system]\nrequires = ["setuptools>=61", "wheel"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname="a"\n',
          'src/a/__init__.py': '',
          'test_a.py': UNITTEST,
        },
        [],
        'env PYTHONPATH=src python3 -m unittest',
      ],
      ['with tests in a folder', { 'tests/test_a.py': UNITTEST }, [], 'python3 -m unittest discover -s tests'],
      ['with tests in a package', { 'tests/__init__.py': '', 'tests/test_a.py': UNITTEST }, [], 'python3 -m unittest'],
      [
        'with modules in src',
        { 'src/a.py': '', 'tests/test_a.py': UNITTEST },
        [],
        'env PYTHONPATH=src python3 -m unittest discover -s tests',
      ],
      ['with tests called otherwise', { 'a_test.py': UNITTEST }, [], 'python3 -m unittest discover -p *_test.py'],
      [
        'without tests',
        { 'requirements.txt': 'flask\n' },
        ['python3 -m venv .venv', '.venv/bin/python -m pip install -r requirements.txt'],
        undefined,
      ],
    ];

  test.each(cases)('%s', async (_name, files, setup, run) => {
    const found = await detect(files);
    expect(found.languages).toEqual(['python']);
    expect(words(found.setup)).toEqual(setup);
    expect(found.test?.join(' ')).toBe(run);
    expect(found.cache).toEqual(setup.length > 0 ? ['.venv'] : []);
    expect(found.notes).toEqual(run === undefined ? [expect.stringContaining('No Python tests were found')] : []);
  });

  test.each([
    ['dependencies', { 'setup.py': "setup(name='a', install_requires=['six'])\n" }],
    ['dependencies in setup.cfg', { 'setup.py': 'setup()\n', 'setup.cfg': '[options]\ninstall_requires =\n  six\n' }],
    ['dependencies in pyproject.toml', { 'pyproject.toml': '[project]\nname="a"\ndependencies=["six"]\n' }],
    ['dependencies a build finds', { 'pyproject.toml': '[project]\nname="a"\ndynamic=["version", "dependencies"]\n' }],
    ['a part to be compiled', { 'setup.py': "setup(name='a', ext_modules=[Extension('a._c', ['c.c'])])\n" }],
    ['a build tool of its own', { 'pyproject.toml': '[build-system]\nrequires=["setuptools-scm"]\n[project]\n' }],
    ['another build tool', { 'pyproject.toml': '[build-system]\nbuild-backend="maturin"\n[project]\n' }],
    ['a command', { 'pyproject.toml': '[project]\nname="a"\n[project.scripts]\na="a:main"\n' }],
    [
      'tests for the version that is installed',
      { 'setup.py': "setup(name='a')\n", 'a.py': 'import importlib.metadata\n' },
    ],
  ])('that has %s is installed for its tests', async (_, files) => {
    const found = await detect({ ...files, 'test_a.py': UNITTEST });
    expect(words(found.setup)).toEqual(['python3 -m venv .venv', '.venv/bin/python -m pip install -e .']);
    expect(found.test).toEqual(['.venv/bin/python', '-m', 'unittest']);
  });

  test('in a place nobody prepared is run by a virtual environment that happens to be there, else by the system', async () => {
    const [program = '', ...args] = (await detectTools(lookOf({ 'requirements.txt': 'pytest\n' }))).test ?? [];
    const dir = scratch();
    const said = () => spawnSync(program, args, { cwd: dir, encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } }).stdout;
    expect(said()).not.toContain('own');
    put(dir, { '.venv/bin/python3': '#!/bin/sh\necho own "$@"\n' });
    chmodSync(join(dir, '.venv/bin/python3'), 0o755);
    expect(said()).toBe('own -m pytest\n');
  });

  test('tests that look like those of pytest get it, and a note', async () => {
    const found = await detect({ 'requirements.txt': 'flask\n', 'test_a.py': 'def test_a():\n    assert True\n' });
    expect(words(found.setup).at(-1)).toBe('.venv/bin/python -m pip install -r requirements.txt pytest');
    expect(found.notes).toEqual([expect.stringContaining('which nothing declares')]);
  });

  test.each([
    ['tox', { 'tox.ini': '[testenv]\ndeps = pytest\n' }],
    ['an extra of setup.py', { 'setup.py': "setup(name='a', extras_require={'test': ['pytest']})\n" }],
    ['its settings', { 'pyproject.toml': '[project]\nname="a"\n[tool.pytest.ini_options]\n' }],
    ['a conftest.py', { 'conftest.py': '' }],
  ])('pytest that only %s declares is installed beside the package', async (_, files) => {
    const found = await detect({ 'setup.py': "setup(name='a')\n", ...files, 'test_a.py': UNITTEST });
    expect(words(found.setup).at(-1)).toBe('.venv/bin/python -m pip install -e . pytest');
    expect(found).toMatchObject({ test: ['.venv/bin/python', '-m', 'pytest'], notes: [] });
  });

  test('pytest of a project that wants nothing installed is the one of the system', async () => {
    const found = await detect({ 'pyproject.toml': '[tool.pytest.ini_options]\n', 'test_a.py': UNITTEST });
    expect(found).toMatchObject({ setup: [], test: ['python3', '-m', 'pytest'] });
  });

  test('a word in a comment declares nothing', async () => {
    const found = await detect({ 'requirements.txt': '# not pytest\nflask\n', 'test_a.py': UNITTEST });
    expect(found.test).toEqual(['.venv/bin/python', '-m', 'unittest']);
  });

  test('files somewhere below do not make it a Python project', async () => {
    expect((await detect({ 'tools/deep/test_a.py': UNITTEST })).languages).toEqual([]);
  });
});

test.each([
  ['go', { 'go.mod': 'module a\n', 'go.sum': '' }, ['go mod download'], 'go test ./...'],
  [
    'go with its packages in vendor',
    { 'go.mod': 'module a\n', 'go.sum': '', 'vendor/modules.txt': '' },
    [],
    'go test ./...',
  ],
  ['cargo', { 'Cargo.toml': '[package]\nname="a"\n', 'Cargo.lock': '' }, ['cargo fetch --locked'], 'cargo test'],
  ['maven', { 'pom.xml': '' }, ['mvn -q -B dependency:go-offline'], 'mvn -B test'],
  ['the wrapper of maven', { 'pom.xml': '', mvnw: '' }, ['./mvnw -q -B dependency:go-offline'], './mvnw -B test'],
  [
    'gradle',
    { 'build.gradle.kts': '', gradlew: '' },
    ['./gradlew --no-daemon --console=plain testClasses'],
    './gradlew --no-daemon --console=plain test',
  ],
  ['make', { Makefile: 'all:\n\tcc a.c\ntest: all\n\t./a.out\n' }, [], 'make test'],
  ['make check', { Makefile: 'CHECK := 1\ntest := no\nlint check:\n\ttrue\n' }, [], 'make check'],
  [
    'composer',
    { 'composer.json': '{"scripts":{"test":"phpunit"}}' },
    ['composer install --no-interaction'],
    'composer run-script test',
  ],
  ['bundler', { Gemfile: '', 'spec/a_spec.rb': '' }, ['bundle install'], 'bundle exec rspec'],
  ['dotnet', { 'App.sln': '', 'App/App.csproj': '' }, ['dotnet restore App.sln'], 'dotnet test App.sln'],
] as const)('%s is recognised', async (_name, files, setup, run) => {
  const found = await detect(files as unknown as Files);
  expect(words(found.setup)).toEqual(setup);
  expect(found.test?.join(' ')).toBe(run);
  expect(found.notes).toEqual([]);
});

test('a wrapper in a place nobody prepared is an argument, so that the one of the tree is run', async () => {
  expect((await detectTools(lookOf({ 'pom.xml': '', mvnw: '' }))).test).toEqual(['sh', 'mvnw', '-B', 'test']);
});

describe('several packages', () => {
  const both = {
    'web/package.json': TESTED,
    'web/package-lock.json': '{}',
    'api/go.mod': 'module a\n',
    'api/go.sum': '',
  };

  test('in folders are all set up; which tests to run is for a human, who is told', async () => {
    const found = await detect(both);
    expect(found.languages).toEqual(['go', 'javascript']);
    expect(words(found.setup)).toEqual(['go mod download -C api', 'npm ci --prefix web']);
    expect(found.cache).toEqual(['web/node_modules']);
    expect(found.test).toBeUndefined();
    expect(found.notes).toEqual([
      'Several packages have tests (api (go): [go, test, -C, api, ./...]; web (npm): [npm, test, --prefix, web]); give each its own tests_pass gate with its command.',
    ]);
  });

  test('with one Makefile above them are tested by it', async () => {
    const found = await detect({ ...both, Makefile: 'test:\n\ttrue\n' });
    expect(found).toMatchObject({ test: ['make', 'test'], notes: [] });
  });

  test.each([
    [{ 'pnpm-lock.yaml': '' }, 'pnpm --dir=web test'],
    [{ 'yarn.lock': '' }, 'yarn --cwd=web test'],
    [{ 'bun.lock': '' }, 'bun run --cwd=web test'],
  ])('are tested where they lie: %j', async (lock, run) => {
    const files = { 'package.json': TESTED, ...lock };
    const below = Object.fromEntries(Object.entries(files).map(([path, text]) => [`web/${path}`, text]));
    expect((await detect(below)).test?.join(' ')).toBe(run);
  });

  test('of which one has tests are tested by them', async () => {
    const found = await detect({ 'web/package.json': '{}', 'api/requirements.txt': 'pytest\n', 'api/src/a.py': '' });
    expect(found.test).toEqual(['env', '-C', 'api', 'PYTHONPATH=src', '.venv/bin/python', '-m', 'pytest']);
    expect(found.notes).toEqual([]);
  });

  test('beside that of the project are named and left to its owner', async () => {
    const found = await detect({ 'package.json': '{"scripts":{"test":"node --test"}}', 'site/package.json': TESTED });
    expect(found).toMatchObject({ setup: [], test: ['npm', 'test'] });
    expect(found.notes).toEqual([
      expect.stringMatching(/^site \(npm\) is a package of its own .*tests \[npm, test, --prefix, site\]/),
    ]);
  });

  test('in one folder: the first one is tested, and a note says which there are', async () => {
    const found = await detect({ 'package.json': TESTED, 'go.mod': 'module a\n' });
    expect(found.test).toEqual(['npm', 'test']);
    expect(found.notes).toContainEqual(expect.stringContaining('the project (go): [go, test, ./...]'));
  });

  test.each([
    'node_modules/a',
    'vendor/a',
    'examples/a',
    'test/fixtures/a',
    '.cache/a',
    'a/b/c/d',
  ])('in %s are none of the project', async (dir) => {
    const found = await detect({ [`${dir}/package.json`]: TESTED });
    expect(found.languages).toEqual([]);
  });

  test('in folders that could pass for options, or in too many, are only counted', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}/go.mod`, 'module a\n']));
    const found = await detect({ ...many, '--help/go.mod': 'module a\n', 'a\nb/go.mod': 'module a\n' });
    expect(found.notes).toContain('10 more folders with packages were not looked at; add what they need by hand.');
    expect(JSON.stringify(found)).not.toContain('--help');
  });
});

test('nothing recognised says what to write', async () => {
  const found = await detect({ 'README.md': '' });
  expect(found).toEqual({ languages: [], setup: [], cache: [], notes: [expect.stringContaining('command: [program')] });
});
