import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { RunDocument } from '../src/domain/documents/documents.ts';
import { HELIX } from './helix-process.ts';
import { COLOUR, CONTROL, ESC, onTerminal, terminalEnv } from './on-terminal.ts';
import { eventually, held, RobustProject } from './robust-project.ts';

const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u;

const LONG = 'a-phase-with-quite-a-long-name';
const THOUGHT = `thinking ${'very '.repeat(40)}hard`;
const JUDGED = '$HELIX_PROJECT_DIR/judged';

/** A phase whose agent has words far wider than any terminal. */
function wordy(sleep = 0): RobustProject {
  return made({
    phases: [{ id: LONG, type: 'development', quality_gate: { type: 'custom', command: 'true' } }],
    script: { [LONG]: [{ prints: THOUGHT, sleep, writes: { 'output/a.txt': 'a' } }] },
    files: { 'empty.yaml': '{}' },
  });
}

/** The same with an agent and a gate that take until the test has seen enough of them. */
function slow(id = LONG): RobustProject {
  const command = `while [ ! -e ${JUDGED} ]; do sleep 0.02; done`;
  return made({
    phases: [{ id, type: 'development', quality_gate: { type: 'custom', command } }],
    agents: { default: held(`echo ${THOUGHT}; mkdir -p output; printf a > output/a.txt`) },
    sandbox: 'basic',
  });
}

/** Lets agent and gate end, each when there is a line with a spinner that shows it. */
async function seen(project: RobustProject, shown: () => string, words: { attempt: RegExp; gate: RegExp }, id = LONG) {
  const live = (what: RegExp) => eventually(() => liveLines(shown()).some((line) => what.test(line)));
  await live(words.attempt);
  project.letGo(id);
  await live(words.gate);
  project.write('judged', '');
}

const projects: RobustProject[] = [];
function made(...parts: ConstructorParameters<typeof RobustProject>): RobustProject {
  const project = new RobustProject(...parts);
  projects.push(project);
  return project;
}
afterAll(() => {
  for (const project of projects) project.dispose();
});

/** What stood on each line, without control sequences, in the order it was drawn; paths meant to be copied are left out. */
function drawnLines(shown: string): string[] {
  return shown
    .replaceAll(COLOUR, '')
    .replaceAll(CONTROL, '\n')
    .split(/[\r\n]+/)
    .filter((line) => line !== '' && !line.startsWith('Report: '));
}

function liveLines(shown: string): string[] {
  return drawnLines(shown).filter((line) => SPINNER.test(line));
}

function widest(lines: readonly string[]): number {
  return lines.reduce((width, line) => Math.max(width, [...line].length), 0);
}

