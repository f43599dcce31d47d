import { existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratch } from '../../test/scratch.ts';
import { makePrivateDirectory, removeQuietly } from './private-directory.ts';
import { openProject } from './project-directory.ts';
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

  it('does not take a place for temporary files that lies in the repository around the project', () => {
    const top = put(scratch(), { '.git/HEAD': '', 'tmp/x': '', 'app/y': '' });
    const before = process.env.TMPDIR;
    process.env.TMPDIR = join(top, 'tmp');
    try {
      const dir = makePrivateDirectory('test', join(top, 'app'));
      removeQuietly(dir);
      expect(dir.startsWith(top)).toBe(false);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});
