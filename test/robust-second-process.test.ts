import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { RunDocument } from '../src/domain/documents/documents.ts';
import { HELIX } from './helix-process.ts';
import { eventually, held, RobustProject } from './robust-project.ts';

const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

const WRITES = { writes: { 'output/a.txt': 'a' } };

/** One phase that first asks whether it may start. */
function asking(): RobustProject {
  return kept(
    new RobustProject({
      phases: [{ id: 'one', type: 'development', requires_approval: true }],
      script: { one: [WRITES] },
    }),
  );
}

/** One phase that works for a long time beside two processes of its own. */
function working(): RobustProject {
  return kept(
    new RobustProject({
      phases: [{ id: 'one', type: 'development' }],
      script: { one: [{ prints: 'hello from the agent', sleep: 3600, forks: 2, ...WRITES }] },
      files: { 'quick.yaml': JSON.stringify({ phases: { one: [WRITES] } }) },
    }),
  );
}

function kept(project: RobustProject): RobustProject {
  projects.push(project);
  return project;
}

async function question(project: RobustProject): Promise<string> {
  const { stdout } = await project.helix(['inbox', '--json']);
  return JSON.parse(stdout).requests[0].id as string;
}

describe.concurrent('a run that waits for a human', () => {
  it('goes on by itself when another process decides', async ({ expect }) => {
    const project = asking();
    const run = project.start(['run', '--wait']);
    await run.says('needs your approval');
    const decided = await project.helix(['decide', await question(project), 'A', '--json']);
    expect(decided).toMatchObject({ code: 0, stderr: expect.stringContaining('takes it up') });
    expect((await run.end).code).toBe(0);
    expect(JSON.parse(decided.stdout)).toMatchObject({ run: (await project.journaled()).state.run });
    const { facts } = await project.journaled();
    expect(facts.filter((fact) => fact.startsWith('decision_taken'))).toEqual(['decision_taken A proceed']);
    expect(facts.at(-1)).toBe('run_finished passed');
  });

  it('and is over says so with a command that works from where the user is', async ({ expect }) => {
    const project = asking();
    await project.helix(['run']);
    const request = await question(project);
    await project.helix(['cancel']);
    const words = `${HELIX} decide -C ${project.dir} ${request} A`;
    const late = spawn('sh', ['-c', words], {
      cwd: '/',
      env: { ...process.env, XDG_STATE_HOME: project.path('.state') },
    });
    let said = '';
    late.stderr.on('data', (piece) => (said += String(piece)));
    await once(late, 'close');
    expect(said).toMatch(/has already ended[\s\S]*helix status \S+ -C \S/);
  });

  it('takes one answer: the second is refused and changes nothing', async ({ expect }) => {
    const project = asking();
    const run = project.start(['run', '--wait']);
    await run.says('needs your approval');
    const request = await question(project);
    const answers = await Promise.all([
      project.helix(['decide', request, 'A']),
      project.helix(['decide', request, 'A']),
      project.helix(['decide', request, 'B']),
    ]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const refused of answers.filter(({ code }) => code !== 0)) {
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('already answered') });
    }
    await run.end;
    const { facts } = await project.journaled();
    expect(facts.filter((fact) => fact.startsWith('decision_taken'))).toHaveLength(1);
  });

  it('ends when another process cancels it', async ({ expect }) => {
    const project = asking();
    const run = project.start(['run', '--wait']);
    await run.says('needs your approval');
    expect(await project.helix(['cancel'])).toMatchObject({ code: 0, stderr: expect.stringContaining('is cancelled') });
    expect((await run.end).code).toBe(1);
    expect((await project.journaled()).facts.at(-1)).toBe('run_finished cancelled');
  });

  it('is interrupted by a signal, and the question stays open', async ({ expect }) => {
    const project = asking();
    const run = project.start(['run', '--wait']);
    await run.says('needs your approval');
    run.kill('SIGINT');
    expect((await run.end).code).toBe(130);
    expect(await project.helix(['decide', await question(project), 'A'])).toMatchObject({ code: 0 });
    expect((await project.journaled()).facts.at(-1)).toBe('run_finished passed');
  });
});

