import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { identityOf } from '../src/adapters/disk/process-identity.ts';
import { DetachedDocument, RunDocument } from '../src/domain/documents/documents.ts';
import { HELIX } from './helix-process.ts';
import { onTerminal } from './on-terminal.ts';
import { eventually, held, RobustProject } from './robust-project.ts';

const WRITES = { writes: { 'output/a.txt': 'a' } };

const projects: RobustProject[] = [];
afterAll(async () => {
  // What a failed test leaves in the background would go on for ever.
  for (const project of projects) {
    for (const pid of await owners(project)) if (!isGone(pid)) process.kill(pid, 'SIGTERM');
    project.dispose();
  }
});

function made(...parts: ConstructorParameters<typeof RobustProject>): RobustProject {
  const project = new RobustProject(...parts);
  projects.push(project);
  return project;
}

/** One phase that works until the test lets it go. */
function holding(phase: Record<string, unknown> = {}): RobustProject {
  return made({
    phases: [{ id: 'one', type: 'development', ...phase }],
    agents: { default: held('mkdir -p output; printf a > output/a.txt') },
    sandbox: 'basic',
  });
}

/** One phase that works for so long beside a process of its own. */
function working(sleep: number, phase: Record<string, unknown> = {}): RobustProject {
  return made({
    phases: [{ id: 'one', type: 'development', ...phase }],
    script: { one: [{ prints: 'hello from the agent', sleep, forks: 1, ...WRITES }] },
    files: { 'quick.yaml': JSON.stringify({ phases: { one: [WRITES] } }) },
  });
}

/** Detaches, and tells what runs where. */
async function detached(project: RobustProject, words: readonly string[] = ['run', '--detach', '--json', '--trust']) {
  const { code, stdout, stderr } = await project.helix(words);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return DetachedDocument.parse(JSON.parse(stdout));
}

function isGone(pid: number): boolean {
  return identityOf(pid) === undefined;
}

async function status(project: RobustProject) {
  return RunDocument.parse(JSON.parse((await project.helix(['status', '--json'])).stdout));
}

/** Logs of background processes that did not get as far as a run. */
function orphanedLogs(project: RobustProject): string[] {
  return readdirSync(project.path('.helix')).filter((name) => name.startsWith('detached-'));
}