describe.concurrent('on a terminal of 40 columns', () => {
  it('a spinner, the attempt, the gate and the time are shown, and no line is wider than the terminal', async ({
    expect,
  }) => {
    const project = slow();
    const terminal = onTerminal(project, `${HELIX} run --trust`);
    await eventually(() => new Set(liveLines(terminal.shown()).map((line) => line[0])).size > 3);
    await seen(project, terminal.shown, {
      attempt: /^. a-phase-with… {2}[\d.]+m?s {2}attempt 1 /,
      gate: /^. a-phase-with… {2}[\d.]+m?s {2}attempt 1, gate/,
    });
    const { code, shown } = await terminal.end;
    expect(code).toBe(0);
    expect(widest(drawnLines(shown))).toBeLessThanOrEqual(40);
    expect(shown).toMatch(COLOUR);
    expect(shown).toContain('passed');
  });

  it('a short phase has room for its attempt, its gate and its time', async ({ expect }) => {
    const project = slow('a');
    const terminal = onTerminal(project, `${HELIX} run --trust`);
    const attempt = / a {2}[\d.]+m?s {2}attempt 1 {2}thinking/;
    await seen(project, terminal.shown, { attempt, gate: / a {2}[\d.]+m?s {2}attempt 1, gate custom/ }, 'a');
    expect((await terminal.end).code).toBe(0);
  });

  it('a terminal that becomes narrower is respected from then on', async ({ expect }) => {
    const project = slow();
    const narrow = 'while [ ! -e narrow ]; do sleep 0.02; done; stty cols 24; echo RESIZED';
    const terminal = onTerminal(project, `${HELIX} run --trust & pid=$!; ${narrow}; wait $pid`);
    await eventually(() => SPINNER.test(terminal.shown()));
    project.write('narrow', '');
    const since = () => terminal.shown().split('RESIZED')[1] ?? '';
    await eventually(() => liveLines(since()).length > 3);
    project.letGo(LONG);
    project.write('judged', '');
    await terminal.end;
    const after = since();
    const live = liveLines(after);
    // The frame under way may have been drawn for the old width.
    expect(widest(live.slice(2))).toBeLessThanOrEqual(24);
    expect(after).toContain('passed');
  });

  it('NO_COLOR means no colours, and TERM=dumb means no control sequence at all', async ({ expect }) => {
    const project = slow();
    const terminal = onTerminal(project, `${HELIX} run --trust`, { NO_COLOR: '1' });
    await seen(project, terminal.shown, { attempt: /attempt 1/, gate: /gate/ });
    const [plain, dumb] = await Promise.all([
      terminal.end,
      onTerminal(wordy(), `${HELIX} run --trust`, { TERM: 'dumb' }).end,
    ]);
    expect(plain.shown).not.toMatch(COLOUR);
    expect(dumb.code).toBe(0);
    expect(dumb.shown).not.toContain(ESC);
    expect(dumb.shown).toContain('attempt 1 started');
  });

  it('what is said about a signal stays on the screen', async ({ expect }) => {
    const project = wordy(3600);
    const terminal = onTerminal(project, `${HELIX} run --trust`);
    await eventually(() => SPINNER.test(terminal.shown()));
    terminal.type('\u0003');
    const { code, shown } = await terminal.end;
    expect(code).toBe(130);
    const after = shown.slice(shown.indexOf('stopping'));
    const firstErased = new RegExp(`${ESC}\\[(\\d+)A`).exec(after);
    const linesBetween = after.slice(0, firstErased?.index).split('\n').length - 1;
    const said = after.slice(0, after.indexOf('once)')).split('\n').length;
    expect(linesBetween - Number(firstErased?.[1] ?? 0)).toBeGreaterThanOrEqual(said);
  });

  it('a terminal that hangs up interrupts the run cleanly', async ({ expect }) => {
    const project = wordy(3600);
    const terminal = onTerminal(project, `exec ${HELIX} run --trust`);
    await eventually(() => SPINNER.test(terminal.shown()));
    terminal.child.kill('SIGKILL');
    await eventually(async () => (await project.journaled()).facts.at(-1) === 'run_interrupted');
    expect((await project.journaled()).facts.at(-2)).toMatch(/^attempt_interrupted .* cancelled$/);
    await eventually(async () => (await project.helix(['resume', '--script', 'empty.yaml'])).code === 0);
  });
});

describe.concurrent('without a terminal', () => {
  it('every fact is a plain line and there is no control character', async ({ expect }) => {
    const project = wordy();
    const { code, stdout, stderr } = await project.helix(['run', '--trust'], { env: terminalEnv(project) });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(ESC);
    expect(stdout + stderr).not.toMatch(SPINNER);
    expect(stderr).toMatch(/^a-phase-with-quite-a-long-name {2}attempt 1 started \(default\)$/m);
  });

  it('--json prints exactly one document to stdout, and nothing else anywhere', async ({ expect }) => {
    const { code, stdout, stderr } = await wordy().helix(['run', '--trust', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const document = RunDocument.parse(JSON.parse(stdout));
    expect(document).toMatchObject({ status: 'passed', simulated: true });
  });
});

/** Runs with one or both streams read only up to the first line. */
async function runWithReader(project: RobustProject, closed: readonly ('stdout' | 'stderr')[]): Promise<number> {
  const child: ChildProcess = spawn(HELIX, ['run', '--trust'], {
    cwd: project.dir,
    env: terminalEnv(project),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    if (closed.includes(name)) stream?.once('data', () => stream.destroy());
    else stream?.resume();
  }
  const [code] = await once(child, 'exit');
  return code as number;
}

describe.concurrent('when nobody listens any more', () => {
  it.for([
    { closed: ['stdout'] },
    { closed: ['stderr'] },
    { closed: ['stdout', 'stderr'] },
  ] as const)('a run whose reader of $closed has gone goes on to its end', async ({ closed }, { expect }) => {
    const project = wordy();
    expect(await runWithReader(project, closed)).toBe(0);
    expect((await project.journaled()).facts.at(-1)).toBe('run_finished passed');
  });

  it('a run started with its streams closed goes on to its end', async ({ expect }) => {
    const project = wordy();
    const child = spawn('sh', ['-c', `exec ${HELIX} run --trust <&- >&- 2>&-`], {
      cwd: project.dir,
      env: terminalEnv(project),
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect((await project.journaled()).facts.at(-1)).toBe('run_finished passed');
  });

  it('a result that cannot be written is an error that says so, but the run is not lost', async ({ expect }) => {
    const project = wordy();
    const full = openSync('/dev/full', 'w');
    const child = spawn(HELIX, ['run', '--trust', '--json'], {
      cwd: project.dir,
      env: terminalEnv(project),
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (piece) => (stderr += String(piece)));
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('could not be written') });
    expect((await project.journaled()).facts.at(-1)).toBe('run_finished passed');
  });
});
