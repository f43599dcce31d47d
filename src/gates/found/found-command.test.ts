import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import { rewritingCommand } from './found-command.ts';

type Files = Readonly<Record<string, string>>;

/** A tree of texts; one that begins with `->` is a link. */
function tree(all: Files): Tree {
  const isLink = (path: string) => all[path]?.startsWith('->') === true;
  const target = (path: string) => (all[path] ?? '').slice(2);
  const paths = Object.keys(all);
  return {
    id: JSON.stringify(all),
    files: paths.map((path) => ({
      path,
      digest: Buffer.from(all[path] ?? '')
        .toString('hex')
        .slice(-20),
      size: 1,
      executable: false,
    })),
    links: paths.filter(isLink).map((path) => ({ path })),
    target: async (path) => target(path),
    problems: [],
    read: async (path) => {
      const text = all[isLink(path) ? target(path) : path];
      return text === undefined ? undefined : Buffer.from(text);
    },
  };
}

type Change = Readonly<Record<string, string | undefined>>;

async function rewriting(before: Files, change: Change, type = 'tests_pass', command?: string | readonly string[]) {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...change }).filter((each) => each[1] !== undefined),
  ) as Files;
  const gates = [{ type, settings: { command }, onFailure: 'retry' as const, maxRetries: 3 }];
  return rewritingCommand(Object.keys(change), { base: tree(before), tree: tree(after), gates });
}

const scripts = (written: Readonly<Record<string, string>>, more: object = {}) =>
  JSON.stringify({ ...more, scripts: written });
const TEST = 'import unittest\n';

it.each<[name: string, before: Files, change: Readonly<Record<string, string | undefined>>, files: string[]]>([
  [
    'a script whose name is in quotes',
    { 'package.json': scripts({ test: 'npm run "unit"', unit: 'node --test' }) },
    { 'package.json': scripts({ test: 'npm run "unit"', unit: 'true' }) },
    ['package.json'],
  ],
  [
    'a script of another package',
    { 'package.json': scripts({ test: 'npm test --prefix app' }), 'app/package.json': scripts({ test: 'jest' }) },
    { 'app/package.json': scripts({ test: 'true' }) },
    ['app/package.json'],
  ],
  [
    'a script of a package that is gone into',
    { 'package.json': scripts({ test: 'cd app && npm test' }), 'app/package.json': scripts({ test: 'jest' }) },
    { 'app/package.json': scripts({ test: 'true' }) },
    ['app/package.json'],
  ],
  [
    'a script of a member of a workspace',
    { 'package.json': scripts({}, { workspaces: ['app'] }), 'app/package.json': scripts({ test: 'jest' }) },
    { 'app/package.json': scripts({ test: 'true' }) },
    ['app/package.json'],
  ],
  [
    'a task',
    { 'package.json': scripts({ test: 'turbo run test' }), 'turbo.json': '{"tasks":{}}' },
    { 'turbo.json': '{"tasks":{"test":{"cache":true}}}' },
    ['turbo.json'],
  ],
  [
    'a file of any name that is included',
    { Makefile: 'include settings.inc\ntest:\n\t$(P)\n', 'settings.inc': 'P = pytest\n' },
    { 'settings.inc': 'P = true\n' },
    ['settings.inc'],
  ],
  [
    'a file that an included one includes',
    { Makefile: 'include a.mk\ntest:\n\t$(P)\n', 'a.mk': 'include b.mk\n', 'b.mk': 'P = pytest\n' },
    { 'b.mk': 'P = true\n' },
    ['b.mk'],
  ],
  [
    'a rule that makes the Makefile anew',
    { Makefile: 'test:\n\tpytest\n' },
    { Makefile: 'test:\n\tpytest\nMakefile: FORCE\n\techo > $@\nFORCE:\n' },
    ['Makefile'],
  ],
  [
    'a second rule beyond what is read',
    { Makefile: 'test:\n\tpytest\n' },
    { Makefile: `test:\n\tpytest\n${'# \n'.repeat(100_000)}test:\n\ttrue\n` },
    ['Makefile'],
  ],
  ['a second rule', { Makefile: 'test:\n\tpytest\n' }, { Makefile: 'test:\n\tpytest\ntest: X = 1\n' }, ['Makefile']],
  [
    'the recipe of what is needed',
    { Makefile: 'test: unit\nunit:\n\tpytest\n' },
    { Makefile: 'test: unit\nunit:\n\ttrue\n' },
    ['Makefile'],
  ],
  ['a variable', { Makefile: 'P = pytest\ntest:\n\t$(P)\n' }, { Makefile: 'P = true\ntest:\n\t$(P)\n' }, ['Makefile']],
  [
    'an included file',
    { Makefile: 'include a.mk\ntest:\n\t$(P)\n', 'a.mk': 'P = pytest\n' },
    { 'a.mk': 'P = true\n' },
    ['a.mk'],
  ],
  [
    'an included file by a pattern',
    { Makefile: 'include *.mk\ntest:\n\t$(P)\n', 'a.mk': 'P = pytest\n' },
    { 'a.mk': 'P = true\n' },
    ['a.mk'],
  ],
  [
    'a Makefile that another one calls',
    { Makefile: 'test:\n\t$(MAKE) -C app test\n', 'app/Makefile': 'test:\n\tpytest\n' },
    { 'app/Makefile': 'test:\n\ttrue\n' },
    ['app/Makefile'],
  ],
  [
    'the rule a script runs',
    { 'package.json': scripts({ test: 'make unit' }), Makefile: 'unit:\n\tjest\n' },
    { Makefile: 'unit:\n\ttrue\n' },
    ['Makefile'],
  ],
  [
    'the script a rule runs',
    { 'package.json': scripts({ unit: 'jest' }), Makefile: 'test:\n\tnpm run unit\n' },
    { 'package.json': scripts({ unit: 'true' }) },
    ['package.json'],
  ],
  [
    'a Makefile before the other',
    { Makefile: 'test:\n\tpytest\n' },
    { GNUmakefile: 'test:\n\ttrue\n' },
    ['GNUmakefile'],
  ],
  ['a wrapper that is new', { 'pom.xml': '<a/>' }, { mvnw: 'exit 0' }, ['mvnw']],
  ['a wrapper', { 'build.gradle': '', gradlew: 'a' }, { gradlew: 'b' }, ['gradlew']],
  [
    'where a wrapper gets its program',
    { 'pom.xml': '', mvnw: 'a', '.mvn/wrapper/maven-wrapper.properties': 'a' },
    { '.mvn/wrapper/maven-wrapper.properties': 'b' },
    ['.mvn/wrapper/maven-wrapper.properties'],
  ],
  [
    'a script of Composer',
    { 'composer.json': scripts({ test: 'phpunit' }) },
    { 'composer.json': scripts({ test: 'true' }) },
    ['composer.json'],
  ],
  [
    'what a manifest is a link to',
    { 'package.json': '->meta/own.json', 'meta/own.json': scripts({ test: 'jest' }) },
    { 'meta/own.json': scripts({ test: 'true' }) },
    ['meta/own.json'],
  ],
])('%s makes it another command', async (_name, before, change, files) => {
  expect((await rewriting(before, change))?.files).toEqual(files);
});

