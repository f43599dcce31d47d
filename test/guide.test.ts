import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { put, scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

it('every command of the guide works, in its order, and ends with a merged branch', () => {
  const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);
  expect(blocks.length).toBeGreaterThan(5);
  const dir = scratch({ 'home/.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n' });
  const env = {
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: process.env.HOME ?? dir,
    GIT_CONFIG_GLOBAL: join(dir, 'home/.gitconfig'),
    GUIDE: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    XDG_CACHE_HOME: join(dir, 'cache'),
  };
  put(dir, { 'guide.sh': blocks.join('\n') });
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', join(dir, 'guide.sh')], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  const git = (...args: string[]) => execFileSync('git', ['-C', join(dir, 'sums'), ...args], { env, encoding: 'utf8' });
  expect(readFileSync(join(dir, 'sums/add.js'), 'utf8')).toBe('export const add = (a, b) => a + b;\n');
  expect(git('log', '--format=%s', '--first-parent')).toContain('a plan for HELIX');
  expect(git('branch', '--list', 'helix/*')).toBe('');
  expect(stdout).toContain('two and two are four');
  expect(stderr).toContain('mend  passed with attempt 2');
  expect(existsSync(join(dir, 'cache/helix'))).toBe(true);
});