describe.concurrent('a run in the background', () => {
  it('is told by its id and how to follow it', async ({ expect }) => {
    const project = working(0);
    const { code, stdout, stderr } = await project.helix(['run', '--detach']);
    const { state } = await project.journaled();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${state.run}\n` });
    for (const way of ['status', 'logs', 'inbox', 'cancel']) expect(stderr).toContain(`  helix ${way}`);
    await eventually(async () => (await status(project)).status === 'passed');
    await eventually(() => project.read(`.helix/runs/${state.run}/detached.log`).includes('Report: '));
    expect(orphanedLogs(project)).toEqual([]);
  });

  it('is seen, followed, answered and goes on, and leaves nothing behind', async ({ expect }) => {
    const project = holding({ requires_approval: true });
    const { run, pid } = await detached(project);
    const waiting = await status(project);
    expect(waiting).toMatchObject({ run, status: 'waiting' });
    const following = project.start(['logs', run, '-f']);
    await following.says('asks: ');
    const decided = await project.helix(['decide', waiting.waitingFor?.request ?? '', 'A']);
    expect(decided).toMatchObject({ code: 0, stderr: expect.stringContaining('takes it up') });
    await following.says('attempt 1 started');
    expect((await status(project)).status).toBe('running');
    project.letGo('one');
    expect(await following.end).toMatchObject({ code: 0, stdout: expect.stringMatching(/run +passed/) });
    expect((await status(project)).status).toBe('passed');
    await eventually(() => isGone(pid));
    expect(await project.left()).toEqual([]);
    expect((await project.journaled()).events[0]).toMatchObject({ data: { owner: { pid } } });
  });

  it('is cancelled from any terminal', async ({ expect }) => {
    const project = working(3600);
    const { pid } = await detached(project);
    await eventually(async () => (await project.left()).length === 1);
    expect(await project.helix(['cancel'])).toMatchObject({ code: 0, stderr: expect.stringContaining('is cancelled') });
    await eventually(() => isGone(pid));
    expect(await project.left()).toEqual([]);
  });

  it('has no terminal, and outlives the one it was started from', async ({ expect }) => {
    const project = holding();
    const terminal = onTerminal(project, `${HELIX} run --detach --trust; echo STARTED; sleep 3600`);
    await terminal.shows('STARTED');
    const [pid = 0] = await owners(project);
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, , , session, tty] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    expect({ session, tty }).toEqual({ session: String(pid), tty: '0' });
    terminal.child.kill('SIGKILL');
    await terminal.end;
    project.letGo('one');
    await eventually(async () => (await project.journaled()).facts.at(-1) === 'run_finished passed');
    await eventually(() => isGone(pid));
  });

  it('goes on when the command that started it is killed', async () => {
    let project: RobustProject;
    let command: ReturnType<RobustProject['start']>;
    // Again where it had ended before it could be killed: it does so soon after its child has begun.
    do {
      project = working(0);
      command = project.start(['run', '--detach']);
      // Without a pause, so that nothing is heard of its end before.
      while (childrenOf(command.pid).length === 0 && !isGone(command.pid));
      command.kill('SIGKILL');
    } while ((await command.end).signal !== 'SIGKILL');
    await eventually(async () => (await facts(project)).at(-1) === 'run_finished passed');
  });

  it('is resumed in the background too, and a finished one is only told about', async ({ expect }) => {
    const project = working(3600);
    const first = await detached(project);
    await eventually(async () => (await project.left()).length === 1);
    process.kill(first.pid, 'SIGTERM');
    await eventually(() => isGone(first.pid));
    expect((await status(project)).status).toBe('interrupted');
    const second = await detached(project, ['resume', '--detach', '--json', '--script', 'quick.yaml']);
    expect(second).toMatchObject({ run: first.run, log: first.log });
    await eventually(() => isGone(second.pid));
    expect(readFileSync(second.log, 'utf8')).toMatch(/started: robust[\s\S]*resumed[\s\S]*run +passed/);
    const third = await project.helix(['resume', first.run, '--detach', '--json']);
    expect(third.code).toBe(0);
    expect(RunDocument.parse(JSON.parse(third.stdout)).status).toBe('passed');
  });
});

describe.concurrent('what the background process would refuse is told at once', () => {
  it('an error of the plan, and what is not trusted', async ({ expect }) => {
    const broken = working(0);
    broken.write('phases.yaml', 'phases: [{ id: one, typ: development }]');
    const untrusted = working(0, { quality_gate: { type: 'custom', command: ['true'] } });
    expect(await broken.helix(['run', '--detach'])).toMatchObject({ code: 2, stderr: expect.stringContaining('typ') });
    const refused = await untrusted.helix(['run', '--detach']);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--trust') });
    const { pid } = await detached(untrusted);
    await eventually(() => isGone(pid));
    expect((await status(untrusted)).status).toBe('passed');
  });

  it('what only shows when it starts: its words and its exit code are the answer', async ({ expect }) => {
    const project = working(0);
    project.write('templates/brief/types/development.md', '{{ broken');
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await project.helix(['run', '--detach', ...more]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('development.md');
    }
    expect(orphanedLogs(project)).toEqual([]);
    expect((await project.helix(['list', '--json'])).stdout).toContain('"runs": []');
  });

  it('that another run is under way', async ({ expect }) => {
    const project = working(3600);
    const { pid } = await detached(project);
    const second = await project.helix(['run', '--detach']);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('another run is working in') });
    expect(orphanedLogs(project)).toEqual([]);
    await project.helix(['cancel']);
    await eventually(() => isGone(pid));
  });

  it('Ctrl-C before there is a run ends it all', async ({ expect }) => {
    const project = working(0, { quality_gate: { type: 'custom', command: ['sleep', '3600'] } });
    project.write('phases.yaml', project.read('phases.yaml').replace('phase-dirs', 'repo'));
    project.write('.gitignore', '.helix/\n.state/\n');
    for (const words of ['init -q', 'add .', '-c user.name=x -c user.email=x commit -qm x']) {
      execFileSync('git', words.split(' '), { cwd: project.dir });
    }
    const terminal = onTerminal(project, `${HELIX} run --detach --trust`);
    await terminal.shows('trying custom');
    terminal.type('\u0003');
    expect((await terminal.end).code).toBe(130);
    expect((await project.helix(['list', '--json'])).stdout).toContain('"runs": []');
    expect(orphanedLogs(project)).toEqual([]);
  });
});

/** The processes of HELIX that one of them has started. */
function childrenOf(pid: number): string[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').filter((child) => child !== '' && isHelix(child));
  } catch {
    return [];
  }
}

function isHelix(pid: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('cli/main.');
}

async function facts(project: RobustProject): Promise<string[]> {
  return project.journaled().then(
    (journaled) => journaled.facts,
    () => [],
  );
}

/** The processes that have carried the newest run. */
async function owners(project: RobustProject): Promise<number[]> {
  const events = await project.journaled().then(
    (journaled) => journaled.events,
    () => [],
  );
  return events.flatMap(({ type, data }) => (type === 'run_started' || type === 'run_resumed' ? [data.owner.pid] : []));
}
