import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Move } from '../src/domain/plan/script.ts';
import { NO_CONSULTANT } from './human.ts';
import { DEEP } from './repetitions.ts';
import { boundByPermissions, giveAway, held, type Measured, RobustProject } from './robust-project.ts';
import { FAST } from './run-scenario.ts';

const GB = 1024 ** 3;
const outside = mkdtempSync(join(FAST, 'helix-outside-'));
const projects: RobustProject[] = [];
afterAll(() => {
  for (const { dir } of projects) {
    spawnSync('chmod', ['-R', 'u+rwX', dir]);
    rmSync(dir, { recursive: true, force: true });
  }
  rmSync(outside, { recursive: true, force: true });
});

/** Two phases, the second of which is given what the first one made; one judged attempt, then a human is asked. */
function twoPhases(
  moves: readonly Move[],
  gate: Record<string, unknown> = { type: 'files_exist' },
  work?: string,
): RobustProject {
  const quality_gate = { max_retries: 1, ...gate };
  const project = new RobustProject({
    phases: [
      { id: 'one', type: 'development', output: ['output/a.txt'], quality_gate, ...(work && { agent: 'held' }) },
      { id: 'two', type: 'development' },
    ],
    script: { ...(work === undefined && { one: moves }), two: [{ writes: { 'output/b.txt': 'b' } }] },
    files: NO_CONSULTANT,
    ...(work && { agents: { held: held(work) }, sandbox: 'basic' }),
  });
  projects.push(project);
  return project;
}

const SOME = { 'output/a.txt': 'a' };
const MAKES_SOME = 'mkdir -p output; printf a > output/a.txt';
const CRASHES_ONCE = `${MAKES_SOME}; [ $HELIX_TURN = 1 ]`;

/** The two phases with an agent in the first that does this work and is then held, so that the test can act in its place. */
function heldPhases(work = MAKES_SOME, gate?: Record<string, unknown>): RobustProject {
  return twoPhases([], gate, work);
}

/** Runs while `act` does, in the agent's place and time, what no script can. */
async function withAgent(project: RobustProject, act: (dir: string) => void | Promise<void>): Promise<Measured> {
  const run = project.start(['run', '--trust']);
  await project.atWork('one');
  await act(project.path('phases/one'));
  project.letGo('one');
  return run.end;
}

function tool(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args);
  if (status !== 0) throw new Error(`this test needs ${command}: ${error?.message ?? stderr}`);
}

/** What every run must keep to, whatever its agent leaves. */
function bounded({ stdout, stderr, peakMb, cpuSeconds }: Measured, limitMb = 250) {
  return {
    broken: /inside HELIX/.test(stdout + stderr),
    heavy: peakMb > limitMb ? peakMb : false,
    // Twice what it takes at most alone: a core that is shared counts more CPU time for the same work.
    slow: cpuSeconds > 20 ? cpuSeconds : false,
  };
}
const BOUNDED = { broken: false, heavy: false, slow: false };

/**
 * Most memory for 50,000 kept files: 2.5 times that of a run that keeps one. Alone it takes 1.85 times as much; where collections
 * of garbage have to wait for a core, up to 2.1.
 */
let floodLimitMb = 0;
beforeAll(async () => {
  const { code, peakMb } = await withAgent(heldPhases(), () => undefined);
  if (code !== 0) throw new Error(`a run that keeps one file ended with ${code}`);
  floodLimitMb = 2.5 * peakMb;
});

async function messages(project: RobustProject): Promise<string> {
  const { state } = await project.journaled();
  return (state.phases.get('one')?.lastVerdicts ?? [])
    .flatMap((verdict) => verdict.findings.map(({ severity, message }) => `${severity}: ${message}`))
    .join('\n');
}

