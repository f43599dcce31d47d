import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { samplePhase } from '../../../../test/sample-start.ts';
import { put, scratch } from '../../../../test/scratch.ts';
import { openProject } from '../../disk/project-directory.ts';
import { createProcesses } from '../../programs/processes.ts';
import { RepoWorkspace } from '../repo-workspace.ts';

it('a tree that has a link in the place of what is worked on is not laid out, so that nothing is written where it leads', async () => {
  const root = scratch({ 'elsewhere/x': '' });
  const top = put(join(root, 'top'), { 'phases.yaml': '', 'app/core/x': '', 'given.txt': '' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: top, encoding: 'utf8' });
  git('init', '-q');
  symlinkSync('../elsewhere', join(top, 'link'));
  git('add', '--all');
  git('commit', '-qm', 'files');
  const settings = { mode: 'repo' as const, root: 'link/core', home: '../..', setup: [], copy: [], cache: [] };
  const around = { project: openProject(top), processes: createProcesses(), env: {}, cacheDir: join(root, 'cache') };
  const workspace = await RepoWorkspace.open({ run: 'r1', marker: 'worktree', settings, simulated: true }, around);
  onTestFinished(async () => (await workspace.take())());
  const tree = git('rev-parse', 'HEAD^{tree}').trim();
  await expect(workspace.checkout(samplePhase('a'), tree, [])).rejects.toMatchObject({
    code: 'io',
    message: 'link is no directory any more, and what is worked on lies below it',
  });
  expect(existsSync(join(root, 'elsewhere/core'))).toBe(false);
});

it('nobody waits for a large directory to be removed, and the run ends when it is', async () => {
  const many = Array.from({ length: 300 }, (_, n) => [`files/${n}`, '']);
  const root = scratch({ 'bin/rm': `#!/bin/sh\nread go < "$0.go"\nexec /bin/rm "$@"\n` });
  const top = put(join(root, 'top'), { 'phases.yaml': '', ...Object.fromEntries(many) });
  chmodSync(join(root, 'bin/rm'), 0o755);
  execFileSync('mkfifo', [join(root, 'bin/rm.go')]);
  vi.stubEnv('PATH', `${join(root, 'bin')}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: top, encoding: 'utf8' });
  git('init', '-q');
  git('add', '--all');
  git('commit', '-qm', 'files');
  const settings = { mode: 'repo' as const, setup: [], copy: [], cache: [] };
  const around = { project: openProject(top), processes: createProcesses(), env: {}, cacheDir: join(root, 'cache') };
  const workspace = await RepoWorkspace.open({ run: 'r1', marker: 'worktree', settings, simulated: true }, around);
  const release = await workspace.take();
  const copy = await workspace.checkout(samplePhase('a'), git('rev-parse', 'HEAD^{tree}').trim(), []);
  await copy.dispose();
  expect(existsSync(copy.dir)).toBe(true);
  const released = release();
  writeFileSync(join(root, 'bin/rm.go'), 'go\n');
  await released;
  expect(existsSync(copy.dir)).toBe(false);
});
