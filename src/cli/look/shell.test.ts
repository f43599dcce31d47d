import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { HELIX, startHelix } from '../../../test/helix-process.ts';
import { Repository } from '../../../test/repository.ts';

const GATE = { type: 'custom', command: ['false'], max_retries: 1 };
const PHASES = [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: GATE }];

it('a command finds what the last attempt made, set up, and git works there; afterwards nothing is left', async () => {
  const setup = [['sh', '-c', 'mkdir -p deps && echo installed > deps/lib']];
  const plan = { workspace: { mode: 'repo', setup, cache: ['deps'] } };
  const repository = new Repository({ phases: PHASES, plan, files: { '.gitignore': 'deps\n' } });
  const { run } = await repository.run();
  const before = repository.digest();
  const look =
    'cat out.txt deps/lib; echo $HELIX_PHASE $HELIX_ATTEMPT; git status --short; git commit -qam mine; pwd; exit 7';
  const { code, stdout, stderr } = await repository.helix(['shell', run, 'work', '--', 'sh', '-c', look]);
  const [done, installed, where, status, dir = ''] = stdout.split('\n');
  expect({ code, stderr, done, installed, where }).toEqual({
    ...{ code: 7, stderr: '', done: 'done', installed: 'installed' },
    where: 'work 1',
  });
  expect(status).toMatch(/^[AM? ]+ out\.txt$/);
  expect(existsSync(dir)).toBe(false);
  expect(repository.worktrees()).toEqual([]);
  expect(repository.digest()).toEqual(before);
  expect((await repository.helix(['diff', run, 'work'])).stdout).not.toContain('mine');
});

it('a shell on a terminal says where it is, what becomes of the work, and how to leave', async () => {
  const repository = new Repository();
  const { run } = await repository.run();
  const shown = spawnSync('script', ['-qec', `${HELIX} shell ${run} work`, '/dev/null'], {
    cwd: repository.dir,
    env: { ...process.env, ...repository.env(), SHELL: '/bin/sh', TERM: 'xterm' },
    input: 'cat out.txt\ntrap "echo heard" INT\nkill -INT $$\nexit 3\n',
    encoding: 'utf8',
  });
  expect(shown.status).toBe(3);
  expect(shown.stdout).toContain(`attempt 1 of work in run ${run}, in a worktree of its own: /`);
  expect(shown.stdout).toContain('Nothing you do here is taken over; it is removed when you leave.');
  expect(shown.stdout).toContain('Leave with: exit');
  expect(shown.stdout).toMatch(/^\W*done\r?$/m);
  expect(shown.stdout).toMatch(/^\W*heard\r?$/m);
});

it('a run goes on while somebody looks at one of its phases', async () => {
  const agent =
    'echo done > out.txt; while [ $HELIX_PHASE = two ] && [ ! -e "$HELIX_PROJECT_DIR/go" ]; do sleep 0.05; done';
  const phases = ['work', 'two'].map((id) => ({ id, type: 'development', output: ['out.txt'] }));
  const repository = new Repository({ agent, phases });
  const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
  onTestFinished(() => void child.kill('SIGKILL'));
  const early = end.then(({ stderr }) => Promise.reject(new Error(`it ended too early: ${stderr}`)));
  early.catch(() => undefined);
  while ((await repository.journaled()).state?.phases.get('two')?.current === undefined)
    await Promise.race([early, pause(20)]);
  const { run } = await repository.journaled();
  expect((await repository.helix(['shell', run, 'work', '--', 'cat', 'out.txt'])).stdout).toBe('done\n');
  const refused = await repository.helix(['shell', run, 'two', '--', 'true']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('two in run');
  writeFileSync(repository.path('go'), '');
  expect((await end).code).toBe(0);
});

it('where phases have directories the shell is in one of them, and not while a run works there', async () => {
  const agent =
    'mkdir -p output; while [ ! -e "$HELIX_PROJECT_DIR/go" ]; do sleep 0.05; done; echo done > output/out.txt';
  const phases = [
    { id: 'work', type: 'development' },
    { id: 'two', type: 'development' },
  ];
  const repository = new Repository({ agent, phases, plan: { workspace: 'phase-dirs' } });
  writeFileSync(repository.path('go'), '');
  const { run } = await repository.run(['--phase', 'work']);
  const { code, stdout } = await repository.helix(['shell', run, 'work', '--', 'sh', '-c', 'cat output/out.txt; pwd']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `done\n${repository.path('phases/work')}\n` });
  spawnSync('rm', [repository.path('go')]);
  const { child, end } = startHelix(['run', '--trust', '--phase', 'two'], {
    cwd: repository.dir,
    env: repository.env(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  while (!existsSync(repository.path('phases/two/output'))) await pause(20);
  const refused = await repository.helix(['shell', run, 'work', '--', 'true']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('is working in');
  writeFileSync(repository.path('go'), '');
  expect((await end).code).toBe(0);
  expect(readFileSync(repository.path('phases/two/output/out.txt'), 'utf8')).toBe('done\n');
});

it('set-up is not started for a plan nobody trusted, and a program that is not there is named', async () => {
  const plan = { workspace: { mode: 'repo', setup: [['touch', 'set-up-ran']] } };
  const repository = new Repository({ plan });
  const { run } = await repository.run();
  const env = { XDG_STATE_HOME: repository.beside('other-state') };
  const refused = await repository.helix(['shell', run, 'work', '--', 'true'], { env });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('+ set-up command: ["touch","set-up-ran"]');
  expect((await repository.helix(['shell', run, 'work', '--trust', '--', 'true'], { env })).code).toBe(0);
  const missing = await repository.helix(['shell', run, 'work', '--', 'no-such-program']);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toContain('no-such-program cannot be started');
  expect(repository.worktrees()).toEqual([]);
});