describe.concurrent('an agent that leaves', () => {
  it('FIFOs, sockets, devices and links that lead out or in circles is warned, and its files move on', async ({
    expect,
  }) => {
    const project = heldPhases();
    writeFileSync(join(outside, 'secret'), 'secret');
    const end = await withAgent(project, async (dir) => {
      tool('mkfifo', join(dir, 'pipe'));
      const server = createServer().listen(join(dir, 'socket'));
      await new Promise((resolve) => server.once('listening', resolve));
      server.unref();
      symlinkSync('/dev/zero', join(dir, 'zero'));
      symlinkSync(join(outside, 'secret'), join(dir, 'output/out'));
      symlinkSync('../../../..', join(dir, 'output/up'));
      symlinkSync('.', join(dir, 'here'));
      symlinkSync('here/here/here/../../../etc/passwd', join(dir, 'sly'));
      symlinkSync('b', join(dir, 'a'));
      symlinkSync('a', join(dir, 'b'));
      symlinkSync('nowhere', join(dir, 'dangling'));
      symlinkSync('a.txt', join(dir, 'output/alias.txt'));
    });
    expect(end.code).toBe(0);
    expect(bounded(end)).toEqual(BOUNDED);
    const said = await messages(project);
    for (const what of [
      'pipe is a FIFO',
      'socket is a socket',
      'zero is a link',
      'output/out is a link',
      'output/up is a link',
      'sly is a link',
    ]) {
      expect(said).toContain(`warning: ${what}`);
    }
    const given = project.path('phases/two/input/one/output');
    expect(readdirSync(given, { recursive: true }).sort()).toEqual(['a.txt', 'alias.txt']);
    expect(readFileSync(join(given, 'alias.txt'), 'utf8')).toBe('a');
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it.for<[string, (path: string) => void, RegExp]>([
    ['a directory', (path) => mkdirSync(path, { recursive: true }), /output\/a\.txt is missing/],
    ['a FIFO', (path) => tool('mkfifo', path), /output\/a\.txt is a FIFO/],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path), /output\/a\.txt is a link that leaves/],
    ['a link out of its directory', (path) => symlinkSync('../../two', path), /output\/a\.txt is a link that leaves/],
    ['a link to itself', (path) => symlinkSync('a.txt', path), /output\/a\.txt is missing/],
    ['a sparse file of 10 GB', (path) => sparse(path, 10 * GB), /output\/a\.txt is too large to be kept \(10240 MB/],
  ])('%s where a file is expected is told so', async ([, make, says], { expect }) => {
    const project = heldPhases('mkdir -p output; printf x > output/x');
    const end = await withAgent(project, (dir) => make(join(dir, 'output/a.txt')));
    expect(end.code).toBe(3);
    expect(bounded(end)).toEqual(BOUNDED);
    expect(await messages(project)).toMatch(new RegExp(`error: ${says.source}`));
  });

  it('files with the strangest names and bytes hands them on as they are', async ({ expect }) => {
    const names = [
      '"quoted"',
      "it's",
      '-rf',
      '--help',
      '$(touch x)',
      '\\back',
      'ünï cødé 🧬',
      'n'.repeat(250),
      ' ',
      '*',
    ];
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const project = heldPhases(MAKES_SOME, {
      type: 'custom',
      command: 'test "$(ls -A output | wc -c)" -gt 300',
    });
    const end = await withAgent(project, (dir) => {
      for (const name of names) writeFileSync(join(dir, 'output', name), bytes);
    });
    expect({ code: end.code, stderr: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, stderr: '' });
    expect(bounded(end)).toEqual(BOUNDED);
    const given = project.path('phases/two/input/one/output');
    expect(readdirSync(given).sort()).toEqual(['a.txt', ...names].sort());
    for (const name of names) expect(readFileSync(join(given, name)).equals(bytes)).toBe(true);
    const { stdout, code } = await project.helix(['status', '--json']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect((await project.helix(['logs'])).stdout).not.toContain('\u001b');
  });

  it.for(['line\nfeed', '\u001b[31mred'])('a name with characters nobody sees is rejected: %j', async (name, {
    expect,
  }) => {
    const project = heldPhases(MAKES_SOME);
    const end = await withAgent(project, (dir) => writeFileSync(join(dir, 'output', name), 'x'));
    expect(end.code).toBe(3);
    expect(end.stderr).toContain('has characters nobody sees');
    expect(end.stderr).not.toContain('\u001b');
  });

  it('a name that is not text is warned, and its files move on', async ({ expect }) => {
    const project = heldPhases();
    const end = await withAgent(project, (dir) => {
      writeFileSync(Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.from([0xe9])]), 'x');
    });
    expect(end.code).toBe(0);
    expect(await messages(project)).toContain('has a name that is not UTF-8');
  });

  it('directories nested deeper than can be kept, or than can even be named, is warned', async ({ expect }) => {
    const project = heldPhases(CRASHES_ONCE);
    const nests = [0, 1].map(() => [nested('d'), nested('e'.repeat(200))]);
    const run = project.start(['run', '--trust']);
    for (const [turn, nest] of nests.entries()) {
      await project.atWork('one', turn);
      for (const [index, dir] of nest.entries()) renameSync(dir, project.path(`phases/one/${index}`));
      project.letGo('one', turn);
    }
    const end = await run.end;
    expect(end.code).toBe(0);
    expect(bounded(end)).toEqual(BOUNDED);
    expect((await messages(project)).match(/lies too deep to be kept/g)).toHaveLength(2);
  });

  it('no directory at all is told what is missing', async ({ expect }) => {
    const project = heldPhases();
    const end = await withAgent(project, (dir) => rmSync(dir, { recursive: true }));
    expect(end.code).toBe(3);
    expect(bounded(end)).toEqual(BOUNDED);
    expect(await messages(project)).toContain('error: output/a.txt is missing');
  });

  it('not even the directory of all phases is told what is missing', async ({ expect }) => {
    const project = heldPhases();
    const end = await withAgent(project, () => rmSync(project.path('phases'), { recursive: true }));
    expect(end.code).toBe(3);
    expect(await messages(project)).toContain('error: output/a.txt is missing');
  });

  it.runIf(DEEP)('60,000 files and breaks down is started again without them', async ({ expect }) => {
    const project = heldPhases(CRASHES_ONCE);
    project.letGo('one', 1);
    const many = manyFiles();
    const end = await withAgent(project, (dir) => {
      rmSync(dir, { recursive: true });
      renameSync(many, dir);
    });
    expect({ code: end.code, stderr: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, stderr: '' });
    expect(bounded(end, floodLimitMb)).toEqual(BOUNDED);
    expect(readdirSync(project.path('phases/one'))).toEqual(['output']);
  });

  it('60,000 files and calls that done is rejected', async ({ expect }) => {
    const project = heldPhases();
    const many = manyFiles();
    const end = await withAgent(project, (dir) => renameSync(many, join(dir, 'many')));
    expect(end.code).toBe(3);
    expect(bounded(end, floodLimitMb)).toEqual(BOUNDED);
    expect(await messages(project)).toContain('error: more than 50000 files; the rest was not kept');
  });
});

