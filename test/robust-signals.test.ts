import { existsSync } from 'node:fs';
import { describe, it } from 'vitest';
import { judgedTwice } from './essence.ts';
import { eventually, RobustProject } from './robust-project.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const READY = 'echo > $HELIX_PROJECT_DIR/ready';
const STUBBORN = `trap '' TERM; ${READY}; sleep 3600; sleep 3600`;
const QUICK = { phases: { one: [{ writes: { 'output/a.txt': 'a' } }] } };

/** One phase whose agent sleeps for an hour beside two processes of its own; `quick.yaml` is its script without all that. */
function sleeper(): RobustProject {
  return new RobustProject({
    phases: [{ id: 'one', type: 'development', output: ['output/a.txt'] }],
    script: { one: [{ prints: 'working', sleep: 3600, forks: 2, writes: { 'output/a.txt': 'a' } }] },
    files: { 'quick.yaml': JSON.stringify(QUICK) },
  });
}

function gated(command: string): RobustProject {
  return new RobustProject({
    phases: [{ id: 'one', type: 'development', quality_gate: { type: 'custom', command } }],
    script: QUICK.phases,
    sandbox: 'basic',
  });
}

describe.concurrent('a signal while an agent works', () => {
  it.for(SIGNALS)('%s ends the run, leaves no process, and the attempt is not counted', async (signal, {
    expect,
    onTestFinished,
  }) => {
    const project = sleeper();
    onTestFinished(() => project.dispose());
    const run = project.start(['run']);
    await run.says('attempt 1 started');
    await eventually(async () => (await project.left()).length === 2);
    run.kill(signal);
    const { code, stdout, stderr } = await run.end;
    expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringContaining('stopping') });
    expect(stdout).toContain('Go on with: helix resume');
    expect((await project.journaled()).facts.slice(-2)).toEqual([
      'attempt_interrupted one#1 cancelled',
      'run_interrupted',
    ]);
    const { state } = await project.journaled();
    expect(state.phases.get('one')).toMatchObject({ rung: { interruptions: 0 }, history: { turns: 0, judged: 0 } });
    expect(await project.left()).toEqual([]);
    const resumed = await project.helix(['resume', '--script', 'quick.yaml', '--json']);
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'passed', phases: [{ id: 'one', attempts: 1 }] });
    expect(judgedTwice((await project.journaled()).events)).toEqual([]);
  });

  it('a second one ends HELIX at once, and the next start ends what was left', async ({ expect, onTestFinished }) => {
    const project = gated(STUBBORN);
    onTestFinished(() => project.dispose());
    const run = project.start(['run', '--trust']);
    await run.says('attempt 1 done');
    await eventually(() => existsSync(project.path('ready')));
    run.kill('SIGINT');
    await run.says('stopping');
    run.kill('SIGINT');
    expect((await run.end).code).toBe(130);
    // It did not wait for the gate to end.
    expect(await project.left()).not.toEqual([]);
    expect((await project.helix(['cancel'])).code).toBe(0);
    expect(await project.left()).toEqual([]);
  });
});

describe.concurrent('a signal while a gate judges', () => {
  it.for([
    ['a gate that obeys', `${READY}; sleep 3600`],
    ['a gate that ignores the polite signal', STUBBORN],
  ])('ends %s, and resume judges the same attempt', async ([, command = ''], { expect, onTestFinished }) => {
    const project = gated(`test -e $HELIX_PROJECT_DIR/quick || { ${command}; }`);
    onTestFinished(() => project.dispose());
    const run = project.start(['run', '--trust']);
    await run.says('attempt 1 done');
    await eventually(() => existsSync(project.path('ready')));
    run.kill('SIGTERM');
    expect((await run.end).code).toBe(130);
    expect((await project.journaled()).facts.slice(-2)).toEqual([
      'judging_interrupted one#1 cancelled',
      'run_interrupted',
    ]);
    expect(await project.left()).toEqual([]);
    project.write('quick', '');
    const resumed = await project.helix(['resume', '--json']);
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'passed', phases: [{ attempts: 1 }] });
    expect((await project.journaled()).facts.filter((fact) => fact.startsWith('attempt_started'))).toHaveLength(1);
  });
});
