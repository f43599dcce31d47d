import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../src/adapters/disk/find-program.ts';
import { makePlace, type Place } from '../src/cli/helix.fixture.ts';
import { type GateEntry, PhasesFile } from '../src/domain/plan/phases-file.ts';
import { parseYaml } from '../src/text/yaml/yaml.ts';
import { put, scratch } from './scratch.ts';

const REPOSITORIES = join(import.meta.dirname, 'repositories');
const PROGRAMS = ['npm', 'pnpm', 'uv', 'poetry', 'go', 'cargo', 'mvn', 'make', 'python3'];

/** What init makes, in its order. */
const MADE = ['phases.yaml', 'helix.yaml', '.gitignore'];

type Expected = {
  readonly languages: string;
  readonly setup: readonly (readonly string[])[];
  readonly cache: readonly string[];
  /** Without one, what has to be filled in is said in a note. */
  readonly tests: readonly string[] | RegExp;
};

const EXPECTED: Readonly<Record<string, Expected>> = {
  npm: { languages: 'javascript', setup: [['npm', 'ci']], cache: ['node_modules'], tests: ['npm', 'test'] },
  pnpm: {
    languages: 'javascript',
    setup: [['pnpm', 'install', '--frozen-lockfile']],
    cache: ['node_modules'],
    tests: ['pnpm', 'test'],
  },
  uv: {
    languages: 'python',
    setup: [['uv', 'sync', '--frozen']],
    cache: ['.venv'],
    tests: ['uv', 'run', '--frozen', 'python', '-m', 'pytest'],
  },
  poetry: {
    languages: 'python',
    setup: [
      ['python3', '-m', 'venv', '.venv'],
      ['poetry', 'install', '--no-interaction'],
    ],
    cache: ['.venv'],
    tests: ['poetry', 'run', 'python', '-m', 'pytest'],
  },
  go: { languages: 'go', setup: [['go', 'mod', 'download']], cache: [], tests: ['go', 'test', './...'] },
  cargo: { languages: 'rust', setup: [['cargo', 'fetch', '--locked']], cache: [], tests: ['cargo', 'test'] },
  maven: {
    languages: 'java',
    setup: [['mvn', '-q', '-B', 'dependency:go-offline']],
    cache: [],
    tests: ['mvn', '-B', 'test'],
  },
  make: { languages: 'c', setup: [], cache: [], tests: ['make', 'test'] },
  monorepo: {
    languages: 'python, javascript',
    setup: [
      ['python3', '-m', 'venv', 'backend/.venv'],
      ['backend/.venv/bin/python', '-m', 'pip', 'install', '-r', 'backend/requirements.txt'],
      ['npm', 'ci', '--prefix', 'frontend'],
    ],
    cache: ['backend/.venv', 'frontend/node_modules'],
    tests:
      /backend \(pip\): \[env, -C, backend, .venv\/bin\/python, -m, pytest\]; frontend \(npm\): \[npm, test, --prefix, frontend\]\); give each its own tests_pass gate/,
  },
  none: {
    languages: 'no language it knows',
    setup: [],
    cache: [],
    tests: /write it as workspace: \{ mode: repo, setup: .*give tests_pass gates a command/,
  },
};

/** A copy of one of the repositories, as its owner would have it. */
function cloned(name: string): Place {
  const place = makePlace();
  cpSync(join(REPOSITORIES, name), place.dir, { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: place.dir });
  return place;
}

/** A PATH with these programs, which do nothing, before what the machine has. */
function withPrograms(names: readonly string[]): Record<string, string> {
  const dir = put(scratch(), Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])));
  for (const name of names) chmodSync(join(dir, name), 0o755);
  return { PATH: `${dir}:${process.env.PATH}` };
}

test('every repository has its expectations', () => {
  expect(readdirSync(REPOSITORIES).sort()).toEqual(Object.keys(EXPECTED).sort());
});

test.each(Object.entries(EXPECTED))('init tells set-up and tests of %s, or what to fill in', async (name, expected) => {
  const { languages, setup, cache, tests } = expected;
  const place = cloned(name);
  const env = withPrograms(PROGRAMS);
  const { code, out, err } = await place.helix(['init'], { env });
  expect({ code, out }).toEqual({ code: 0, out: MADE.map((path) => `made     ${path}\n`).join('') });

  const plan = PhasesFile.parse(parseYaml(place.read('phases.yaml'), 'phases.yaml').value);
  const long = { mode: 'repo', ...(setup.length > 0 && { setup }), ...(cache.length > 0 && { cache }) };
  expect(plan.workspace).toEqual(setup.length + cache.length > 0 ? long : 'repo');
  const gates = plan.phases.flatMap(({ quality_gate: gate = {} }): GateEntry[] =>
    Array.isArray(gate) ? gate : [gate],
  );
  const commands = gates.filter(({ type }) => type === 'tests_pass').map(({ command }) => command);
  expect(commands).toEqual(Array.isArray(tests) ? [tests, tests] : []);

  expect(err).toContain(`found    ${languages}\n`);
  for (const argv of setup) {
    expect(err).toContain(`set-up   ${argv.join(' ')}\n`);
    expect(err).toContain(`not yet  set-up command: ${JSON.stringify(argv)}\n`);
  }
  if (tests instanceof RegExp) {
    expect(err).toContain('tests    none\n');
    expect(err).toMatch(new RegExp(`^note {5}.*${tests.source}`, 'm'));
    expect(place.read('phases.yaml')).toContain('# - type: "tests_pass"\n');
  } else {
    expect(err).toContain(`tests    ${tests.join(' ')}\n`);
    expect(err).toContain(`trusted  gate command of 02-developer: ${JSON.stringify(tests)}\n`);
    expect(err).not.toContain('note ');
  }
  expect(err.includes('  helix trust   ')).toBe(setup.length > 0);
  expect(await place.helix(['plan'], { env })).toMatchObject({ code: 0, err: '' });
});

