import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it, type TestContext } from 'vitest';
import { judgedTwice } from './essence.ts';
import { repetitions } from './repetitions.ts';
import { held, type Measured, RobustProject } from './robust-project.ts';
import { FAST } from './run-scenario.ts';

const KB = 1024;
const BIG = 100_000;
const STEP_KB = repetitions(46, 20);
const MOST_KB = 460;

const outside = mkdtempSync(join(FAST, 'helix-script-'));
const SCRIPT = join(outside, 'script.yaml');
const ENDLESS = join(outside, 'endless.yaml');
const moves = (sleep: number) => ({
  phases: {
    one: [{ prints: 'hello', sleep, writes: { 'output/a.txt': 'a' } }],
    two: [{ prints: 'hello', writes: { 'output/b.txt': 'x'.repeat(BIG) } }],
  },
});
writeFileSync(SCRIPT, JSON.stringify(moves(0)));
writeFileSync(ENDLESS, JSON.stringify(moves(3600)));

const mounted: string[] = [];
afterAll(() => {
  for (const dir of mounted) {
    spawnSync('umount', ['-l', dir]);
    rmSync(dir, { recursive: true, force: true });
  }
  rmSync(outside, { recursive: true, force: true });
});

/** A disk of 2 MB with a project on it, whose first phase is held after this work, if any; skips the test, visibly, where nothing can be mounted. */
function smallDisk(ctx: TestContext, work?: string): SmallDisk {
  const dir = mkdtempSync(join(FAST, 'helix-disk-'));
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'helix', dir]);
  if (status !== 0) {
    rmSync(dir, { recursive: true });
    ctx.skip(`no small disk can be mounted here: ${error?.message ?? String(stderr).trim()}`);
  }
  mounted.push(dir);
  return new SmallDisk(dir, work);
}

class SmallDisk {
  readonly project: RobustProject;
  readonly #filler: string;

  constructor(dir: string, work?: string) {
    this.project = new RobustProject({
      dir,
      ...(work && { agents: { held: held(work) }, sandbox: 'basic' }),
      phases: [
        { id: 'one', type: 'development', output: ['output/a.txt'], ...(work && { agent: 'held' }) },
        { id: 'two', type: 'development', output: ['output/b.txt'] },
      ],
    });
    this.#filler = join(dir, 'filler');
  }