/** A directory with 60,000 files, to be moved where it is needed. */
function manyFiles(): string {
  const dir = mkdtempSync(join(outside, 'many-'));
  tool('sh', '-c', `cd '${dir}' && seq 60000 | split -l 1 -a 4 - f`);
  return dir;
}

/** A directory with a hundred more in each other. */
function nested(name: string): string {
  const dir = mkdtempSync(join(outside, 'nested-'));
  const dig = `for (let n = 0; n < 100; n += 1) { fs.mkdirSync('${name}'); process.chdir('${name}'); } fs.writeFileSync('leaf', '')`;
  tool(process.execPath, '-e', `process.chdir('${dir}'); ${dig}`);
  return dir;
}

function sparse(path: string, bytes: number): void {
  writeFileSync(path, '');
  truncateSync(path, bytes);
}

describe.concurrent('what the user keeps in the directory of a phase', () => {
  it('stays there even where HELIX cannot keep it, and is not followed', async ({ expect }) => {
    const project = twoPhases([{ writes: SOME }]);
    const dir = project.path('phases/one');
    writeFileSync(join(outside, 'own'), 'own');
    mkdirSync(dir, { recursive: true });
    sparse(join(dir, 'video.raw'), 10 * GB);
    tool('mkfifo', join(dir, 'pipe'));
    symlinkSync(join(outside, 'own'), join(dir, 'link'));
    const end = await project.helix(['run']);
    expect(end.code).toBe(0);
    expect(bounded(end)).toEqual(BOUNDED);
    expect(readdirSync(dir).sort()).toEqual(['link', 'output', 'pipe', 'video.raw']);
    expect(readFileSync(join(outside, 'own'), 'utf8')).toBe('own');
    expect(existsSync(project.path('phases/two/input/one/link'))).toBe(false);
  });
});