it.each<[name: string, before: Files, change: Readonly<Record<string, string | undefined>>]>([
  [
    'a requirement together with a first module in src',
    { 'requirements.txt': 'a\n', 'tests/test_a.py': TEST },
    { 'requirements.txt': 'a\nb\n', 'src/a.py': 'x = 1\n' },
  ],
  [
    'another script and a dependency',
    { 'package.json': scripts({ test: 'jest', lint: 'a' }) },
    { 'package.json': scripts({ test: 'jest', lint: 'b' }, { dependencies: { a: '1' } }) },
  ],
  [
    'a script of another package that is not run',
    { 'package.json': scripts({ test: 'jest' }), 'app/package.json': scripts({ test: 'jest' }) },
    { 'app/package.json': scripts({ test: 'true' }) },
  ],
  [
    'another target of a Makefile',
    { Makefile: '.PHONY: test\ntest: unit\n\tpytest\nunit:\n\tjest\n' },
    { Makefile: '.PHONY: test lint\n# new\nlint:\n\tbiome\ntest: unit\n\tpytest\nunit:\n\tjest\n' },
  ],
  ['a manifest where nothing was found before', {}, { 'package.json': scripts({ test: 'jest' }) }],
  ['nothing but code', { 'package.json': scripts({ test: 'jest' }) }, { 'src/a.js': 'b' }],
])('%s does not make it another command', async (_name, before, change) => {
  expect(await rewriting(before, change)).toBeUndefined();
});

it('of several changed manifests those are named that make the difference, with both commands', async () => {
  const before = { 'package.json': scripts({ test: 'jest' }), Makefile: 'all:\n\ttrue\n' };
  const change = { 'package.json': scripts({ test: 'true' }), Makefile: 'all:\n\tfalse\n' };
  expect(await rewriting(before, change)).toEqual({
    files: ['package.json'],
    before: '[npm, test], which runs ["test: jest"]',
    after: '[npm, test], which runs ["test: true"]',
  });
});

const LINT = { 'package.json': scripts({ lint: 'eslint .', build: 'tsc' }), Makefile: 'lint:\n\teslint .\n' };

it.each<[command: string | readonly string[], change: Change, files: string[]]>([
  [['npm', 'run', 'lint'], { 'package.json': scripts({ lint: 'true', build: 'tsc' }) }, ['package.json']],
  ['npm run lint', { 'package.json': scripts({ lint: 'true', build: 'tsc' }) }, ['package.json']],
  [['sh', '-c', 'npm run lint'], { 'package.json': scripts({ lint: 'true' }) }, ['package.json']],
  [['make', 'lint'], { Makefile: 'lint:\n\ttrue\n' }, ['Makefile']],
  [['make', 'lint'], { GNUmakefile: 'lint:\n\ttrue\n' }, ['GNUmakefile']],
  ['cd app; npm run lint', { 'app/package.json': scripts({ lint: 'true' }) }, ['app/package.json']],
])('what a gate runs by %j is rewritten by %j', async (command, change, files) => {
  expect((await rewriting(LINT, change, 'custom', command))?.files).toEqual(files);
});

it.each<[command: string | readonly string[], change: Change]>([
  [['npm', 'run', 'lint'], { 'package.json': scripts({ lint: 'eslint .', build: 'tsc -b' }) }],
  [['npm', 'run', 'later'], { 'package.json': scripts({ lint: 'eslint .', later: 'true' }) }],
  [['grep', 'lint', 'package.json'], { 'package.json': scripts({ lint: 'true' }) }],
  [['make', 'lint'], { 'src/a.js': '1' }],
])('what a gate runs by %j is not rewritten by %j', async (command, change) => {
  expect(await rewriting(LINT, change, 'custom', command)).toBeUndefined();
});
