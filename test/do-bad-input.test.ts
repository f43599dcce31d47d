import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BRANCH, changing, FILES, FIX, plain, TASK, testOf } from './do-repository.ts';
import { startHelix } from './helix-process.ts';
import type { Repository } from './repository.ts';
import { eventually } from './robust-project.ts';
import { put } from './scratch.ts';

function planOf(gate: Record<string, unknown>): string {
  const phases = [{ id: 'x', type: 'development', quality_gate: [{ type: 'tests_pass', ...gate }] }];
  return JSON.stringify({ project: { name: 'x' }, workspace: { mode: 'repo' }, phases });
}

function start(repository: Repository, ...moves: readonly Record<string, unknown>[]) {
  return repository.helix(['do', TASK, '--no-judge', '--trust', ...changing(repository, ...moves)]);
}

it('tests that hang are stopped after the time their owner gives them, before anybody works', async () => {
  const repository = plain({ ...FILES, 'phases.yaml': planOf({ command: ['sleep', '600'], timeout: 1 }) });
  const before = repository.digest();
  const end = await start(repository, { writes: FIX });
  expect(end.code).not.toBe(0);
  expect(`${end.stdout}${end.stderr}`).toMatch(/sleep.*after 1 ?s|1 ?s.*sleep|longer than 1/s);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
});

it('tests that begin to hang with the change are no verdict: nothing is accepted, and it is asked how to go on', async () => {
  const hangs = { ...FIX, 'test/adds.test.js': 'setInterval(() => undefined, 1000);\n' };
  // Before, it is over at once on the busiest machine.
  const command = ['sh', '-c', '[ ! -e test/adds.test.js ] || exec node --test'];
  const repository = plain({ ...FILES, 'phases.yaml': planOf({ command, timeout: 1 }) });
  const end = await start(repository, { writes: hangs });
  expect(end.code).toBe(3);
  expect(end.stdout.replaceAll(/\s+/g, ' ')).toContain('it ran out of time');
  expect(repository.git('rev-list', '--count', `main..${BRANCH}`)).toBe('0');
});