describe.concurrent('a directory for phases that leads elsewhere', () => {
  it.for([
    ['phases', 'phases'],
    ['phases/one', 'phases/one'],
  ])('by %s being a link asks a human and touches nothing there', async ([path = ''], { expect }) => {
    const elsewhere = mkdtempSync(join(outside, 'elsewhere-'));
    for (const dir of ['one', '.one.judged']) {
      mkdirSync(join(elsewhere, dir));
      writeFileSync(join(elsewhere, dir, 'precious'), 'precious');
    }
    const project = twoPhases([{ writes: SOME }]);
    if (path !== 'phases') mkdirSync(project.path('phases'));
    symlinkSync(path === 'phases' ? elsewhere : join(elsewhere, 'one'), project.path(path));
    for (const args of [['run'], ['resume'], ['cancel']]) {
      const end = await project.helix(args);
      expect(bounded(end)).toEqual(BOUNDED);
      if (args[0] !== 'cancel')
        expect({ code: end.code, said: end.stderr + end.stdout }).toMatchObject({
          code: 3,
          said: expect.stringContaining('is a symbolic link'),
        });
    }
    const left = readdirSync(elsewhere, { recursive: true, encoding: 'utf8' }).sort();
    expect(left).toEqual(['.one.judged', '.one.judged/precious', 'one', 'one/precious']);
  });
});

describe.concurrent('an agent that leaves what may not be touched', () => {
  it.for<[string, (dir: string) => void]>([
    ['a file nobody may read', (dir) => chmodSync(join(dir, 'output/a.txt'), 0)],
    ['a directory nobody may enter', (dir) => chmodSync(join(dir, 'output'), 0)],
    ['a directory nobody may write', (dir) => chmodSync(join(dir, 'output'), 0o555)],
    ['its whole directory closed', (dir) => chmodSync(dir, 0)],
  ])('%s is judged all the same, and the next attempt starts clean', async ([, close], ctx) => {
    const through = boundByPermissions();
    if (through === undefined) return ctx.skip('there is no setpriv to become a user whom permissions bind');
    const { expect } = ctx;
    const project = heldPhases(`mkdir -p output; printf turn-$HELIX_TURN > output/a.txt; [ $HELIX_TURN = 1 ]`);
    giveAway(project.dir);
    const run = project.start(['run', '--trust'], { through });
    for (const turn of [0, 1]) {
      await project.atWork('one', turn);
      close(project.path('phases/one'));
      project.letGo('one', turn);
    }
    const end = await run.end;
    expect({ code: end.code, stderr: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(project.path('phases/two/input/one/output/a.txt'), 'utf8')).toBe('turn-1');
  });

  it('a gate that closes its copy does not stop the run', async (ctx) => {
    const through = boundByPermissions();
    if (through === undefined) return ctx.skip('there is no setpriv to become a user whom permissions bind');
    const { expect } = ctx;
    const project = twoPhases([{ writes: SOME }], {
      type: 'custom',
      command: 'mkdir -p shut/in && chmod 0 shut output',
    });
    giveAway(project.dir);
    const end = await project.helix(['run', '--trust'], { through });
    expect({ code: end.code, stderr: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(project.path('phases')).sort()).toEqual(['one', 'two']);
  });
});
