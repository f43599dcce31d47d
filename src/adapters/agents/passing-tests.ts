import { posix } from 'node:path';
import type { Phase } from '../../domain/plan/plan.ts';

/** The text of a file in the directory of the attempt, undefined when there is none. */
export type ReadHere = (path: string) => string | undefined;

/** One way to run tests: by which programs, by which files a project that has them is known, and the smallest such project. */
type Way = {
  readonly programs: RegExp;
  readonly known: readonly string[];
  readonly files: Readonly<Record<string, string>>;
};

const NODE: Way = {
  programs: /^(?:node|npm|npx|pnpm|yarn|bun)$/,
  known: ['package.json'],
  files: {
    'package.json': `${JSON.stringify({ name: 'simulated', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
    'simulated.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\n\ntest('simulated', () => assert.equal(1 + 1, 2));\n",
  },
};

const WAYS: readonly Way[] = [
  NODE,
  {
    programs: /^(?:python[\d.]*|pytest)$/,
    known: ['pyproject.toml', 'requirements.txt', 'setup.py', 'setup.cfg', 'tests/__init__.py', 'test_simulated.py'],
    files: {
      'test_simulated.py':
        'import unittest\n\n\nclass Simulated(unittest.TestCase):\n    def test_simulated(self):\n        self.assertEqual(1 + 1, 2)\n',
    },
  },
  {
    programs: /^go$/,
    known: ['go.mod', 'go.work'],
    files: {
      'go.mod': 'module simulated\n\ngo 1.21\n',
      'simulated_test.go': 'package simulated\n\nimport "testing"\n\nfunc TestSimulated(t *testing.T) {}\n',
    },
  },
  {
    programs: /^cargo$/,
    known: ['Cargo.toml'],
    files: {
      'Cargo.toml': '[package]\nname = "simulated"\nversion = "0.0.0"\nedition = "2021"\n',
      'src/lib.rs': '#[cfg(test)]\nmod tests {\n    #[test]\n    fn simulated() {}\n}\n',
    },
  },
  {
    programs: /^make$/,
    known: ['GNUmakefile', 'makefile', 'Makefile'],
    files: { Makefile: '.PHONY: test check\ntest check:\n\t@true\n' },
  },
];

/** Projects whose tests can be told but not made up. */
const OTHERS = ['pom.xml', 'build.gradle', 'build.gradle.kts', 'composer.json', 'Gemfile'];
const KNOWN = [...WAYS.flatMap(({ known }) => known), ...OTHERS];

/** The files that let the gates on tests pass, in a directory that has no tests of its own. */
export function passingTests({ gates }: Phase, read: ReadHere): Record<string, string> {
  const ways = gates
    .filter(({ type }) => type === 'tests_pass')
    .map(({ settings }) => wayOf(settings.command, read))
    .filter((way) => way !== undefined);
  return Object.assign({}, ...ways.map(({ files }) => files));
}

function wayOf(command: unknown, read: ReadHere): Way | undefined {
  const isThere = (path: string): boolean => read(path) !== undefined;
  if (command === undefined) return KNOWN.some(isThere) ? undefined : NODE;
  const first: unknown = Array.isArray(command) ? command[0] : String(command).trim().split(/\s+/)[0];
  const way = WAYS.find(({ programs }) => programs.test(posix.basename(String(first))));
  return way?.known.some(isThere) ? undefined : way;
}