test('with --trust the set-up that init finds is trusted, too', async () => {
  const place = cloned('npm');
  const { code, err } = await place.helix(['init', '--trust'], { env: withPrograms(PROGRAMS) });
  expect(code).toBe(0);
  expect(err).toContain('trusted  set-up command: ["npm","ci"]\n');
  expect(err).not.toMatch(/not yet|helix trust/);
});

test('what git ignores is no part of the repository, so it tells nothing', async () => {
  const place = cloned('npm');
  place.write('.gitignore', 'package-lock.json\nignored/\n');
  put(place.dir, { 'ignored/go.mod': 'module a\n' });
  const { err } = await place.helix(['init']);
  expect(err).not.toContain('npm ci');
  expect(err).not.toContain('go');
  expect(err).toContain('tests    npm test\n');
});

test('a program that is not installed is said, and stops nothing but the run', async () => {
  const place = cloned('pnpm');
  const bare = scratch();
  for (const program of ['git', 'readlink']) {
    symlinkSync((await findProgram(program, process.env.PATH)) ?? program, join(bare, program));
  }
  const env = { PATH: bare };
  const { code, err } = await place.helix(['init'], { env });
  expect(code).toBe(0);
  expect(err).toContain('note     pnpm was not found on this machine; install it before helix run.\n');
  expect(err).toContain('not yet  set-up command: ["pnpm","install","--frozen-lockfile"]\n');
  expect((await place.helix(['trust'], { env: withPrograms(['pnpm']) })).out).toContain(
    '+ set-up command: ["pnpm","install","--frozen-lockfile"]',
  );
  expect(await place.helix(['plan'], { env })).toMatchObject({
    code: 2,
    out: expect.stringContaining('"pnpm" was not found'),
  });
});

test('hostile names are neither run nor able to change what the terminal shows', async () => {
  const place = cloned('none');
  put(place.dir, {
    'a\u001b[2Jb/package.json': '{}',
    '--help/go.mod': 'module a\n',
    'x\ny/Cargo.toml': '',
    'package.json': '\u001b]0;title\u0007',
  });
  const { code, out, err } = await place.helix(['init']);
  expect(code).toBe(0);
  expect(out + err).not.toContain('\u001b');
  expect(err).toContain('note     package.json cannot be read as JSON');
  expect(err).toContain('note     3 more folders with packages were not looked at');
});

test('where phases/ exists, each phase works in its directory, in git or not', async () => {
  const place = cloned('npm');
  mkdirSync(join(place.dir, 'phases'));
  const { code, err } = await place.helix(['init']);
  expect(code).toBe(0);
  expect(err).not.toContain('set-up');
  expect(place.read('phases.yaml')).toMatch(/^workspace: phase-dirs$/m);
});

test('the commands init shows next work as they stand there', async () => {
  const place = cloned('none');
  const { err } = await place.helix(['init']);
  const git = /^ {2}(git add .*)$/m.exec(err)?.[1] ?? 'false';
  const user = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const line = git.replaceAll('git ', `git ${user.join(' ')} `);
  execFileSync('/bin/sh', ['-c', line], { cwd: place.dir });
  const committed = execFileSync('git', ['ls-files'], { cwd: place.dir, encoding: 'utf8' });
  expect(committed).toBe(`${MADE.toSorted().join('\n')}\n`);
});

test('new makes a project for worktrees inside a repository, even a repository below this directory', async () => {
  const place = makePlace();
  execFileSync('git', ['init', '--quiet', 'inner'], { cwd: place.dir });
  expect((await place.helix(['new', 'inner/deep/demo'])).code).toBe(0);
  expect(place.read('inner/deep/demo/phases.yaml')).toMatch(/^workspace:\n {2}mode: repo\n {2}root: [.]$/m);
  expect(await place.helix(['plan', 'inner/deep/demo'])).toMatchObject({ code: 0, err: '' });
  expect((await place.helix(['new', 'outer'])).code).toBe(0);
  expect(place.read('outer/phases.yaml')).toMatch(/^workspace: phase-dirs$/m);
});
