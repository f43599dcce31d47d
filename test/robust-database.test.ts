import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, it } from 'vitest';
import { judgedTwice } from './essence.ts';
import { boundByPermissions, giveAway, held, RobustProject } from './robust-project.ts';

const COMMANDS = [['run'], ['status'], ['list'], ['resume'], ['cancel'], ['inbox'], ['logs']];
const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

function simple(parts: Partial<ConstructorParameters<typeof RobustProject>[0]> = {}): RobustProject {
  const project = new RobustProject({
    phases: [{ id: 'one', type: 'development' }],
    script: { one: [{ writes: { 'output/a.txt': 'a' } }] },
    ...parts,
  });
  projects.push(project);
  return project;
}

/** Locks a journal as another program would, until it is told to let go. */
function hold(project: RobustProject, pragma = ''): () => void {
  const db = new DatabaseSync(project.path('.helix/helix.db'), { timeout: 60_000 });
  db.exec(`${pragma} BEGIN EXCLUSIVE`);
  return () => db.close();
}

describe.concurrent('a journal that is none', () => {
  it.for([
    {
      what: 'garbage',
      make: (path: string) => writeFileSync(path, 'garbage '.repeat(1000)),
      says: 'not a HELIX journal',
    },
    {
      what: "another program's database",
      make: (path: string) => {
        const db = new DatabaseSync(path);
        db.exec('CREATE TABLE precious (x); INSERT INTO precious VALUES (1)');
        db.close();
      },
      says: 'database of another program',
    },
    {
      what: 'the journal of a newer HELIX',
      make: (path: string) => {
        const db = new DatabaseSync(path);
        db.exec('PRAGMA application_id = 0x48454c58; PRAGMA user_version = 99; CREATE TABLE runs (x)');
        db.close();
      },
      says: 'newer HELIX',
    },
    { what: 'a directory', make: (path: string) => mkdirSync(path), says: 'cannot be used' },
  ])('$what is refused by every command and left as it is', async ({ make, says }, { expect }) => {
    const project = simple();
    const path = project.path('.helix/helix.db');
    mkdirSync(project.path('.helix'));
    make(path);
    const before = says === 'cannot be used' ? undefined : readFileSync(path);
    for (const { code, stderr, stdout } of await Promise.all(COMMANDS.map((args) => project.helix(args)))) {
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
      expect(stdout + stderr).not.toContain('inside HELIX');
    }
    if (before !== undefined) expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('.helix being a file is refused', async ({ expect }) => {
    const project = simple();
    project.write('.helix', '');
    expect(await project.helix(['run'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not a directory') });
  });

  it('a journal cut short by a failing disk is refused, not repaired by guessing', async ({ expect }) => {
    const project = simple();
    expect((await project.helix(['run'])).code).toBe(0);
    const whole = readFileSync(project.path('.helix/helix.db'));
    writeFileSync(project.path('.helix/helix.db'), whole.subarray(0, 3 * 4096 - 100));
    for (const { code, stderr } of await Promise.all([project.helix(['status']), project.helix(['run'])])) {
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('damaged') });
    }
  });
});

describe.concurrent('a project that may not be written', () => {
  it.for([
    { what: 'a read-only directory of runs', path: '.helix/runs', mode: 0o500 },
    { what: 'a read-only journal', path: '.helix/helix.db', mode: 0o400 },
  ])('$what is a clear error, and what was recorded can still be read', async ({ path, mode }, ctx) => {
    const through = boundByPermissions();
    if (through === undefined) return ctx.skip('there is no setpriv to become a user whom permissions bind');
    const { expect } = ctx;
    const project = simple();
    expect((await project.helix(['run'])).code).toBe(0);
    giveAway(project.dir);
    chmodSync(project.path(path), mode);
    const run = await project.helix(['run'], { through });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used') });
    expect(run.stderr).not.toContain('inside HELIX');
    const status = await project.helix(['status'], { through });
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('passed') });
  });

  it('a project of somebody else is a clear error', async (ctx) => {
    const through = boundByPermissions();
    if (through === undefined || through.length === 0) return ctx.skip('only root can make a file of somebody else');
    const { expect } = ctx;
    const project = simple();
    chmodSync(project.dir, 0o755);
    const run = await project.helix(['run'], { through, env: { XDG_STATE_HOME: '/nonexistent' } });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('permission denied') });
    expect(run.stderr).not.toContain('inside HELIX');
  });
});

describe.concurrent('a locked journal', () => {
  it('is an error with a way out after a patience of 5 s, and everything works when it is free', async ({ expect }) => {
    const project = simple();
    expect((await project.helix(['run'])).code).toBe(0);
    const release = hold(project, 'PRAGMA locking_mode = EXCLUSIVE;');
    const ends = await Promise.all([['run'], ['status'], ['resume'], ['list']].map((args) => project.helix(args)));
    release();
    for (const { code, stderr } of ends) {
      expect({ code, stderr }).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('is locked by another program'),
      });
    }
    expect((await project.helix(['run'])).code).toBe(0);
  });

  it('can still be looked at while another program writes', async ({ expect }) => {
    const project = simple();
    expect((await project.helix(['run'])).code).toBe(0);
    const release = hold(project);
    const { code } = await project.helix(['status']);
    release();
    expect(code).toBe(0);
  });

  it('in the middle of a run stops it with exit 5, and resume goes on without judging anything twice', async ({
    expect,
  }) => {
    const agents = { default: held('mkdir -p output; printf a > output/a.txt') };
    const project = simple({ agents, sandbox: 'basic' });
    const run = project.start(['run', '--trust']);
    await project.atWork('one');
    const release = hold(project);
    project.letGo('one');
    const { code, stderr } = await run.end;
    release();
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('helix resume') });
    expect((await project.helix(['resume'])).code).toBe(0);
    const { events, facts, state } = await project.journaled();
    expect(judgedTwice(events)).toEqual([]);
    expect(facts.at(-1)).toBe('run_finished passed');
    expect(state.phases.get('one')?.history.judged).toBe(1);
  });
});
