import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EvidenceDocument } from '../src/domain/documents/evidence-document.ts';
import type { JudgeAnswer } from '../src/domain/judge/approval.ts';
import { HELIX, startHelix } from './helix-process.ts';
import { onTerminal } from './on-terminal.ts';
import { Repository } from './repository.ts';
import { eventually } from './robust-project.ts';
import { put, scratch } from './scratch.ts';

const TASK = 'sum subtracts; it should add. Add a test for it';
const BRANCH = 'helix/sum-subtracts';
const testOf = (name: string, call: string) =>
  `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from '../sum.js';\ntest('${name}', () => assert.equal(${call}));\n`;
const FILES = {
  'package.json': '{ "name": "sums", "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'test/zero.test.js': testOf('zero', 'sum(0, 0), 0'),
};
const FIX = { 'sum.js': 'export const sum = (a, b) => a + b;\n', 'test/adds.test.js': testOf('adds', 'sum(1, 2), 3') };

/** A repository nobody has told of HELIX. */
function plain(files: Record<string, string> | false = FILES): Repository {
  return new Repository({ planless: true, files });
}

/** A script for the scripted agent, beside the repository. */
function script(repository: Repository, moves: Record<string, unknown>): string[] {
  put(repository.root, { 'script.yaml': JSON.stringify(moves) });
  return ['--agent', 'scripted', '--script', repository.beside('script.yaml')];
}

const fixing = (repository: Repository) => script(repository, { phases: { change: [{ writes: FIX }] } });

/** A judge that objects to a change. */
const REJECTION: JudgeAnswer = {
  checks: ['task', 'correctness', 'tests', 'safety'].map((id) => ({
    id,
    outcome: id === 'task' ? 'fail' : 'pass',
    evidence: [{ file: 'sum.js', line: 1, quote: 'export const sum = (a, b) => b + a;' }],
  })),
  findings: [
    {
      severity: 'error',
      check: 'task',
      message: 'sum(1, 2) was asked to add a to b, ZEBRA-7 was not',
      evidence: { file: 'sum.js', line: 1, quote: 'export const sum = (a, b) => b + a;' },
      hint: 'a + b',
    },
  ],
  recommendations: [],
  result: 'rejected',
  confidence: 0.9,
};

