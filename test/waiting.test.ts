import { afterAll, describe, it } from 'vitest';
import { HELIX } from './helix-process.ts';
import { CONTROL, onTerminal } from './on-terminal.ts';
import { eventually, held, RobustProject } from './robust-project.ts';

const CHOICE = 'A/B, empty leaves it open: ';
const COMMENT = 'comment (may be empty): ';
const GUIDANCE = 'guidance (may be empty): ';
const WRITES = { writes: { 'output/a.txt': 'a' } };
/** An agent that is held in each phase until the test lets it go. */
const HELD = { agents: { default: held('mkdir -p output; printf a > output/a.txt') }, sandbox: 'basic' } as const;
const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];

const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

function made(...parts: ConstructorParameters<typeof RobustProject>): RobustProject {
  const project = new RobustProject(...parts);
  projects.push(project);
  return project;
}

/** Phases that ask whether they may start. */
function asking(...ids: string[]): RobustProject {
  return made({
    phases: ids.map((id) => ({ id, type: 'development', requires_approval: true })),
    script: Object.fromEntries(ids.map((id) => [id, [WRITES]])),
  });
}

/** A phase that fails once and has no more attempts. */
function stuck(): RobustProject {
  return made({
    phases: [
      { id: 'one', type: 'development', quality_gate: { type: 'files_exist', max_retries: 1, files: ['a.txt'] } },
    ],
    script: { one: [{}, { writes: { 'a.txt': 'a' } }] },
  });
}

async function question(project: RobustProject): Promise<string> {
  const { stdout } = await project.helix(['inbox', '--json']);
  return JSON.parse(stdout).requests[0].id as string;
}

