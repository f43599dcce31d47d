import { existsSync } from 'node:fs';
import { eventually, RobustProject, type Running } from '../test/robust-project.ts';
import { type Claim, time } from './measure.ts';

const STOP_MS = 7000;
const SECOND_MS = 1000;
const STUBBORN = `trap '' TERM; echo > $HELIX_PROJECT_DIR/ready; sleep 3600; sleep 3600`;

/** How soon a run ends that its user stops: while an agent works, while a gate does not listen, and when asked twice. */
export async function stopClaims(): Promise<Claim[]> {
  const atWork = await stopped(sleeper(), 'attempt 1 started', (run) => ended(run, 'SIGINT'));
  const deaf = await stopped(gated(), 'attempt 1 done', (run) => ended(run, 'SIGTERM'));
  const twice = await stopped(gated(), 'attempt 1 done', async (run) => {
    run.kill('SIGINT');
    await run.says('stopping');
    return ended(run, 'SIGINT');
  });
  return [
    claim('Ctrl-C while an agent works / 7 s', atWork, STOP_MS),
    claim('SIGTERM while a gate ignores it / 7 s', deaf, STOP_MS),
    claim('a second Ctrl-C / 1 s', twice, SECOND_MS),
  ];
}

function claim(name: string, ms: number, within: number): Claim {
  return { name, limit: 1, ratio: ms / within, detail: `${ms.toFixed(0)} ms` };
}

/** Milliseconds from a signal to the end of the run. */
function ended(run: Running, signal: NodeJS.Signals): Promise<number> {
  return time(async () => {
    run.kill(signal);
    await run.end;
  });
}

/** Runs a project until its agent or gate is at work, and stops it. */
async function stopped(project: RobustProject, said: string, stop: (run: Running) => Promise<number>): Promise<number> {
  try {
    const run = project.start(['run', '--trust']);
    await run.says(said);
    await eventually(async () => existsSync(project.path('ready')) || (await project.left()).length === 2);
    return await stop(run);
  } finally {
    await project.helix(['cancel']);
    project.dispose();
  }
}

function sleeper(): RobustProject {
  return new RobustProject({
    phases: [{ id: 'one', type: 'development', output: ['output/a.txt'] }],
    script: { one: [{ prints: 'working', sleep: 3600, forks: 2 }] },
  });
}

function gated(): RobustProject {
  const gate = { type: 'custom', command: ['/bin/sh', '-c', STUBBORN] };
  return new RobustProject({ phases: [{ id: 'one', type: 'development', quality_gate: gate }], sandbox: 'basic' });
}
