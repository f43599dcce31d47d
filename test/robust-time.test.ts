import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, it } from 'vitest';
import { RobustProject } from './robust-project.ts';

const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

function timed(parts: { timeout: number; sleep: number; gate?: Record<string, unknown> }): RobustProject {
  const project = new RobustProject({
    phases: [
      {
        id: 'one',
        type: 'development',
        timeout: parts.timeout,
        ...(parts.gate && { quality_gate: { type: 'custom', ...parts.gate } }),
      },
    ],
    script: { one: [{ sleep: parts.sleep, forks: 1, writes: { 'output/a.txt': 'a' } }] },
  });
  projects.push(project);
  return project;
}

describe.concurrent('time that passes while HELIX is stopped', () => {
  it('is not counted against the agent: it passes in its first attempt', async ({ expect }) => {
    const project = timed({ timeout: 1.5, sleep: 0.8 });
    const run = project.start(['run']);
    await run.says('attempt 1 started');
    run.kill('SIGSTOP');
    await pause(3000);
    run.kill('SIGCONT');
    const { code } = await run.end;
    const { facts } = await project.journaled();
    expect({ code, cut: facts.filter((fact) => fact.includes('interrupted')) }).toEqual({ code: 0, cut: [] });
    expect(facts).toContain('phase_accepted one#1');
  });

  it('is not counted against a gate that was stopped as well', async ({ expect }) => {
    const project = timed({ timeout: 60, sleep: 0, gate: { command: ['sleep', '0.8'], timeout: 1.5 } });
    const run = project.start(['run', '--trust']);
    await run.says('attempt 1 finished');
    let gates: number[] = [];
    while (gates.length === 0) gates = await project.left();
    const stop = (signal: NodeJS.Signals) => {
      for (const pid of [run.pid, ...gates]) process.kill(pid, signal);
    };
    stop('SIGSTOP');
    await pause(3000);
    stop('SIGCONT');
    expect((await run.end).code).toBe(0);
    expect((await project.journaled()).facts.join('\n')).not.toContain('interrupted');
  });
});

describe.concurrent('a limit in time', () => {
  it('interrupts the agent, is counted, and asks a human after the fifth time', async ({ expect }) => {
    const project = timed({ timeout: 0.2, sleep: 30 });
    const { code, stdout, seconds } = await project.helix(['run', '--json']);
    expect(code).toBe(3);
    expect(seconds).toBeLessThan(20);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'waiting', phases: [{ attempts: 0, status: 'waiting' }] });
    const { facts, state } = await project.journaled();
    expect(facts.filter((fact) => fact === 'attempt_interrupted one#1 timeout_wall')).toHaveLength(5);
    expect(facts.at(-1)).toBe('human_asked one interrupted');
    expect(state.phases.get('one')?.interruptions).toBe(5);
    expect(await project.left()).toEqual([]);
  });

  it('interrupts a gate without an opinion about the work', async ({ expect }) => {
    const project = timed({ timeout: 60, sleep: 0, gate: { command: ['sleep', '30'], timeout: 0.2 } });
    const { code } = await project.helix(['run', '--trust']);
    const { facts } = await project.journaled();
    expect(code).toBe(3);
    expect(facts.filter((fact) => fact === 'judging_interrupted one#1 timeout_wall')).toHaveLength(5);
    expect(facts.join('\n')).not.toContain('attempt_judged');
    expect(await project.left()).toEqual([]);
  });
});