describe('helix do', () => {
  it('takes one sentence to a branch, from any folder, and leaves the checkout as it was', async () => {
    const repository = plain({ ...FILES, 'docs/a/b.md': 'x\n' });
    const before = repository.digest();
    const end = await repository.helix(['do', TASK, '--trust', ...fixing(repository)]);
    expect({ code: end.code, err: end.stderr }).toMatchObject({ code: 0 });
    expect(repository.digest()).toEqual(before);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(end.stderr).toMatch(/^repository · main @ [0-9a-f]{7}$/m);
    expect(end.stderr).toMatch(/^works on {3}a copy, branch helix\/sum-subtracts/m);
    expect(end.stderr).toMatch(/^must pass {2}syntax · npm test · an independent judge of the change$/m);
    expect(end.stdout).toMatch(/^Done in \d+/);
    expect(end.stdout).toMatch(/^ sum[.]js +\| [+]1 -1$/m);
    expect(end.stdout).toMatch(/^tests +2 pass, 1 new [(]before: 1 pass[)]$/m);
    expect(end.stdout).toMatch(
      /^judge +approved: correctness, safety, task, tests$|^judge +approved: task, correctness/m,
    );
    expect(end.stdout).toContain(`git merge ${BRANCH}`);
    expect(repository.worktrees()).toEqual([]);
    repository.git('merge', '-q', BRANCH);
    expect(repository.read('sum.js')).toBe(FIX['sum.js']);
    const moves = script(repository, { phases: { change: [{ writes: { 'docs/a/b.md': 'y\n' } }] } });
    const below = { cwd: repository.path('docs/a'), env: repository.env() };
    const inFolder = await startHelix(['do', 'Say y in b.md', '--no-judge', ...moves], below).end;
    expect(inFolder).toMatchObject({ code: 0 });
    expect(inFolder.stdout).toContain('docs/a/b.md');
    expect(existsSync(repository.path('docs/a/.helix'))).toBe(false);
  });

  it('sends a rejection back to the agent and ends when the judge approves', async () => {
    const repository = plain();
    const moves = {
      phases: {
        change: [{ writes: { ...FIX, 'sum.js': 'export const sum = (a, b) => b + a;\n' } }, { writes: FIX }],
      },
      approvals: { change: [{ answer: REJECTION }, {}] },
    };
    const end = await repository.helix(['do', TASK, '--trust', ...script(repository, moves)]);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).toMatch(/^judge +approved/m);
    const { events, run } = await repository.journaled();
    expect(events.filter(({ type }) => type === 'approval_finished')).toHaveLength(2);
    const brief = readFileSync(repository.path('.helix/runs', run, 'phases/change/CLAUDE.md'), 'utf8');
    expect(brief).toContain('ZEBRA-7');
    expect(brief).toContain(TASK);
    expect(repository.git('show', `${BRANCH}:sum.js`)).toBe(FIX['sum.js'].trim());
  });

  it('says what nobody checked: no tests in the repository, no judge', async () => {
    const repository = plain({ 'a.txt': 'a\n' });
    const moves = script(repository, { phases: { change: [{ writes: { 'a.txt': 'b\n' } }] } });
    const end = await repository.helix(['do', 'Write b', '--no-judge', ...moves]);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).toMatch(/^not checked {2}tests: none were found/m);
    expect(end.stdout).toMatch(/^not checked {2}the change itself: --no-judge$/m);
    const evidence = JSON.parse((await repository.helix(['evidence', '--json'])).stdout) as EvidenceDocument;
    expect(evidence.parts).toEqual([{ part: 'Write b', of: 'task', state: 'unchecked', by: [] }]);
    expect(evidence.unchecked).toEqual([
      expect.stringContaining('tests: none were found'),
      'the change itself: --no-judge',
    ]);
    expect(EvidenceDocument.parse(evidence)).toEqual(evidence);
    const { events } = await repository.journaled();
    expect(events.some(({ type }) => type.startsWith('approval_'))).toBe(false);
  });

  it('has the commands of --check pass as well, which need no trust because they were typed', async () => {
    const repository = plain({ 'a.txt': 'a\n' });
    const moves = { phases: { change: [{ writes: { 'a.txt': 'wrong\n' } }, { writes: { 'a.txt': 'b\n' } }] } };
    const checks = ['--check', 'grep -q b a.txt', '--check', 'test ! -s missing'];
    const end = await repository.helix(['do', 'Write b', '--no-judge', ...checks, ...script(repository, moves)]);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stderr).toMatch(/^must pass {2}syntax\n {11}grep -q b a[.]txt\n {11}test ! -s missing$/m);
    const { state } = await repository.journaled();
    expect(state?.phases.get('change')?.accepted?.attempt).toBe(2);
  });

  it('does not blame the work for tests that failed before, and says that they fail', async () => {
    const repository = plain({ ...FILES, 'test/old.test.js': testOf('old', 'sum(2, 2), 5') });
    const end = await repository.helix(['do', TASK, '--no-judge', '--trust', ...fixing(repository)]);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stderr).toMatch(/1 of 2 tests fails before anybody worked: .*old/);
    expect(end.stdout).toMatch(/^tests +2 pass, 1 fail, 1 new [(]before: 1 pass, 1 fail[)]$/m);
    const broken = { ...FIX, 'test/adds.test.js': testOf('adds', 'sum(1, 2), 4') };
    const moves = script(repository, { phases: { change: [{ writes: broken }] } });
    expect((await repository.helix(['do', TASK, '--no-judge', ...moves])).code).toBe(3);
  });

  it('does not pass work that changes nothing', async () => {
    const repository = plain();
    const moves = script(repository, { phases: { change: [{ prints: 'done!' }] } });
    const end = await repository.helix(['do', TASK, '--trust', '--no-judge', ...moves]);
    expect(end.code).toBe(3);
    expect(`${end.stdout}${end.stderr}`).toContain('no new or changed file');
  });

  it('starts nothing that is not trusted, and remembers what is beside what was trusted before', async () => {
    const repository = plain();
    const args = ['do', TASK, '--no-judge', ...fixing(repository)];
    const refused = await repository.helix(args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('+ gate command of change: ["npm","test"]');
    expect(existsSync(repository.path('.helix'))).toBe(false);
    expect(repository.git('branch', '--list', 'helix/*')).toBe('');
    expect((await repository.helix([...args, '--trust'])).code).toBe(0);
    expect((await repository.helix([...args, '--check', 'true'])).code).toBe(0);
    expect(repository.git('branch', '--list', '--format=%(refname:short)', 'helix/*').split('\n')).toEqual([
      BRANCH,
      `${BRANCH}-2`,
    ]);
  });

  it('asks once on a terminal, and starts only with a y', async () => {
    const repository = plain();
    const args = [`'${TASK}'`, '--no-judge', ...fixing(repository)].join(' ');
    const env = { ...repository.env(), NO_COLOR: '1' };
    const place = { dir: repository.top, path: (name: string) => repository.path(name) };
    const no = onTerminal(place as never, `${HELIX} do ${args}`, env);
    await no.shows('Trust them in this repository? [y/N]');
    no.type('n\n');
    expect((await no.end).code).toBe(2);
    const yes = onTerminal(place as never, `${HELIX} do ${args}`, env);
    await yes.shows('[y/N]');
    yes.type('y\n');
    const { code, shown } = await yes.end;
    expect({ code, shown }).toMatchObject({ code: 0 });
    expect(shown.replace(/\s+/g, ' ')).toContain('Start programs: npm test.');
    const again = await repository.helix(['do', 'Once more', '--no-judge', ...fixing(repository)]);
    expect(again.stderr).not.toContain('Trust them');
  });

  it('uses what the owner of the repository wrote about set-up, tests and protection, and changes no plan', async () => {
    const own = {
      project: { name: 'own', description: 'Something else' },
      workspace: { mode: 'repo', setup: [['touch', 'made']], cache: ['made'] },
      protected: ['secret.txt'],
      phases: [{ id: 'x', type: 'development', quality_gate: [{ type: 'tests_pass', command: ['node', '--test'] }] }],
    };
    const repository = plain({ ...FILES, 'phases.yaml': JSON.stringify(own), 'secret.txt': 'x\n' });
    const end = await repository.helix(['do', TASK, '--no-judge', '--trust', ...fixing(repository)]);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stderr).toMatch(/^must pass {2}syntax · node --test$/m);
    const { state } = await repository.journaled();
    expect(state?.plan.workspace.setup).toEqual([['touch', 'made']]);
    expect(state?.plan.protected).toContain('secret.txt');
    expect(state?.request).toBe(`${TASK}\n`);
    expect(JSON.parse(repository.read('phases.yaml'))).toEqual(own);
  });
});

