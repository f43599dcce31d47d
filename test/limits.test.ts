import { existsSync, readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { groupParents } from '../src/adapters/programs/limits/group-parents.ts';
import { describeLimited } from '../src/adapters/programs/limits/limited.fixture.ts';
import { findBubblewrap } from '../src/adapters/programs/walls/find-bubblewrap.ts';
import { describeWalled } from '../src/adapters/programs/walls/walled.fixture.ts';
import { startHelix } from './helix-process.ts';
import { Repository } from './repository.ts';
import { eventually } from './robust-project.ts';

function limitedBy(limits: Readonly<Record<string, unknown>> | undefined, agent = 'echo done > out.txt'): Repository {
  return new Repository({
    agent,
    phases: [
      {
        ...{ id: 'work', type: 'development', output: ['out.txt'] },
        quality_gate: { type: 'custom', command: ['grep', '-q', 'done', 'out.txt'] },
      },
    ],
    settings: { sandbox: 'strict', ...(limits && { limits }) },
  });
}

/** What starts a program on this machine as if nobody could write to its control groups. */
async function withoutGroups(): Promise<string[]> {
  const groups = ['--ro-bind', '/sys/fs/cgroup', '/sys/fs/cgroup'];
  return [(await findBubblewrap()) ?? '', '--dev-bind', '/', '/', ...(existsSync(groups[1] ?? '') ? groups : []), '--'];
}

/** The control groups that a HELIX has made, by its number. */
async function groupsOf(pid: number | undefined): Promise<string[]> {
  const isOurs = (name: string) => name.startsWith(`helix-${pid}-`);
  return Object.values(await groupParents()).flatMap(({ dir }) => readdirSync(dir).filter(isOurs));
}

describeLimited('limits', () => {
  it('are recorded and shown, and a change of them is a line of trust', async () => {
    const repository = limitedBy({ memory: '2 GB', processes: 500 });
    const listed = await repository.helix(['run']);
    expect(`${listed.stdout}${listed.stderr}`).toMatch(/limit of memory: 2 GB/);
    const run = await repository.run();
    expect(run, run.said).toMatchObject({ code: 0 });
    expect(run.state?.sandbox?.limits).toEqual({ memory: 2 * 1024 ** 3, processes: 500, file_size: 8 * 1024 ** 3 });
    expect((await repository.helix(['doctor'])).stdout).toMatch(
      /limits +2 GB of memory, 500 processes and threads, files of 8 GB\n/,
    );
    expect((await repository.helix(['status'])).stdout).not.toContain('not limited');
  });

  it('interrupt an agent that is killed for want of memory, in their own words, and nothing is judged', async () => {
    const run = await limitedBy({ memory: '96 MB' }, 'head -c 300M /dev/zero | tail > /dev/null').run(['--no-wait']);
    expect(run, run.said).toMatchObject({ code: 3 });
    const ends = run.events.filter(({ type }) => /^attempt_(interrupted|judged)$/.test(type));
    expect(new Set(ends.map(({ type }) => type))).toEqual(new Set(['attempt_interrupted']));
    expect(ends[0]?.data).toMatchObject({
      failure: 'resource_limit',
      message: expect.stringContaining('stopped: it used more than 96 MB of memory'),
    });
  });

  it('leave nothing behind, also when HELIX is killed, once it is started again', async () => {
    const repository = limitedBy({ processes: 200 }, `touch "${'$0'}.here"; sleep 600`);
    const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
    onTestFinished(() => void child.kill('SIGKILL'));
    await eventually(() => existsSync(`${repository.agentPath}.here`));
    expect(await groupsOf(child.pid)).not.toEqual([]);
    child.kill('SIGKILL');
    await end;
    // What is behind walls ends with HELIX, in a moment; until then its group cannot be removed.
    await eventually(async () => {
      await startHelix(['doctor'], { cwd: repository.dir, env: repository.env() }).end;
      return (await groupsOf(child.pid)).length === 0;
    });
  });

  it('are cleared away by gc, whose groups they are', async () => {
    const repository = limitedBy(undefined, `touch "${'$0'}.here"; sleep 600`);
    const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
    onTestFinished(() => void child.kill('SIGKILL'));
    await eventually(() => existsSync(`${repository.agentPath}.here`));
    child.kill('SIGKILL');
    await end;
    await eventually(async () => {
      const { stdout } = await startHelix(['gc', '--json'], { cwd: repository.dir, env: repository.env() }).end;
      expect(JSON.parse(stdout)).toMatchObject({ schema: 'helix.gc/1' });
      return (await groupsOf(child.pid)).length === 0;
    });
  });
});

describeWalled('where control groups cannot be written', () => {
  it('only the size of files is limited, and the run says so', async () => {
    const repository = limitedBy({ file_size: '2 MB' });
    const through = await withoutGroups();
    const run = await repository.run([], { through });
    expect(run, run.said).toMatchObject({ code: 0 });
    expect(run.said).toMatch(/^sandbox: strict \(.+\), memory and processes not limited$/m);
    expect(run.state?.sandbox?.limits).toEqual({
      ...{ memory: 'unlimited', processes: 'unlimited' },
      file_size: 2 * 1024 ** 2,
    });
    expect((await repository.helix(['status'])).stdout).toMatch(/sandbox strict, memory and processes\s+not limited/);
    expect((await repository.helix(['doctor'], { through })).stdout).toContain('memory not limited');
  });
});