it('tests that need a network fail before anybody works, and pass where their owner allows it', async () => {
  const server = createServer((_, answer) => answer.end('zebra'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const online = testOf('online', `await (await fetch('http://127.0.0.1:${port}')).text(), 'zebra'`).replace(
    '() =>',
    'async () =>',
  );
  const offline = plain({ ...FILES, 'test/online.test.js': online });
  const end = await start(offline, { writes: FIX });
  expect(end.code).toBe(0);
  expect(end.stderr).toMatch(/1 of 2 tests fails before anybody worked: .*online/);
  const plan = planOf({ command: ['node', '--test'], network: true });
  const allowed = plain({ ...FILES, 'test/online.test.js': online, 'phases.yaml': plan });
  expect((await start(allowed, { writes: FIX })).stdout).toMatch(/^tests +3 pass.*[(]before: 2 pass[)]$/m);
});

/** A repository whose test command waits for `go`, with a mark that it has begun. */
function waiting(): { repository: Repository; begun: () => boolean } {
  const repository = plain(false);
  const wait = `touch ${repository.beside('begun')}; while [ ! -e ${repository.beside('go')} ]; do sleep 0.02; done`;
  repository.write({
    'a.txt': 'a\n',
    'helix.yaml': 'sandbox: basic\n',
    'phases.yaml': planOf({ command: ['sh', '-c', wait] }),
  });
  repository.commit('first');
  return { repository, begun: () => existsSync(repository.beside('begun')) };
}

it.each([
  'SIGINT',
  'SIGKILL',
] as const)('%s before the first fact loses nothing and leaves nothing in the way', async (signal) => {
  const { repository, begun } = waiting();
  const before = repository.digest();
  const args = [
    'do',
    'Write a word',
    '--no-judge',
    '--trust',
    ...changing(repository, { writes: { 'a.txt': 'word\n' } }),
  ];
  const { child, end } = startHelix(args, { cwd: repository.top, env: repository.env() });
  await eventually(begun);
  child.kill(signal);
  const { code, stderr } = await end;
  if (signal === 'SIGINT') {
    expect(code).toBe(130);
    expect(stderr).toContain('nothing was started');
    expect(repository.git('branch', '--list', 'helix/*')).toBe('');
  }
  expect(repository.digest()).toEqual(before);
  put(repository.root, { go: '' });
  const again = await repository.helix(args);
  expect({ code: again.code, said: again.code === 0 ? '' : again.stderr }).toEqual({ code: 0, said: '' });
  expect({ work: repository.worktrees(), ...leftBy(repository) }).toEqual({ work: [], locks: [], indexes: [] });
});

it('a bug without tests is refused with the reason that holds here', async () => {
  const repository = plain();
  const end = await repository.helix(['do', TASK, '--type', 'bugfix', '--tests', 'none', ...changing(repository)]);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain('--tests none leaves the tests out');
  expect(end.stderr).not.toContain('there is no command for tests');
});

describe('a task that was killed before its run began', () => {
  const moves = { writes: { 'a.txt': 'word\n' } };
  async function killed(repository: Repository, begun: () => boolean, ...more: readonly string[]) {
    const args = ['do', 'Write a word', '--no-judge', '--trust', ...more, ...changing(repository, moves)];
    const { child, end } = startHelix(args, { cwd: repository.top, env: repository.env() });
    await eventually(begun);
    child.kill('SIGKILL');
    await end;
    rmSync(repository.beside('begun'));
    return args;
  }
  const branches = (repository: Repository) => repository.git('branch', '--format=%(refname:short)').split('\n');

  it('leaves no branch behind the next one, which has its name', async () => {
    const { repository, begun } = waiting();
    const args = await killed(repository, begun);
    put(repository.root, { go: '' });
    expect((await repository.helix(args)).code).toBe(0);
    expect(branches(repository)).toEqual(['helix/write-word', 'main']);
  });

  it.each([
    { more: [], branch: 'helix/write-word' },
    { more: ['--branch', 'word'], branch: 'word' },
  ])('leaves none behind helix gc either: $branch', async ({ more, branch }) => {
    const { repository, begun } = waiting();
    await killed(repository, begun, ...more);
    expect(branches(repository)).toHaveLength(2);
    const { stdout } = await repository.helix(['gc', '--dry-run']);
    expect(stdout).toMatch(new RegExp(`branch.*${branch}`));
    expect(branches(repository)).toHaveLength(2);
    expect((await repository.helix(['gc'])).code).toBe(0);
    expect(branches(repository)).toEqual(['main']);
  });

  it('keeps a branch that somebody has gone on with', async () => {
    const { repository, begun } = waiting();
    await killed(repository, begun);
    repository.git('switch', '-q', 'helix/write-word');
    await repository.helix(['gc']);
    expect(branches(repository)).toContain('helix/write-word');
  });

  it('has to be given again, and no older run is taken for it', async () => {
    const { repository, begun } = waiting();
    put(repository.root, { go: '' });
    const first = ['do', 'Write another word', '--no-judge', '--trust', ...changing(repository, moves)];
    expect((await repository.helix(first)).code).toBe(0);
    const over = await repository.resume();
    expect(over.code).toBe(0);
    expect(over.said).toMatch(/nothing to go on with: the last run, [\w-]+, ended passed/);
    rmSync(repository.beside('go'));
    rmSync(repository.beside('begun'));
    await killed(repository, begun);
    const none = await repository.resume();
    expect(none.code).toBe(2);
    expect(none.said).toContain('was killed before its run began');
    expect(none.said).toContain('helix do "Write a word"');
    expect(none.said).not.toContain('Done in');
  });
});

/** What of a HELIX that died is neither a worktree nor the user's. */
function leftBy(repository: Repository) {
  const cache = repository.beside('cache/helix');
  const projects = readdirSync(cache).map((project) => join(cache, project, 'locks'));
  const indexes = repository.path('.helix/repo/indexes');
  return { locks: projects.filter(existsSync).flatMap((dir) => readdirSync(dir)), indexes: readdirSync(indexes) };
}

it('a start clears up after the dead, and leaves alone what a living helix do works with', async () => {
  const { repository, begun } = waiting();
  const args = ['do', '--no-judge', '--trust', ...changing(repository, { writes: { 'a.txt': 'word\n' } })];
  const call = { cwd: repository.top, env: repository.env() };
  const dead = startHelix([...args, 'Write a first word'], call);
  await eventually(begun);
  const [left] = repository.worktrees();
  dead.child.kill('SIGKILL');
  await dead.end;
  rmSync(repository.beside('begun'));
  const living = startHelix([...args, 'Write a second word'], call);
  await eventually(begun);
  const [work, ...others] = repository.worktrees();
  expect({ others, same: work === left }).toEqual({ others: [], same: false });
  const third = startHelix([...args, 'Write a third word'], call);
  await eventually(() => repository.worktrees().length === 2);
  expect(repository.worktrees()).toContain(work);
  put(repository.root, { go: '' });
  expect([(await living.end).code, (await third.end).code]).toEqual([0, 0]);
  expect({ work: repository.worktrees(), ...leftBy(repository) }).toEqual({ work: [], locks: [], indexes: [] });
});

it('what is not committed is taken along with --include-dirty, and the index and the checkout stay as they are', async () => {
  const repository = plain();
  repository.write({ 'sum.js': 'export const sum = (a, b) => a - b; // ZEBRA-3\n', 'new.js': 'export const n = 1;\n' });
  repository.git('add', 'sum.js');
  const before = repository.digest();
  const moves = changing(repository, { writes: { 'test/adds.test.js': testOf('takes', 'sum(3, 2), 1') } });
  const end = await repository.helix(['do', TASK, '--no-judge', '--trust', '--include-dirty', ...moves]);
  expect({ code: end.code, said: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, said: '' });
  expect(repository.digest()).toEqual(before);
  expect(repository.git('show', `${BRANCH}:sum.js`)).toContain('ZEBRA-3');
  expect(repository.git('diff-tree', '-r', '--name-status', '--no-renames', 'main', BRANCH)).toBe(
    'A\tnew.js\nM\tsum.js\nA\ttest/adds.test.js',
  );
  const steps = end.stdout.split('\n').flatMap((line) => /^(git \S.*?) {3}/.exec(line)?.[1] ?? []);
  for (const step of steps) repository.git(...step.split(' ').slice(1));
  expect(repository.read('sum.js')).toContain('ZEBRA-3');
  expect(repository.read('new.js')).toBe('export const n = 1;\n');
});

/** A git that says when it is asked to write a tree in a run, and waits for `go`, as a large one takes its time. */
function slowGit(repository: Repository): string {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const wait = `touch "${repository.beside('writing')}"; while [ ! -e "${repository.beside('go')}" ]; do sleep 0.02; done`;
  const asked = `case "$*" in *write-tree*) [ -e "${repository.agentPath}.brief" ] && { ${wait}; } ;; esac`;
  put(repository.root, { 'bin/git': `#!/bin/sh\n${asked}\nexec ${real} "$@"\n` });
  chmodSync(repository.beside('bin/git'), 0o755);
  return `${repository.beside('bin')}:${process.env.PATH}`;
}

it('Ctrl-C, which reaches all that a terminal runs, does not end git in the middle of its work', async () => {
  const repository = plain();
  const agents = { default: { driver: 'command', command: [repository.agentPath] } };
  repository.agent("echo 'export const sum = (a, b) => a + b;' > sum.js");
  repository.write({ 'helix.yaml': JSON.stringify({ agents, sandbox: 'basic' }) });
  const env = repository.env({ PATH: slowGit(repository) });
  const through = ['setsid'];
  const { child, end } = startHelix(['do', TASK, '--no-judge', '--trust'], { cwd: repository.top, env, through });
  await eventually(() => existsSync(repository.beside('writing')));
  process.kill(-(child.pid ?? 0), 'SIGINT');
  put(repository.root, { go: '' });
  expect((await end).code).toBe(130);
  const resumed = await repository.resume();
  expect({ code: resumed.code, said: resumed.code === 0 ? '' : resumed.said }).toEqual({ code: 0, said: '' });
  expect(resumed.events.filter(({ type }) => type === 'human_asked')).toEqual([]);
  expect(repository.git('show', `${BRANCH}:sum.js`)).toBe(FIX['sum.js'].trim());
});

/** The most that may be asked for, and its last word. */
const LONG = `${'make sum add; '.repeat(4679)}ZEBRA-64`;

it('of the longest task the last word arrives with the agent and the judge; a longer one is refused', async () => {
  const repository = plain();
  put(repository.root, { 'long.md': LONG, 'longer.md': `${LONG}${'x'.repeat(64)}` });
  const moves = changing(repository, { writes: FIX });
  const longer = await repository.helix(['do', repository.beside('longer.md'), '--trust', ...moves]);
  expect({ code: longer.code, err: longer.stderr }).toMatchObject({ code: 2 });
  expect(longer.stderr).toContain('the task is longer than 64 KB: not every word of it would be read');
  const end = await repository.helix(['do', repository.beside('long.md'), '--trust', ...moves]);
  expect({ code: end.code, err: end.stderr }).toMatchObject({ code: 0 });
  const dir = repository.path('.helix/runs', (await repository.journaled()).run);
  const [approval = ''] = readdirSync(join(dir, 'approvals'));
  for (const path of ['phases/change/CLAUDE.md', `approvals/${approval}/brief.md`])
    expect(readFileSync(join(dir, path), 'utf8'), path).toContain(LONG);
  const more = await repository.helix(['do', '--again', 'and one more', '--trust', ...moves]);
  expect(more.code).toBe(2);
  expect(more.stderr).toContain('together with all that it goes on from is longer than 64 KB');
});

describe('tests that fail before anybody works, in a way nobody can read', () => {
  const UNREADABLE = {
    ...FILES,
    'package.json':
      '{ "name": "sums", "type": "module", "scripts": { "test": "echo no such runner ZEBRA-3; exit 1" } }\n',
  };

  it('are said before anybody is paid, with what to do', async () => {
    const repository = plain(UNREADABLE);
    const end = await start(repository, { writes: FIX });
    expect({ code: end.code, said: end.stdout + end.stderr }).toMatchObject({ code: 2 });
    expect(end.stderr).toContain('npm test fails before anybody worked, and its output does not say which tests');
    expect(end.stderr).toContain('no such runner ZEBRA-3');
    expect(end.stderr).toContain('--tests none');
    expect(repository.git('branch', '--list', 'helix/*')).toBe('');
  });

  it('can be left out or replaced by others', async () => {
    const repository = plain(UNREADABLE);
    const left = ['do', TASK, '--no-judge', '--trust', '--tests', 'none', ...changing(repository, { writes: FIX })];
    const without = await repository.helix(left);
    expect({ code: without.code, err: without.stderr }).toMatchObject({ code: 0 });
    expect(without.stdout).toMatch(/^not checked {2}tests: none were found in this repository, or they were left out/m);
    const named = ['do', 'Add again', '--no-judge', '--tests', 'node --test', ...changing(repository, { writes: FIX })];
    const others = await repository.helix(named);
    expect({ code: others.code, err: others.stderr }).toMatchObject({ code: 0 });
    expect(others.stdout).toMatch(/^tests +2 pass, 1 new/m);
  });

  it('count where their user names them all the same, and the question says that they failed before', async () => {
    const repository = plain(UNREADABLE);
    const named = [
      'do',
      TASK,
      '--no-judge',
      '--trust',
      '--tests',
      'npm test',
      ...changing(repository, { writes: FIX }),
    ];
    const end = await repository.helix(named);
    expect({ code: end.code, err: end.stderr }).toMatchObject({ code: 3 });
    expect(end.stdout.replaceAll(/[\s│]+/g, ' ')).toContain('its command failed before anybody worked, too');
  });
});

it('a command that says nothing is refused by the name of its option', async () => {
  for (const option of ['--check', '--tests']) {
    const end = await plain().helix(['do', TASK, '--agent', 'scripted', option, ' ']);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(`${option} names no command`);
  }
});