describe.concurrent('on a terminal', () => {
  it('a run shows its question and goes on with the answer typed there', async ({ expect }) => {
    const project = stuck();
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows('A/B/C/D, empty leaves it open: ');
    terminal.type('x\n');
    await terminal.shows('there is no option x');
    await terminal.shows('A/B/C/D, empty leaves it open: ');
    terminal.type('a\n');
    await terminal.shows(GUIDANCE);
    terminal.type('use the v2 endpoint\n');
    const { code, shown } = await terminal.end;
    expect(code).toBe(0);
    expect(shown.replaceAll(CONTROL, '')).toMatch(/Phase one is stuck: its gate[\s\S]*A {2}Try again/);
    const { state } = await project.journaled();
    expect(state.phases.get('one')).toMatchObject({ status: 'passed', history: { guidance: ['use the v2 endpoint'] } });
  });

  it('what a gate rejects is accepted only with a reason', async ({ expect }) => {
    const project = stuck();
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows('A/B/C/D, empty');
    terminal.type('c\n');
    await terminal.shows('reason (it is recorded): ');
    terminal.type('\n');
    await terminal.shows('needs a');
    await terminal.shows('A/B/C/D, empty');
    terminal.type('c\n');
    await terminal.shows('reason (it is recorded): ');
    terminal.type('the gate is wrong\n');
    expect((await terminal.end).code).toBe(0);
    const { state } = await project.journaled();
    expect(state.phases.get('one')?.accepted?.override).toMatchObject({ reason: 'the gate is wrong' });
  });

  it('a phase to go back to is asked for, and the nearest one is the default', async ({ expect }) => {
    const project = made({
      phases: [
        { id: 'one', type: 'development' },
        { id: 'two', type: 'development' },
        { id: 'three', type: 'development', quality_gate: { type: 'files_exist', max_retries: 1, files: ['a.txt'] } },
      ],
      script: { one: [WRITES], two: [WRITES], three: [{}, { writes: { 'a.txt': 'a' } }] },
    });
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows('A/B/C/D/E, empty');
    terminal.type('D\n');
    await terminal.shows('phase (empty: two): ');
    terminal.type('four\n');
    await terminal.shows('cannot go back to four');
    await terminal.shows('A/B/C/D/E, empty');
    terminal.type('D\n');
    await terminal.shows('phase (empty: two): ');
    terminal.type('one\n');
    await terminal.shows(COMMENT);
    terminal.type('\n');
    expect((await terminal.end).code).toBe(0);
    expect((await project.journaled()).events).toContainEqual(
      expect.objectContaining({ type: 'plan_reverted', data: expect.objectContaining({ target: 'one' }) }),
    );
  });

  it('every further question is asked there too', async ({ expect }) => {
    const project = asking('one', 'two');
    const terminal = onTerminal(project, `${HELIX} run`);
    for (const phase of ['one', 'two']) {
      await terminal.shows(`Phase ${phase} needs your`);
      await terminal.shows(CHOICE);
      terminal.type('A\n');
      await terminal.shows(COMMENT);
      terminal.type('\n');
    }
    expect((await terminal.end).code).toBe(0);
  });

  it('empty input leaves the question open, and the answer may come from elsewhere', async ({ expect }) => {
    const project = asking('one');
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows(CHOICE);
    terminal.type('\n');
    await terminal.shows('left open');
    const status = JSON.parse((await project.helix(['status', '--json'])).stdout);
    expect(status).toMatchObject({ status: 'waiting', waitingFor: { request: await question(project) } });
    expect(await project.helix(['decide', await question(project), 'A'])).toMatchObject({ code: 0 });
    const { code, shown } = await terminal.end;
    expect({ code, asked: shown.split(CHOICE).length - 1 }).toEqual({ code: 0, asked: 1 });
  });

  it('the end of input leaves it open as well', async ({ expect }) => {
    const project = asking('one', 'two');
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows(CHOICE);
    terminal.type(CTRL_D);
    await terminal.shows('left open');
    await project.helix(['decide', await question(project), 'A']);
    await terminal.shows('Phase two needs your');
    await project.helix(['decide', await question(project), 'A']);
    expect((await terminal.end).code).toBe(0);
  });

  it('an answer given elsewhere ends the asking', async ({ expect }) => {
    const project = made({ phases: [{ id: 'one', type: 'development', requires_approval: true }], ...HELD });
    const terminal = onTerminal(project, `${HELIX} run --trust; cat`);
    await terminal.shows(CHOICE);
    const before = terminal.shown().length;
    await project.helix(['decide', await question(project), 'A']);
    await eventually(() => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u.test(terminal.shown().slice(before)));
    project.letGo('one');
    await terminal.shows('Report: ');
    terminal.type(`for cat${'\n'}${CTRL_D}`);
    const { code, shown } = await terminal.end;
    expect(code).toBe(0);
    expect(shown).toMatch(/for cat\s+for cat/);
    expect((await project.journaled()).facts.filter((fact) => fact.startsWith('decision_taken'))).toHaveLength(1);
  });

  it('cancel from elsewhere ends it too', async ({ expect }) => {
    const project = asking('one');
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows(CHOICE);
    expect((await project.helix(['cancel'])).code).toBe(0);
    expect((await terminal.end).code).toBe(1);
  });

  it('Ctrl-C leaves, the question stays open, and resume asks it again', async ({ expect }) => {
    const project = asking('one');
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows(CHOICE);
    terminal.type(CTRL_C);
    expect((await terminal.end).code).toBe(130);
    expect((await project.journaled()).facts.at(-1)).toBe('run_interrupted');
    const again = onTerminal(project, `${HELIX} resume`);
    await again.shows(CHOICE);
    again.type('A\n');
    await again.shows(COMMENT);
    again.type('\n');
    expect((await again.end).code).toBe(0);
  });

  it('what was typed before the question came is no answer to it', async ({ expect }) => {
    const project = made({
      phases: [
        { id: 'one', type: 'development' },
        { id: 'two', type: 'development', requires_approval: true },
      ],
      ...HELD,
    });
    project.letGo('two');
    const terminal = onTerminal(project, `${HELIX} run --trust`);
    await project.atWork('one');
    terminal.type('B\nB\n\n');
    // The terminal's echo: it has them.
    await eventually(() => /B\r\n[\s\S]*B\r\n/.test(terminal.shown()));
    project.letGo('one');
    await terminal.shows(CHOICE);
    terminal.type('A\n');
    await terminal.shows(COMMENT);
    terminal.type('\n');
    expect((await terminal.end).code).toBe(0);
    expect((await project.journaled()).facts).toContain('decision_taken A proceed');
  });

  it('what happens meanwhile is shown above the prompt', async ({ expect }) => {
    const project = made({
      phases: [
        { id: 'asks', type: 'development', requires_approval: true },
        { id: 'works', type: 'development', depends_on: [] },
      ],
      ...HELD,
    });
    project.letGo('asks');
    const terminal = onTerminal(project, `${HELIX} run --trust`);
    await terminal.shows(CHOICE);
    project.letGo('works');
    await terminal.shows('passed with attempt 1');
    await terminal.shows(CHOICE);
    terminal.type('A\n');
    await terminal.shows(COMMENT);
    terminal.type('\n');
    expect((await terminal.end).code).toBe(0);
  });

  it('a run that is parked says when it goes on, and Ctrl-C leaves it for resume', async ({ expect }) => {
    const project = made({
      phases: [{ id: 'one', type: 'development' }],
      script: { one: [{ result: 'rate_limit' }, WRITES] },
    });
    const terminal = onTerminal(project, `${HELIX} run`);
    await terminal.shows('parked: ');
    await eventually(() =>
      /trying\s+again\s+at\s+\d{4}-\d\d-\d\d\s+\d\d:\d\d/.test(terminal.shown().replaceAll(CONTROL, '')),
    );
    expect(JSON.parse((await project.helix(['status', '--json'])).stdout).status).toBe('parked');
    terminal.type(CTRL_C);
    expect((await terminal.end).code).toBe(130);
    expect((await project.helix(['resume'])).code).toBe(0);
  });

  it('--no-wait and --json leave at once: with 3 for a question, with 5 for a quota', async ({ expect }) => {
    const ends = [
      onTerminal(asking('one'), `${HELIX} run --no-wait`).end,
      onTerminal(asking('one'), `${HELIX} run --json`).end,
      onTerminal(
        made({ phases: [{ id: 'one', type: 'development' }], script: { one: [{ result: 'overloaded' }] } }),
        `${HELIX} run --no-wait`,
      ).end,
    ];
    expect((await Promise.all(ends)).map(({ code }) => code)).toEqual([3, 3, 5]);
  });

  it('a terminal without control sequences is asked as well', async ({ expect }) => {
    const terminal = onTerminal(asking('one'), `${HELIX} run`, { TERM: 'dumb' });
    await terminal.shows(CHOICE);
    terminal.type('A\n');
    await terminal.shows(COMMENT);
    terminal.type('\n');
    const { code, shown } = await terminal.end;
    expect(code).toBe(0);
    expect(shown).not.toMatch(CONTROL);
  });
});

