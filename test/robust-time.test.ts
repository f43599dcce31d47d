import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, it } from 'vitest';
import { eventually, held, RobustProject } from './robust-project.ts';
import { makeFifo } from './scratch.ts';

const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

/** More than HELIX and a program need to start and end on a busy machine. */
const LIMIT_SECONDS = 8;
const STOPPED_MS = 9000;

function timed(parts: {
  timeout: number;
  sleep?: number;
  gate?: Record<string, unknown>;
  work?: string;
  sandbox?: 'basic';
}): RobustProject {
  const project = new RobustProject({
    phases: [
      {
        id: 'one',
        type: 'development',
        timeout: parts.timeout,
        ...(parts.gate && { quality_gate: { type: 'custom', ...parts.gate } }),
      },
    ],
    script: { one: [{ sleep: parts.sleep ?? 0, forks: 1, writes: { 'output/a.txt': 'a' } }] },
    ...(parts.work && { agents: { default: held(parts.work) } }),
    ...(parts.sandbox && { sandbox: parts.sandbox }),
  });
  projects.push(project);
  return project;
}

describe.concurrent('time that passes while HELIX is stopped', () => {
  it('is not counted against the agent: it passes in its first attempt', async ({ expect }) => {
    const project = timed({
      timeout: LIMIT_SECONDS,
      work: 'mkdir -p output; printf a > output/a.txt',
      sandbox: 'basic',
    });
    const run = project.start(['run', '--trust']);
    await project.atWork('one');
    run.kill('SIGSTOP');
    await pause(STOPPED_MS);
    run.kill('SIGCONT');
    project.letGo('one');
    const { code } = await run.end;
    const { facts } = await project.journaled();
    expect({ code, cut: facts.filter((fact) => fact.includes('interrupted')) }).toEqual({ code: 0, cut: [] });
    expect(facts).toContain('phase_accepted one#1');
  });

  it('is not counted against a gate that was stopped as well', async ({ expect }) => {
    const command = 'cd $HELIX_PROJECT_DIR; touch judging; read line < go';
    const project = timed({ timeout: 3600, gate: { command, timeout: LIMIT_SECONDS }, sandbox: 'basic' });
    makeFifo(project.path('go'));
    const run = project.start(['run', '--trust']);
    await eventually(() => existsSync(project.path('judging')));
    const gates = await project.left();
    expect(gates).not.toEqual([]);
    const stop = (signal: NodeJS.Signals) => {
      for (const pid of [run.pid, ...gates]) process.kill(pid, signal);
    };
    stop('SIGSTOP');
    await pause(STOPPED_MS);
    stop('SIGCONT');
    await writeFile(project.path('go'), '\n');
    expect((await run.end).code).toBe(0);
    expect((await project.journaled()).facts.join('\n')).not.toContain('interrupted');
  });
});

describe.concurrent('a limit in time', () => {
  it('interrupts the agent, is counted, and asks a human after the fifth time', async ({ expect }) => {
    const project = timed({ timeout: 0.2, sleep: 3600 });
    const { code, stdout } = await project.helix(['run', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'waiting', phases: [{ attempts: 0, status: 'waiting' }] });
    const { facts, state } = await project.journaled();
    expect(facts.filter((fact) => fact === 'attempt_interrupted one#1 timeout_wall')).toHaveLength(5);
    expect(facts.at(-1)).toBe('human_asked one interrupted');
    expect(state.phases.get('one')?.rung.interruptions).toBe(5);
    expect(await project.left()).toEqual([]);
  });

  it('interrupts a gate without an opinion about the work', async ({ expect }) => {
    const project = timed({ timeout: 3600, gate: { command: ['sleep', '3600'], timeout: 0.2 } });
    const { code } = await project.helix(['run', '--trust']);
    const { facts } = await project.journaled();
    expect(code).toBe(3);
    expect(facts.filter((fact) => fact === 'judging_interrupted one#1 timeout_wall')).toHaveLength(5);
    expect(facts.join('\n')).not.toContain('attempt_judged');
    expect(await project.left()).toEqual([]);
  });
});