  /** Fills the disk but for some room; a run that writes at the same time may use the last of it up first. */
  fill(freeKb: number): void {
    const { bavail, bsize } = statfsSync(this.project.dir);
    const fd = openSync(this.#filler, 'w');
    const bytes = Math.max(0, bavail * bsize - freeKb * KB);
    try {
      for (let at = 0; at < bytes; ) at += writeSync(fd, Buffer.alloc(Math.min(256 * KB, bytes - at)));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
    closeSync(fd);
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  remount(options: string): void {
    const { status, stderr } = spawnSync('mount', ['-o', `remount,${options}`, this.project.dir]);
    if (status !== 0) throw new Error(`cannot remount: ${stderr}`);
  }

  start(script = SCRIPT) {
    return this.project.start(['run', '--trust', '--script', script]);
  }

  /** Goes on after there is room again: with the run there is or, where not even that could be recorded, with a new one. */
  async goOn(): Promise<Measured> {
    const resumed = await this.project.helix(['resume', '--script', SCRIPT]);
    return resumed.stderr.includes('there is no run') ? this.start().end : resumed;
  }

  /** What must hold in the end, however it came to that. */
  async outcome() {
    const { events, facts, state } = await this.project.journaled();
    const report = this.project.path(`.helix/runs/${state.run}/final/report.html`);
    return {
      last: facts.at(-1),
      again: judgedTwice(events),
      judged: [...state.phases.values()].map((phase) => phase.history.judged),
      size: statSync(this.project.path('phases/two/output/b.txt')).size,
      report: existsSync(report),
      verdicts: existsSync(this.project.path(`.helix/runs/${state.run}/phases/two/logs/attempt-1/verdicts.json`)),
      stray: readdirSync(this.project.dir, { recursive: true, encoding: 'utf8' }).filter((path) =>
        /(^|\/)\.[^/]*(\.tmp|\.[0-9a-f]{12})$/.test(path),
      ),
    };
  }
}

const WELL = {
  last: 'run_finished passed',
  again: [],
  judged: [1, 1],
  size: BIG,
  report: true,
  verdicts: true,
  stray: [],
};

describe('a disk that fills up', () => {
  it(`anywhere between 0 and ${MOST_KB} KB parks the run with exit 5, and resume ends it with nothing lost or judged twice`, async (ctx) => {
    const { expect } = ctx;
    const rooms = Array.from({ length: 1 + Math.floor(MOST_KB / STEP_KB) }, (_, n) => n * STEP_KB);
    const seen = { unstarted: 0, parked: 0, passed: 0 };
    const worker = async () => {
      for (let room = rooms.shift(); room !== undefined; room = rooms.shift()) {
        const disk = smallDisk(ctx);
        disk.fill(room);
        const { code, stderr } = await disk.start().end;
        expect(stderr).not.toContain('inside HELIX');
        if (code !== 0) {
          expect({ room, code, stderr }).toMatchObject({
            code: 5,
            stderr: expect.stringContaining('the disk is full: '),
          });
          expect(stderr).toContain('Free some space');
        }
        if (code === 0) seen.passed += 1;
        else if (stderr.includes('started')) seen.parked += 1;
        else seen.unstarted += 1;
        disk.free();
        const after = await disk.goOn();
        expect({ room, code: after.code, stderr: after.stderr }).toMatchObject({ code: 0 });
        expect({ room, ...(await disk.outcome()) }).toEqual({ room, ...WELL });
      }
    };
    // All are waited for, so that none mounts anything after the others have failed.
    for (const end of await Promise.allSettled([worker(), worker(), worker()])) {
      if (end.status === 'rejected') throw end.reason;
    }
    expect(Math.min(seen.unstarted, seen.parked, seen.passed)).toBeGreaterThan(0);
  });

  it('while an agent works parks the run, and a larger disk lets it go on', async (ctx) => {
    const { expect } = ctx;
    const disk = smallDisk(ctx, 'mkdir -p output; printf a > output/a.txt');
    const run = disk.start();
    await disk.project.atWork('one');
    disk.fill(0);
    disk.project.letGo('one');
    const { code, stderr } = await run.end;
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('the disk is full') });
    const still = await disk.project.helix(['resume', '--script', SCRIPT]);
    expect({ code: still.code, stderr: still.stderr }).toMatchObject({ code: 5 });
    disk.remount('size=64m');
    expect((await disk.goOn()).code).toBe(0);
    expect(await disk.outcome()).toEqual(WELL);
  });

  it('can still be asked how the run stands', async (ctx) => {
    const { expect } = ctx;
    const disk = smallDisk(ctx);
    disk.fill(150);
    expect((await disk.start().end).code).toBe(5);
    disk.fill(0);
    const { code, stdout, stderr } = await disk.project.helix(['status']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('one');
  });
});

describe('a disk that is read-only', () => {
  it('is a clear error to run and resume, and the run goes on when it can be written again', async (ctx) => {
    const { expect } = ctx;
    const disk = smallDisk(ctx);
    const run = disk.start(ENDLESS);
    await run.says('attempt 1 started');
    run.kill('SIGINT');
    expect((await run.end).code).toBe(130);
    disk.remount('ro');
    for (const args of [['resume'], ['run']]) {
      const { code, stderr } = await disk.project.helix(args);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('read-only file system') });
      expect(stderr).not.toContain('inside HELIX');
    }
    disk.remount('rw');
    expect((await disk.goOn()).code).toBe(0);
    expect(await disk.outcome()).toEqual(WELL);
  });
});