describe('a task', () => {
  it('can be a file or stdin; control characters are cleaned away', async () => {
    const repository = plain();
    put(repository.top, { 'task.txt': `Add\u001b[2J \u0007numbers\n` });
    expect((await repository.helix(['do', 'task.txt', '--no-judge', '--trust', ...fixing(repository)])).code).toBe(0);
    expect((await repository.journaled()).state?.request).toBe('Add numbers\n');
    const piped = await repository.helix(['do', '-', '--no-judge', ...fixing(repository)], { input: 'Add them all\n' });
    expect(piped.code).toBe(0);
    expect((await repository.journaled()).state?.request).toBe('Add them all\n');
  });

  it.each([
    ['nothing', [], 'there is no task'],
    ['empty', [''], 'there is no task'],
    ['only punctuation', ['?!… --- ;'], 'there is no task'],
    ['only control characters', ['\u0007\u001b[2J'], 'there is no task'],
    ['several words', ['add', 'a', 'test'], 'Put it in quotes: helix do "add a test"'],
    ['a file that is not there', ['missing.md'], 'there is no file missing.md'],
  ])('that is %s is refused', async (_, words, says) => {
    const repository = plain();
    const end = await repository.helix(['do', ...words, '--trust', '--agent', 'scripted']);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(says);
    expect(existsSync(repository.path('.helix'))).toBe(false);
  });

  it('of 1 MB is refused, from a file and from stdin', async () => {
    const repository = plain();
    const long = 'add '.repeat(256 * 1024);
    put(repository.root, { 'long.md': long });
    const file = await repository.helix(['do', repository.beside('long.md'), '--agent', 'scripted']);
    const piped = await repository.helix(['do', '-', '--agent', 'scripted'], { input: long });
    expect([file.code, piped.code]).toEqual([2, 2]);
    for (const { stderr } of [file, piped]) {
      expect(stderr).toContain('the task is longer than 64 KB');
      expect(stderr).toContain('Put the long part into a file of the repository');
    }
  });
});