describe.concurrent('a run that is worked on', () => {
  it('is watched and followed by other processes until it ends', async ({ expect }) => {
    const project = kept(
      new RobustProject({
        phases: [{ id: 'one', type: 'development' }],
        agents: { default: held('echo hello from the agent; mkdir -p output; printf a > output/a.txt') },
        sandbox: 'basic',
      }),
    );
    const run = project.start(['run', '--trust']);
    await project.atWork('one');
    const watching = project.start(['status', '--watch']);
    const following = project.start(['logs', '-f']);
    const hearing = project.start(['logs', (await project.journaled()).state.run, 'one', '-f']);
    await Promise.all([
      watching.says('running'),
      following.says('attempt 1 started'),
      hearing.says('hello from the agent'),
    ]);
    project.letGo('one');
    const [watched, followed, heard] = await Promise.all([watching.end, following.end, hearing.end]);
    expect((await run.end).code).toBe(0);
    expect(watched).toMatchObject({ code: 0, stdout: expect.stringMatching(/running[\s\S]*passed/) });
    expect(followed).toMatchObject({ code: 0, stdout: expect.stringMatching(/attempt 1 started[\s\S]*run +passed/) });
    expect(heard).toMatchObject({ code: 0, stdout: expect.stringContaining('hello from the agent') });
  });

  it('is not watched for longer than somebody reads', async ({ expect }) => {
    const project = kept(
      new RobustProject({
        phases: ['one', 'two'].map((id) => ({ id, type: 'development', agent: 'held' })),
        agents: { held: held('mkdir -p output; printf a > output/a.txt') },
        sandbox: 'basic',
      }),
    );
    const run = project.start(['run', '--trust']);
    await project.atWork('one');
    const watchers = ['status --watch --json', 'logs -f'].map((words, n) => {
      const command = `${HELIX} ${words} | { head -1; : > read-${n}; }`;
      return once(spawn('sh', ['-c', command], { cwd: project.dir, stdio: 'ignore' }), 'exit');
    });
    await eventually(() => [0, 1].every((n) => existsSync(project.path(`read-${n}`))));
    project.letGo('one');
    expect(await Promise.all(watchers)).toEqual([
      [0, null],
      [0, null],
    ]);
    expect((await project.journaled()).facts.at(-1)).toBe('attempt_started two#1');
    run.kill('SIGINT');
    await run.end;
  });

  it('is ended by cancel from another process, and no process is left', async ({ expect }) => {
    const project = working();
    const run = project.start(['run', '--json']);
    await eventually(async () => (await project.left()).length === 2);
    const cancelled = await project.helix(['cancel']);
    expect(cancelled).toMatchObject({ code: 0, stderr: expect.stringContaining('is cancelled') });
    const { code, stdout } = await run.end;
    expect(code).toBe(1);
    expect(RunDocument.parse(JSON.parse(stdout)).status).toBe('cancelled');
    expect(await project.left()).toEqual([]);
    expect((await project.journaled()).facts.slice(-2)).toEqual([
      'attempt_interrupted one#1 cancelled',
      'run_finished cancelled',
    ]);
    expect((await project.helix(['resume'])).code).toBe(1);
  });

  it('is refused to a second process, which is told who works on it, and free at once when that one is killed', async ({
    expect,
  }) => {
    const project = working();
    const run = project.start(['run']);
    await eventually(async () => (await project.left()).length === 2);
    const refused = await project.helix(['resume']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`process ${run.pid} on `) });
    const second = await project.helix(['run']);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('another run is working in') });
    run.kill('SIGKILL');
    await run.end;
    const resumed = await project.helix(['resume', '--script', 'quick.yaml', '--json']);
    expect(resumed.code).toBe(0);
    expect(RunDocument.parse(JSON.parse(resumed.stdout))).toMatchObject({
      status: 'passed',
      phases: [{ attempts: 1 }],
    });
    expect(await project.left()).toEqual([]);
    const { facts } = await project.journaled();
    expect(facts).toContain('attempt_interrupted one#1 orchestrator');
  });
});
