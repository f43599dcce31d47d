import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { RunDocument } from '../src/domain/documents/documents.ts';
import { HELIX } from './helix-process.ts';
import { COLOUR, CONTROL, ESC, onTerminal, terminalEnv } from './on-terminal.ts';
import { eventually, RobustProject } from './robust-project.ts';

const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u;

/** A phase whose agent and gate take a moment each, with words far wider than any terminal. */
function slow(): RobustProject {
  const project = new RobustProject({
    phases: [
      {
        id: 'a-phase-with-quite-a-long-name',
        type: 'development',
        quality_gate: { type: 'custom', command: 'sleep 0.6' },
      },
    ],
    script: {
      'a-phase-with-quite-a-long-name': [
        { prints: `thinking ${'very '.repeat(40)}hard`, sleep: 0.8, writes: { 'output/a.txt': 'a' } },
      ],
    },
    files: { 'empty.yaml': '{}' },
  });
  projects.push(project);
  return project;
}

const projects: RobustProject[] = [];
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

function widest(lines: readonly string[]): number {
  return lines.reduce((width, line) => Math.max(width, [...line].length), 0);
}

describe.concurrent('on a terminal of 40 columns', () => {
  it('a spinner, the attempt, the gate and the time are shown, and no line is wider than the terminal', async ({
    expect,
  }) => {
    const { code, shown } = await onTerminal(slow(), `${HELIX} run --trust`).end;
    expect(code).toBe(0);
    const live = drawnLines(shown).filter((line) => SPINNER.test(line));
    expect(new Set(live.map((line) => line[0])).size).toBeGreaterThan(3);
    expect(live.join('\n')).toMatch(/^. a-phase-with… {2}\d+ms {2}attempt 1 /m);
    expect(live.join('\n')).toMatch(/^. a-phase-with… {2}[\d.]+m?s {2}attempt 1, gate/m);
    expect(widest(drawnLines(shown))).toBeLessThanOrEqual(40);
    expect(shown).toMatch(COLOUR);
    expect(shown).toContain('passed');
  });

  it('a short phase has room for its attempt, its gate and its time', async ({ expect }) => {
    const project = slow();
    project.write('phases.yaml', project.read('phases.yaml').replaceAll('a-phase-with-quite-a-long-name', 'a'));
    project.write('scripted.yaml', project.read('scripted.yaml').replaceAll('a-phase-with-quite-a-long-name', 'a'));
    const { shown } = await onTerminal(project, `${HELIX} run --trust`).end;
    const live = drawnLines(shown)
      .filter((line) => SPINNER.test(line))
      .join('\n');
    expect(live).toMatch(/ a {2}\d+ms {2}attempt 1 {2}thinking/);
    expect(live).toMatch(/ a {2}[\d.]+m?s {2}attempt 1, gate custom/);
  });

  it('a terminal that becomes narrower is respected from then on', async ({ expect }) => {
    const project = slow();
    const { shown } = await onTerminal(
      project,
      `${HELIX} run --trust & pid=$!; sleep 1; echo RESIZED; stty cols 24; wait $pid`,
    ).end;
    const [, after = ''] = shown.split('RESIZED');
    const live = drawnLines(after).filter((line) => SPINNER.test(line));
    expect(live.length).toBeGreaterThan(3);
    // The frame under way may have been drawn for the old width.
    expect(widest(live.slice(2))).toBeLessThanOrEqual(24);
    expect(after).toContain('passed');
  });

  it('NO_COLOR means no colours, and TERM=dumb means no control sequence at all', async ({ expect }) => {
    const [plain, dumb] = await Promise.all([
      onTerminal(slow(), `${HELIX} run --trust`, { NO_COLOR: '1' }).end,
      onTerminal(slow(), `${HELIX} run --trust`, { TERM: 'dumb' }).end,
    ]);
    expect(plain.shown).toMatch(SPINNER);
    expect(plain.shown).not.toMatch(COLOUR);
    expect(dumb.code).toBe(0);
    expect(dumb.shown).not.toContain(ESC);
    expect(dumb.shown).toContain('attempt 1 started');
  });

  it('what is said about a signal stays on the screen', async ({ expect }) => {
    const project = slow();
    project.write('scripted.yaml', project.read('scripted.yaml').replace('"sleep":0.8', '"sleep":60'));
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
    const project = slow();
    project.write('scripted.yaml', project.read('scripted.yaml').replace('"sleep":0.8', '"sleep":60'));
    const terminal = onTerminal(project, `exec ${HELIX} run --trust`);
    await eventually(() => SPINNER.test(terminal.shown()));
    terminal.child.kill('SIGKILL');
    await eventually(async () => (await project.journaled()).facts.at(-1) === 'run_interrupted');
    expect((await project.journaled()).facts.at(-2)).toMatch(/^attempt_interrupted .* cancelled$/);
    await eventually(async () => (await project.helix(['resume', '--script', 'empty.yaml'])).code === 0, 20_000);
  });
});

describe.concurrent('without a terminal', () => {
  it('every fact is a plain line and there is no control character', async ({ expect }) => {
    const project = slow();
    const { code, stdout, stderr } = await project.helix(['run', '--trust'], { env: terminalEnv(project) });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(ESC);
    expect(stdout + stderr).not.toMatch(SPINNER);
    expect(stderr).toMatch(/^a-phase-with-quite-a-long-name {2}attempt 1 started \(default\)$/m);
  });

  it('--json prints exactly one document to stdout, and nothing else anywhere', async ({ expect }) => {
    const { code, stdout, stderr } = await slow().helix(['run', '--trust', '--json']);
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
    const project = slow();
    expect(await runWithReader(project, closed)).toBe(0);
    expect((await project.journaled()).facts.at(-1)).toBe('run_finished passed');
  });

  it('a run started with its streams closed goes on to its end', async ({ expect }) => {
    const project = slow();
    const child = spawn('sh', ['-c', `exec ${HELIX} run --trust <&- >&- 2>&-`], {
      cwd: project.dir,
      env: terminalEnv(project),
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect((await project.journaled()).facts.at(-1)).toBe('run_finished passed');
  });

  it('a result that cannot be written is an error that says so, but the run is not lost', async ({ expect }) => {
    const project = slow();
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