describe('helix do refuses', () => {
  it('a directory that is in no repository, and one without a commit', async () => {
    const outside = startHelix(['do', TASK, '--agent', 'scripted'], { cwd: scratch() });
    const none = await outside.end;
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('helix do works in a git repository');
    const empty = plain(false);
    const end = await empty.helix(['do', TASK, '--agent', 'scripted']);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('has no commit yet');
  });

  it('where there is no agent, with the way to see it without one', async () => {
    const repository = plain();
    const bin = join(repository.root, 'bin');
    mkdirSync(bin);
    const path = (process.env.PATH ?? '').split(':').filter((dir) => !existsSync(join(dir, 'claude')));
    const end = await repository.helix(['do', TASK, '--trust'], { env: { PATH: path.join(':') } });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('there is no agent: claude is not in PATH');
    expect(end.stderr).toContain('--agent scripted');
  });

  it.each([
    ['a branch that is there', ['--branch', 'main'], 'the branch "main" cannot be made: there is one of that name'],
    ['a branch below one that is there', ['--branch', 'main/x'], 'cannot be made: there is a branch main, and git'],
    ['an option in the place of a value', ['--branch', '--force'], '--branch needs a value\nGive it one: --branch=B'],
    ['a name no branch can have', ['--branch', 'a..b'], '"a..b" cannot be the name of a branch'],
    ['a branch that looks like an option', ['--branch=-x'], 'cannot be the name of a branch'],
  ])('%s', async (_, options, says) => {
    const repository = plain();
    const end = await repository.helix(['do', TASK, '--trust', '--agent', 'scripted', ...options]);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(says);
    expect(existsSync(repository.path('.helix'))).toBe(false);
  });

  it('where set-up fails before an agent starts, and takes its branch back', async () => {
    const plan = { workspace: { mode: 'repo', setup: [['sh', '-c', 'exit 3']] }, phases: [{ id: 'x', type: 'test' }] };
    const repository = plain({ ...FILES, 'phases.yaml': JSON.stringify({ project: { name: 'x' }, ...plan }) });
    const end = await repository.helix(['do', TASK, '--trust', '--no-judge', ...fixing(repository)]);
    expect(end.code).not.toBe(0);
    expect(end.stderr).toContain('exit 3');
    expect(end.stderr).toContain('it is detected; helix init writes it down');
    expect(repository.git('branch', '--list', 'helix/*')).toBe('');
  });
});

