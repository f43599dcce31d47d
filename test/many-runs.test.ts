import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mountsBelow, processesFor } from './left-behind.ts';
import { repetitions } from './repetitions.ts';
import { Repository } from './repository.ts';
import { put, scratch } from './scratch.ts';

const RUNS = repetitions(10, 100);
const INSTALL = 'mkdir -p deps/deep && cd deps && seq 600 | xargs touch && echo x > deep/lib';
const TESTS = 'test -e deps/deep/lib && ! test -e deps/mine && echo theirs > deps/mine && echo "ok 1 - it"';

/** A repository with something to install, in which tests leave something behind in what was installed. */
function withDeps(sandbox: string): Repository {
  const gate = { type: 'tests_pass', command: ['sh', '-c', TESTS] };
  const repository = new Repository({
    root: scratch(),
    files: { '.gitignore': 'deps\n' },
    plan: { workspace: { mode: 'repo', setup: [['sh', '-c', INSTALL]], cache: ['deps'] } },
    phases: [{ id: 'work', type: 'development', output: ['made.txt'], quality_gate: gate }],
    settings: { sandbox, agents: { default: { driver: 'scripted' } }, allow_simulated: true },
  });
  put(repository.root, {
    'script.yaml': JSON.stringify({ phases: { change: [{ writes: { 'made.txt': 'made\n' } }] } }),
  });
  return repository;
}

/** What is there of runs beside their branches and their records. */
function leftBehind(repository: Repository) {
  const refs = repository.git('for-each-ref', '--format=%(refname)').split('\n');
  return {
    refs: refs.filter((name) => !/^refs\/heads\/(main|try-\d+)$/.test(name)),
    branches: refs.filter((name) => /\/try-\d+$/.test(name)).length,
    git: repository.git('worktree', 'list').split('\n').slice(1),
    gitFiles: readdirSync(repository.path('.git')).filter((name) => /worktrees|lock$/.test(name)),
    worktrees: repository.worktrees(),
    ...indexesOf(repository),
    mounts: mountsBelow(repository.root),
    processes: processesFor(repository.root),
  };
}

function indexesOf(repository: Repository) {
  const listed = (folder: string) => {
    const path = repository.path('.helix/repo', folder);
    return existsSync(path) ? readdirSync(path) : [];
  };
  return { indexes: listed('indexes'), guards: listed('guards') };
}

it.each([
  'auto',
  'basic',
])('many runs in one repository leave nothing behind but their branches, sandbox: %s', async (sandbox) => {
  const repository = withDeps(sandbox);
  const before = repository.digest();
  const task = (n: number) =>
    repository.helix([
      ...['do', `make it, the ${n}th time`, '--trust', '--branch', `try-${n}`],
      ...['--agent', 'scripted', '--script', repository.beside('script.yaml')],
    ]);
  for (let n = 0; n < RUNS; n += 2) {
    for (const { code, stderr } of await Promise.all([task(n), task(n + 1)]))
      expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' });
  }
  const nothing = {
    refs: [],
    git: [],
    gitFiles: [],
    worktrees: [],
    indexes: [],
    guards: [],
    mounts: [],
    processes: [],
  };
  expect(leftBehind(repository)).toEqual({ ...nothing, branches: RUNS });
  for (let n = 0; n < RUNS; n += 1) repository.git('branch', '-q', '-D', `try-${n}`);
  expect(repository.digest()).toEqual(before);
});
