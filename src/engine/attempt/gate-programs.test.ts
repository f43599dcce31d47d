import { expect, it } from 'vitest';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Tree } from '../../ports/tree.ts';
import { gatePrograms } from './gate-programs.ts';

const FILES = [
  'check.py',
  'tools/check.sh',
  'test/a.test.js',
  'runner.py',
  'src/a.js',
  'hidden/real.sh',
  'a/b.sh',
  'my tools/run.sh',
  'checks/__init__.py',
  'checks/lint/__main__.py',
  'checks/lint/run.sh',
];
const LINKS: Readonly<Record<string, string>> = { 'linked.sh': 'hidden/real.sh', scripts: 'a' };

const base: Tree = {
  id: 'base',
  files: FILES.map((path) => ({ path, digest: path, size: 1, executable: false })),
  links: Object.keys(LINKS).map((path) => ({ path })),
  target: async (path) => LINKS[path],
  problems: [],
  read: async () => undefined,
};

async function programs(type: string, command: string | readonly string[]): Promise<string[]> {
  const gate: Gate = { type, settings: { command }, onFailure: 'retry', maxRetries: 3 };
  return (await gatePrograms([gate], base)).sort();
}

it.each<[command: string | readonly string[], found: string[]]>(
  [
    [['python3', '-W', 'ignore', 'check.py'], ['check.py']],
    [['timeout', '60', './tools/check.sh'], ['tools/check.sh']],
    [['tool', '--config=check.py'], ['check.py']],
    [['sh', '-c', 'cd tools && "./check.sh" a'], ['tools/check.sh']],
    ['cd tools; ./check.sh > log', ['tools/check.sh']],
    [['env', '-C', 'tools', 'sh', 'check.sh'], ['tools/check.sh']],
    [
      ['sh', 'linked.sh'],
      ['hidden/real.sh', 'linked.sh'],
    ],
    [
      ['sh', 'scripts/b.sh'],
      ['a/b.sh', 'scripts/b.sh'],
    ],
    [['node_modules/.bin/eslint', 'src'], ['node_modules/.bin/eslint']],
    ['! sh check.py', ['check.py']],
    ['sh "$PWD/tools/check.sh"', ['tools/check.sh']],
    [`sh "\${PWD}/tools/check.sh"`, ['tools/check.sh']],
    ['sh "$(pwd)/tools/check.sh"', ['tools/check.sh']],
    ['sh "$(pwd)"/tools/check.sh', ['tools/check.sh']],
    ['sh `pwd`/tools/check.sh', ['tools/check.sh']],
    [`sh \${TOP:-.}/tools/check.sh`, ['tools/check.sh']],
    ['cd "$(git rev-parse --show-toplevel)/tools" && sh check.sh', ['tools/check.sh']],
    [['sh', '-c', 'eval$IFS$PWD/tools/check.sh'], ['tools/check.sh']],
    ['sh ./tools/che*.sh', ['tools/check.sh']],
    ['D=checks/lint; sh $D/run.sh', ['checks/lint/run.sh']],
    ['for f in ch*s; do sh $f/lint/run.sh; done', ['checks/lint/run.sh']],
    ['for f in checks/li*; do sh $f/run.sh; done', ['checks/lint/run.sh']],
    ['cd checks && cd lint && sh run.sh', ['checks/lint/run.sh']],
    [['python3', '-m', 'check'], ['check.py']],
    [['python3', '-Bm', 'check'], ['check.py']],
    [['python3', '-mcheck'], ['check.py']],
    ['python3 -m "check"', ['check.py']],
    [
      ['python3', '-Bm', 'checks.lint'],
      ['checks/__init__.py', 'checks/lint/__main__.py'],
    ],
    [['python3', '-B', 'checks/lint'], ['checks/lint/__main__.py']],
    ['python3 -W ignore ./checks/lint/', ['checks/lint/__main__.py']],
    [['python3', '-c', 'import check'], ['check.py']],
    [['node', 'src/a'], ['src/a.js']],
    [['sh', '-c', 'cat check.py | sh'], ['check.py']],
    [['sh', '-c', 'env A=1 sh < check.py'], ['check.py']],
    [['sh', '-c', 'test -n "`./tools/check.sh`"'], ['tools/check.sh']],
    [['sh', 'my tools/run.sh'], ['my tools/run.sh']],
    [['sh', 'later.sh'], ['later.sh']],
    [['npm', 'test'], []],
  ].map((each) => each as [string, string[]]),
)('%s: %s', async (command, found) => {
  expect((await programs('custom', command)).filter((path) => found.includes(path) || FILES.includes(path))).toEqual(
    found,
  );
});

it('what a command only looks at is work', async () => {
  expect(await programs('custom', ['grep', '-q', 'x', 'src/a.js'])).toEqual([]);
  expect(await programs('custom', ['sh', '-c', 'cmp check.py x && test -f src/a.js && sh tools/check.sh'])).toEqual([
    'tools/check.sh',
  ]);
});

it('tests that a command of tests names are work, what runs them is not', async () => {
  expect(await programs('tests_pass', ['node', '--test', 'test/a.test.js'])).toEqual([]);
  expect(await programs('tests_pass', ['python3', 'runner.py', 'test/a.test.js'])).toEqual(['runner.py']);
  expect(await programs('custom', ['node', 'test/a.test.js'])).toEqual(['test/a.test.js']);
});
