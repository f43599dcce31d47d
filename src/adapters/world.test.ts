import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { put, scratch } from '../../test/scratch.ts';
import { makePrivateDirectory, removeQuietly } from './disk/private-directory.ts';
import { openProject } from './disk/project-directory.ts';
import { openWorld } from './world.ts';

describe('the world of a project', () => {
  it('knows the approvals that are shipped, all files of a type and nothing beside them', () => {
    const { shippedApproval } = openWorld(openProject(scratch()));
    const adr = shippedApproval('adr');
    expect(adr?.get('CLAUDE.md')).toMatch(/\S/);
    expect([...(adr?.keys() ?? [])]).toContain('checks/completeness.md');
    for (const type of ['unknown', '..', '../config', 'adr/checks', '', 'README.md', 'ADR', 'adr\n'])
      expect(shippedApproval(type)).toBeUndefined();
  });

  it('gives every judge an empty directory of its own outside the project', async () => {
    const project = put(scratch(), { '.git/HEAD': '' });
    const world = openWorld(openProject(project));
    const [one, two] = [await world.neutralDirectory(), await world.neutralDirectory()];
    expect(one.dir).not.toBe(two.dir);
    for (const { dir } of [one, two]) {
      expect(readdirSync(dir)).toEqual([]);
      expect(lstatSync(dir).mode & 0o777).toBe(0o700);
      expect(dir.startsWith(project)).toBe(false);
    }
    writeFileSync(join(one.dir, 'left'), '');
    await Promise.all([one.dispose(), two.dispose()]);
    await one.dispose();
    expect([one.dir, two.dir].map((dir) => existsSync(dir))).toEqual([false, false]);
  });

  it('clears away what a killed process left, and nothing of one that lives', async () => {
    const cache = scratch();
    const temporary = join(cache, 'helix', 'scratch');
    vi.stubEnv('XDG_CACHE_HOME', cache);
    onTestFinished(() => void vi.unstubAllEnvs());
    const module = fileURLToPath(new URL('disk/private-directory.ts', import.meta.url));
    const program = `import { makePrivateDirectory } from ${JSON.stringify(module)};
      console.log(makePrivateDirectory('judge', ${JSON.stringify(scratch())})); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const left = String((await once(other.stdout, 'data'))[0]).trim();
    put(temporary, { 'helix-theirs/x': '', [`${basename(left).replace(/-[0-9a-f]{12}-/, '-000000000000-')}/x`]: '' });
    const project = scratch();
    const first = makePrivateDirectory('judge', project);
    expect(existsSync(left)).toBe(true);
    other.kill('SIGKILL');
    await once(other, 'close');
    mkdirSync(join(left, 'closed'), { mode: 0o000 });
    const second = makePrivateDirectory('judge', project);
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(temporary)).toHaveLength(4);
    expect([first, second].every((dir) => existsSync(dir))).toBe(true);
  });

  it('does not take a place for temporary files that lies in the repository around the project', () => {
    const top = put(scratch(), { '.git/HEAD': '', 'tmp/x': '', 'app/y': '' });
    vi.stubEnv('XDG_CACHE_HOME', join(top, 'tmp'));
    vi.stubEnv('TMPDIR', join(top, 'tmp'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const dir = makePrivateDirectory('test', join(top, 'app'));
    removeQuietly(dir);
    expect(dir.startsWith(top)).toBe(false);
  });
});
