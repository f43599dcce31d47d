import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchDirectory } from '../programs.fixture.ts';
import { Group } from './group.ts';

const LIMITS = { memory: 3 * 1024 ** 3, processes: 100, file_size: 1024 } as const;

/** Plain files in place of the kernel's: a machine with version 2 cannot be had everywhere. */
function fake() {
  const dir = scratchDirectory();
  const parent = { version: 2, dir } as const;
  const group = Group.make({ memory: parent, pids: parent }, LIMITS);
  const made = join(dir, readdirSync(dir)[0] ?? '');
  return { group, made, tells: (file: string, text: string) => writeFileSync(join(made, file), text) };
}

describe('a control group of version 2, with plain files in place of the kernel’s', () => {
  it('has the limits, and its processes in a group below them', () => {
    const { group, made } = fake();
    expect(basename(made)).toMatch(new RegExp(`^helix-${process.pid}-\\d+-\\d+$`));
    expect(readFileSync(join(made, 'memory.max'), 'utf8')).toBe('3221225472');
    expect(readFileSync(join(made, 'pids.max'), 'utf8')).toBe('100');
    expect(group.doors).toEqual([join(made, 'in', 'cgroup.procs')]);
  });

  it('tells which limit was hit', () => {
    const { group, tells } = fake();
    expect(group.overrun()).toBeUndefined();
    tells('memory.events', 'low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\noom_group_kill 0\n');
    expect(group.overrun()).toBeUndefined();
    tells('memory.events', 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 0\n');
    expect(group.overrun()).toEqual({ what: 'memory', words: 'the machine ran out of memory' });
    tells('memory.events', 'low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 0\n');
    expect(group.overrun()?.words).toBe('it used more than 3 GB of memory (limits.memory in helix.yaml)');
    tells('pids.events', 'max 12\n');
    expect(group.overrun()?.words).toMatch(/^it had more than 100 processes and threads/);
  });

  it('limits swap, too, where it is counted', () => {
    const dir = scratchDirectory();
    const parent = { version: 1, dir } as const;
    const first = Group.make({ memory: parent }, LIMITS);
    const name = readdirSync(dir)[0] ?? '';
    expect(readdirSync(join(dir, name)).sort()).toEqual(['in', 'memory.limit_in_bytes']);
    // The next group's files are there before it is made, as the kernel puts them there.
    const next = join(
      dir,
      name.replace(/\d+$/, (number) => String(Number(number) + 1)),
    );
    mkdirSync(next);
    writeFileSync(join(next, 'memory.memsw.limit_in_bytes'), '');
    const second = Group.make({ memory: parent }, LIMITS);
    expect(readFileSync(join(next, 'memory.memsw.limit_in_bytes'), 'utf8')).toBe('3221225472');
    expect(first.doors).not.toEqual(second.doors);
  });
});