describe.concurrent('decide on a terminal', () => {
  it('asks for the answer, goes on with the run and asks what comes next', async ({ expect }) => {
    const project = asking('one', 'two');
    expect((await project.helix(['run'])).code).toBe(3);
    const terminal = onTerminal(project, `${HELIX} decide ${await question(project)}`);
    for (const phase of ['one', 'two']) {
      await terminal.shows(`Phase ${phase} needs your`);
      await terminal.shows(CHOICE);
      terminal.type('A\n');
      await terminal.shows(COMMENT);
      terminal.type('\n');
    }
    expect((await terminal.end).code).toBe(0);
  });

  it('stops asking when somebody else answers, and says who', async ({ expect }) => {
    const project = asking('one');
    await project.helix(['run']);
    const request = await question(project);
    const terminal = onTerminal(project, `${HELIX} decide ${request}`);
    await terminal.shows(CHOICE);
    expect((await project.helix(['decide', request, 'A'])).code).toBe(0);
    const { code, shown } = await terminal.end;
    expect(code).toBe(2);
    expect(shown).toContain('was already answered with A by ');
  });

  it('leaves the question open on empty input', async ({ expect }) => {
    const project = asking('one');
    await project.helix(['run']);
    const terminal = onTerminal(project, `${HELIX} decide ${await question(project)}`);
    await terminal.shows(CHOICE);
    terminal.type('\n');
    expect((await terminal.end).code).toBe(3);
  });
});
