import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bytesOf } from '../../domain/plan/limits.ts';
import type { Confinement, ProcessEnd } from '../../ports/processes.ts';
import { allDeadGroups, clearGroups } from './limits/clear-groups.ts';
import { findLimits } from './limits/find-limits.ts';
import { groupParents } from './limits/group-parents.ts';
import { kernelTexts } from './limits/hierarchies.ts';
import { describeLimited } from './limits/limited.fixture.ts';
import { eventually, scratchDirectory } from './programs.fixture.ts';
import { closed, describeWalled, runWalled } from './walls/walled.fixture.ts';

const SMALL = { memory: '96 MB', processes: 60, file_size: '2 MB' } as const;
/** Doubles a text until there is no memory for it. */
const HOG = 'x=0123456789; while :; do x=$x$x; done';
/** At most 300 processes at once. */
const BOMB = 'i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); done; wait';

async function limited(script: string, more: Partial<{ kind: 'open'; shell: string }> = {}): Promise<ProcessEnd> {
  const dir = scratchDirectory();
  const limits = await findLimits(SMALL);
  const confine: Confinement =
    more.kind === 'open'
      ? { kind: 'open', protect: [], hidden: [], writable: [dir], limits }
      : { ...closed(dir), limits };
  return runWalled(['/bin/sh', '-c', script], dir, { confine });
}

async function groups(): Promise<string[]> {
  const parents = Object.values(await groupParents());
  const isOurs = (name: string) => name.startsWith(`helix-${process.pid}-`);
  return parents.flatMap(({ dir }) => readdirSync(dir).filter(isOurs));
}

describeLimited('a program with limits', () => {
  it('is told from one that ended by itself when it takes too much memory', async () => {
    expect(await limited(HOG)).toMatchObject({
      ended: 'resource_limit',
      message: 'stopped: it used more than 96 MB of memory (limits.memory in helix.yaml)',
    });
    expect(await groups()).toEqual([]);
  });

  it('is told of although its own end sounds well', async () => {
    expect(await limited(`sh -c '${HOG}'; exit 0`)).toMatchObject({ ended: 'resource_limit' });
  });

  it('is stopped when it has too many processes', async () => {
    const end = await limited(BOMB);
    expect(end).toMatchObject({ ended: 'resource_limit', message: expect.stringContaining('more than 60 processes') });
    expect(await groups()).toEqual([]);
  });

  it('is inside before it runs anything, and sees no way out', async () => {
    const { tail } = await limited('cat /proc/self/cgroup; ls /sys/fs/cgroup 2>/dev/null | head -3; echo end');
    expect(tail).not.toMatch(/helix-/);
    expect(tail).toMatch(/:\/\n/);
  });

  it('an agent whose command was killed for want of memory goes on, and one that was killed itself did not end', async () => {
    expect(await limited(`sh -c '${HOG}'; echo on`, { kind: 'open' })).toMatchObject({ ended: 'exit', exitCode: 0 });
    expect(await limited(HOG, { kind: 'open' })).toMatchObject({ ended: 'resource_limit' });
  });

  it('an agent cannot leave its groups', async () => {
    const parents = Object.values(await groupParents());
    const doors = parents.map(({ dir }) => join(dir, 'cgroup.procs'));
    const { tail } = await limited(doors.map((door) => `echo 0 >${door} || echo shut`).join('\n'), { kind: 'open' });
    expect(tail.match(/^shut$/gm)).toHaveLength(doors.length);
  });

  it('what a HELIX has left that does not live any more is removed', async () => {
    const { memory } = await groupParents();
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const start = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    const left = join(memory?.dir ?? '', `helix-${child.pid}-${start}-1`);
    mkdirSync(join(left, 'in'), { recursive: true });
    expect(allDeadGroups(kernelTexts())).not.toContain(left);
    child.kill('SIGKILL');
    expect(await eventually(() => allDeadGroups(kernelTexts()).includes(left))).toBe(true);
    clearGroups(memory?.dir ?? '');
    expect(existsSync(left)).toBe(false);
  });
});

describeWalled('the size of files', () => {
  it('is limited with or without control groups', async () => {
    const end = await limited('exec dd if=/dev/zero of=big bs=1M count=4');
    const said = 'stopped: it wrote a file of more than 2 MB (limits.file_size in helix.yaml)';
    // A shell is not believed about signals: what it is asked to become may be one of its programs.
    expect(end.ended === 'exit' ? end.exitCode : end.message).toBe(end.ended === 'exit' ? 153 : said);
    const dir = scratchDirectory();
    const confine = { ...closed(dir), limits: await findLimits(SMALL) };
    const direct = await runWalled(['/bin/dd', 'if=/dev/zero', 'of=big', 'bs=1M', 'count=4'], dir, { confine });
    expect(direct).toMatchObject({ ended: 'resource_limit', message: said });
    expect(readFileSync(join(dir, 'big')).length).toBe(bytesOf('2 MB'));
  });
});