describe('whatever state the repository is in', () => {
  it.each([
    ['a detached HEAD', (r: Repository) => r.git('checkout', '-q', '--detach'), 'detached HEAD @'],
    [
      'a merge under way',
      (r: Repository) => {
        r.git('checkout', '-qb', 'other');
        r.write({ 'sum.js': 'export const sum = 1;\n' });
        r.commit('other');
        r.git('checkout', '-q', 'main');
        r.write({ 'sum.js': 'export const sum = 2;\n' });
        r.commit('mine');
        expect(() => r.git('merge', '-q', 'other')).toThrow();
      },
      'a merge is under way: the work starts from your last commit',
    ],
    [
      'a dirty index',
      (r: Repository) => {
        r.write({ 'staged.js': 'x\n', 'sum.js': 'half done' });
        r.git('add', 'staged.js');
      },
      'without 2 uncommitted changes',
    ],
  ])('with %s it works from the last commit and says so', async (_, prepare, says) => {
    const repository = plain();
    prepare(repository);
    const before = repository.digest();
    const end = await repository.helix(['do', TASK, '--no-judge', '--trust', ...fixing(repository)]);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stderr).toContain(says);
    expect(repository.digest()).toEqual(before);
    expect(repository.git('show', `${BRANCH}:sum.js`)).toBe(FIX['sum.js'].trim());
  });

  it('works in a linked worktree of it', async () => {
    const repository = plain();
    repository.git('worktree', 'add', '-q', repository.beside('linked'), '-b', 'linked');
    const args = ['do', TASK, '--no-judge', '--trust', ...fixing(repository)];
    const end = await startHelix(args, { cwd: repository.beside('linked'), env: repository.env() }).end;
    expect(end).toMatchObject({ code: 0 });
    expect(repository.gitIn(repository.beside('linked'), 'status', '--porcelain')).toBe('');
  });

  it('does two at once with the same words on branches of their own', async () => {
    const repository = plain();
    const args = ['do', TASK, '--no-judge', '--trust', ...fixing(repository)];
    const ends = await Promise.all(
      [1, 2, 3].map(() => startHelix(args, { cwd: repository.top, env: repository.env() }).end),
    );
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const branches = repository.git('branch', '--list', '--format=%(refname:short)', 'helix/*').split('\n');
    expect(branches).toEqual([BRANCH, `${BRANCH}-2`, `${BRANCH}-3`]);
  });
});

describe('a task that is cut short', () => {
  const WAITS = `echo "$HELIX_PHASE" >> "$0.started"; while [ ! -e "$(dirname "$0")/go" ]; do sleep 0.02; done; echo 'export const sum = (a, b) => a + b;' > sum.js`;
  function waiting(): Repository {
    const repository = new Repository({ planless: true, files: FILES, agent: WAITS });
    const agents = { default: { driver: 'command', command: [repository.agentPath] } };
    repository.write({ 'helix.yaml': JSON.stringify({ agents, sandbox: 'basic' }) });
    repository.commit('settings');
    return repository;
  }

  it.each(['SIGKILL', 'SIGINT'] as const)('by %s goes on with helix resume, from the journal alone', async (signal) => {
    const repository = waiting();
    const before = repository.digest();
    const args = ['do', TASK, '--no-judge', '--trust'];
    const { child, end } = startHelix(args, { cwd: repository.top, env: repository.env() });
    await eventually(() => existsSync(`${repository.agentPath}.started`));
    child.kill(signal);
    const { code } = await end;
    expect(code).toBe(signal === 'SIGINT' ? 130 : null);
    put(repository.root, { go: '' });
    const resumed = await repository.resume();
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).not.toContain('changed since this run began');
    expect(repository.brief).toContain(TASK);
    expect(repository.digest()).toEqual(before);
    expect(repository.git('show', `${BRANCH}:sum.js`)).toBe(FIX['sum.js'].trim());
    expect(repository.worktrees()).toEqual([]);
    const replan = await repository.helix(['resume', '--replan']);
    expect(replan.code).toBe(2);
  });

  it('has no plan to edit', async () => {
    const repository = waiting();
    const { child, end } = startHelix(['do', TASK, '--no-judge', '--trust'], {
      cwd: repository.top,
      env: repository.env(),
    });
    await eventually(() => existsSync(`${repository.agentPath}.started`));
    child.kill('SIGKILL');
    await end;
    const replan = await repository.helix(['resume', '--replan']);
    expect(replan.code).toBe(2);
    expect(replan.stderr).toContain('there is no phases.yaml to edit');
    // It also ends the agent, which outlived its HELIX.
    expect((await repository.helix(['cancel'])).code).toBe(0);
  });
});
