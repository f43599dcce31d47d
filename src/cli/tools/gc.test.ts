import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startHelix } from '../../../test/helix-process.ts';
import { Repository } from '../../../test/repository.ts';
import { eventually } from '../../../test/robust-project.ts';
import { sampleStart } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import { systemClock } from '../../adapters/clock.ts';
import { openSqliteJournal } from '../../adapters/journal/sqlite-journal.ts';
import { GcDocument } from '../../domain/documents/documents.ts';
import { STAMP_LAG_MS } from '../../domain/stamp-lag.ts';

const FAILING = { type: 'custom', command: ['test', '-e', 'good'], max_retries: 1 };
const STUCK = [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: FAILING }];
const WAIT = 'while [ ! -e "$HELIX_PROJECT_DIR/go" ]; do sleep 0.02; done';
const WAIT_AND_WORK = `${WAIT}; echo done > out.txt`;
const YEAR_MS = 365 * 86_400_000;

async function gc(repository: Repository, ...args: string[]) {
  const { code, stdout, stderr } = await repository.helix(['gc', '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const document = GcDocument.parse(JSON.parse(stdout));
  return {
    ...document,
    kinds: [...new Set(document.removed.map(({ kind }) => kind))].sort(),
    why: (name: string) => document.kept.find((item) => item.name === name)?.why,
  };
}

function listed(...path: string[]): string[] {
  const dir = join(...path);
  return existsSync(dir) ? readdirSync(dir) : [];
}

/** The folders of the project's cache. */
function cached(repository: Repository, folder: string): string[] {
  return listed(repository.beside('cache/helix')).flatMap((project) =>
    listed(repository.beside('cache/helix'), project, folder),
  );
}

async function runs(repository: Repository): Promise<string[]> {
  const { stdout } = await repository.helix(['list', '--json']);
  return (JSON.parse(stdout) as { runs: { run: string }[] }).runs.map(({ run }) => run);
}

/** Starts a run whose agent waits, and resolves once that is at work. */
async function started(repository: Repository) {
  const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
  while (!existsSync(repository.beside('at-work'))) await pause(20);
  return { child, end, run: (await repository.journaled()).run };
}

/** Tells whether the agent that wrote its number there lives. */
function isAtWork(repository: Repository): boolean {
  const pid = readFileSync(repository.beside('at-work'), 'utf8').trim();
  return existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
}

/** Kills a `helix gc` while it waits for the n-th program that it calls; false where it came to its end before. */
async function killedAt(repository: Repository, call: number): Promise<boolean> {
  const dir = scratch();
  const env = repository.env({ PATH: `${dir}:${process.env.PATH}` });
  const stands = `echo >> ${dir}/calls
if [ "$(wc -l < ${dir}/calls)" -ge ${call} ]; then
  touch ${dir}/met
  while kill -0 $PPID 2> ${dir}/gone; do sleep 0.02; done
  exit 1
fi`;
  for (const name of ['git', 'rm']) {
    const real = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    writeFileSync(join(dir, name), `#!/bin/sh\n${stands}\nexec ${real} "$@"\n`, { mode: 0o755 });
  }
  const { child, end } = startHelix(['gc', '--older-than', '0d'], { cwd: repository.dir, env });
  await eventually(() => existsSync(join(dir, 'met')) || child.exitCode !== null);
  const met = existsSync(join(dir, 'met'));
  expect(child.exitCode).toBe(met ? null : 0);
  child.kill('SIGKILL');
  expect(await end).toMatchObject({ signal: met ? 'SIGKILL' : null });
  return met;
}

function makeOld(path: string, ms = YEAR_MS): void {
  const then = new Date(Date.now() - ms);
  execFileSync('find', [path, '-exec', 'touch', '-h', '-d', then.toISOString(), '{}', '+']);
}

describe('helix gc', () => {
  it('clears up after a run that was killed, which can still be resumed; a dry run only tells', async () => {
    const repository = new Repository();
    repository.agent(`echo $$ > ${repository.beside('at-work')}; ${WAIT_AND_WORK}`);
    const { child, end, run } = await started(repository);
    child.kill('SIGKILL');
    await end;
    const before = repository.digest();
    const told = await gc(repository, '--dry-run');
    expect(told.kinds).toEqual(['index', 'lock', 'process', 'worktree']);
    expect({ worktrees: repository.worktrees(), left: isAtWork(repository) }).toEqual({
      ...{ worktrees: [run], left: true },
    });
    const done = await gc(repository);
    const named = ({ removed }: typeof told) =>
      removed.filter(({ kind }) => kind !== 'process').map(({ kind, name }) => `${kind} ${name}`);
    expect(named(done)).toEqual(named(told));
    expect(done.why(run)).toMatch(/not ended/);
    expect(isAtWork(repository)).toBe(false);
    expect([
      repository.worktrees(),
      cached(repository, 'locks'),
      listed(repository.path('.helix/repo/indexes')),
    ]).toEqual([...[[], [], []]]);
    expect(repository.digest()).toEqual(before);
    expect(await gc(repository)).toMatchObject({ removed: [], freedBytes: 0 });
    writeFileSync(repository.path('go'), '');
    expect((await repository.resume()).state?.ended?.status).toBe('passed');
  });

  it('touches nothing of a run that somebody works on', async () => {
    const repository = new Repository();
    repository.agent(`echo $$ > ${repository.beside('at-work')}; ${WAIT_AND_WORK}`);
    const { end, run } = await started(repository);
    const { removed, why } = await gc(repository, '--older-than', '0d', '--branches');
    expect({ removed, why: why(run) }).toEqual({ removed: [], why: 'somebody works there' });
    writeFileSync(repository.path('go'), '');
    expect((await end).code).toBe(0);
    expect(await repository.result('out.txt')).toBe('done');
  });

  it('touches nothing of a run that is only starting, before any journal knows of it', async () => {
    const gate = { type: 'custom', command: ['sh', '-c', `touch "$HELIX_PROJECT_DIR/../at-work"; ${WAIT}`] };
    const phases = [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: gate }];
    const repository = new Repository({ phases });
    const { end } = await started(repository);
    expect((await repository.journaled()).run).toBe('');
    const { removed } = await gc(repository);
    expect({ removed, worktrees: repository.worktrees().length }).toEqual({ removed: [], worktrees: 1 });
    writeFileSync(repository.path('go'), '');
    expect((await end).code).toBe(0);
  });

  it('forgets old runs, deletes their branches once they are merged, and leaves unfinished runs whole', async () => {
    const repository = new Repository({ agent: 'date +%N > out.txt' });
    const merged = (await repository.run()).run;
    repository.git('merge', '-q', `helix/${merged}`);
    const other = (await repository.run()).run;
    const lately = await gc(repository);
    expect(lately.removed).toEqual([{ kind: 'branch', name: `helix/${merged}`, bytes: 0 }]);
    expect([lately.why(`helix/${other}`), lately.why(other)]).toEqual(['not merged yet', 'ended lately']);
    repository.write({
      'phases.yaml': JSON.stringify({
        project: { name: 'x', description: 'A trial' },
        workspace: 'repo',
        phases: STUCK,
      }),
    });
    const open = await repository.run();
    expect(open.code).toBe(3);
    makeOld(repository.path('.helix/repo/objects'), 7_200_000);
    const old = await gc(repository, '--older-than', '0d');
    expect(old.kinds).toEqual(['object', 'run']);
    expect(old.why(`helix/${other}`)).toMatch(/not merged; delete one with git branch -D/);
    expect(await runs(repository)).toEqual([open.run]);
    expect(listed(repository.path('.helix/runs'))).toEqual([open.run]);
    expect(repository.git('branch', '--list', '--format=%(refname:short)', 'helix/*').split('\n').sort()).toEqual(
      [`helix/${open.run}`, `helix/${other}`].sort(),
    );
    expect((await repository.helix(['diff', open.run, 'work'])).stdout).toContain('+++ b/out.txt');
    expect((await repository.helix(['gate', 'work'])).code).toBe(1);
    repository.git('merge', '-q', '-s', 'ours', `helix/${other}`);
    expect((await gc(repository)).removed).toEqual([{ kind: 'branch', name: `helix/${other}`, bytes: 0 }]);
    expect(repository.git('fsck', '--no-progress')).not.toMatch(/missing|broken/);
    repository.agent('echo > good; echo done > out.txt');
    const [request] = open.state?.requests.values() ?? [];
    const again = request?.options.find(({ decision }) => decision.action === 'retry')?.id ?? '';
    const { code, stderr } = await repository.helix(['decide', request?.id ?? '', again]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });

  it('deletes what is not merged only when told to, and never what is checked out or was built upon', async () => {
    const repository = new Repository({ agent: 'date +%N > out.txt' });
    const [lost, out, upon] = [await repository.run(), await repository.run(), await repository.run()].map(
      ({ run }) => run,
    );
    repository.git('worktree', 'add', '-q', repository.beside('elsewhere'), `helix/${out}`);
    repository.git(
      'branch',
      '-f',
      `helix/${upon}`,
      repository.git('commit-tree', '-p', `helix/${upon}`, '-m', 'mine', `helix/${upon}^{tree}`),
    );
    const young = await gc(repository, '--branches');
    expect(young.removed).toEqual([]);
    const { removed, why } = await gc(repository, '--older-than', '0d', '--branches');
    expect(removed.filter(({ kind }) => kind === 'branch').map(({ name }) => name)).toEqual([`helix/${lost}`]);
    expect(why(`helix/${out}`)).toBe(`checked out in ${repository.beside('elsewhere')}`);
    expect(why(`helix/${upon}`)).toBe('holds commits that are not of the run');
    expect(await runs(repository)).toEqual([]);
  });

  it('removes dependencies that nobody has used for long, and half-installed ones', async () => {
    const setup = [['sh', '-c', 'mkdir -p deps && echo installed > deps/lib']];
    const plan = { workspace: { mode: 'repo', setup, cache: ['deps'] } };
    const repository = new Repository({ plan, files: { '.gitignore': 'deps\n' } });
    await repository.run();
    const [project = ''] = listed(repository.beside('cache/helix'));
    const store = repository.beside(join('cache/helix', project, 'set-up'));
    const [key = ''] = listed(store);
    makeOld(store);
    // What lies there is used only if it was surely changed before the next HELIX began.
    await pause(10 * STAMP_LAG_MS);
    await repository.run();
    mkdirSync(join(store, `${key}.1a2b3c4d`));
    expect((await gc(repository)).removed.map(({ kind }) => kind)).toEqual(['set-up']);
    expect(listed(store)).toEqual([key]);
    makeOld(store);
    expect((await gc(repository)).removed.map(({ kind }) => kind)).toEqual(['set-up']);
    expect(listed(store)).toEqual([]);
    expect((await repository.run()).state?.ended?.status).toBe('passed');
  });

  it('where phases have directories, old trees go, those of unfinished runs stay, and files of the user are only named', async () => {
    const agent = 'mkdir -p output; echo $HELIX_PHASE $$ > output/out.txt';
    const phases = ['one', 'two'].map((id) => ({ id, type: 'development' }));
    const repository = new Repository({ agent, phases, plan: { workspace: 'phase-dirs' } });
    const { run } = await repository.run();
    repository.write({ 'phases/two/mine.txt': 'mine' });
    repository.agent(`touch ${repository.beside('at-work')}; mkdir -p output; ${WAIT_AND_WORK}; mv out.txt output`);
    const second = startHelix(['run', '--trust', '--from', `${run}:two`], {
      cwd: repository.dir,
      env: repository.env(),
    });
    while (!existsSync(repository.beside('at-work'))) await pause(20);
    second.child.kill('SIGKILL');
    await second.end;
    mkdirSync(repository.path('phases/.one.judged'));
    makeOld(repository.path('.helix/trees'));
    const { kinds, kept } = await gc(repository, '--older-than', '0d');
    expect(kinds).toEqual(['copy', 'process', 'run', 'tree']);
    expect(kept.find(({ name }) => name.endsWith('.helix/left'))?.why).toContain('notes');
    expect(listed(repository.path('phases')).sort()).toEqual(['one', 'two']);
    writeFileSync(repository.path('go'), '');
    const { state } = await repository.resume();
    expect(state?.ended?.status).toBe('passed');
    expect((await repository.helix(['diff'])).stdout).toContain('+++ b/phases/one/output/out.txt');
    expect(repository.read('phases/two/mine.txt')).toBe('mine');
    mkdirSync(repository.path('.helix/aside/two'), { recursive: true });
    writeFileSync(repository.path('.helix/aside/two/mine.txt'), 'mine');
    const text = await repository.helix(['gc', '--older-than', '0d']);
    expect(text.stdout).toContain(`kept ${repository.path('.helix/aside')}: files that were moved out of the way`);
    expect(repository.read('.helix/aside/two/mine.txt')).toBe('mine');
  });

  it('removes what was half written and what a removed run has left, unless it is young', async () => {
    const repository = new Repository();
    const { run } = await repository.run();
    const [orphan, young] = ['20200101-00000000', '20200101-11111111'];
    for (const name of [orphan, young]) mkdirSync(repository.path(`.helix/runs/${name}`));
    for (const name of ['.summary.json.0123456789ab', '.fresh.json.0123456789ab'])
      writeFileSync(repository.path(`.helix/runs/${run}/${name}`), '{');
    makeOld(repository.path(`.helix/runs/${run}/.summary.json.0123456789ab`));
    makeOld(repository.path(`.helix/runs/${orphan}`));
    const { removed } = await gc(repository);
    expect(removed.map(({ kind, name }) => [kind, name])).toEqual([
      ['temporary', '.summary.json.0123456789ab'],
      ['run', orphan],
    ]);
    expect(listed(repository.path('.helix/runs')).sort()).toEqual([young, run]);
  });

  it('ends what a killed helix gate has left', async () => {
    const gate = { type: 'custom', command: ['sh', '-c', 'touch "$HELIX_PROJECT_DIR/../at-work"; sleep 3600'] };
    const phases = [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: gate }];
    const repository = new Repository({ phases });
    const { child, end } = startHelix(['gate', 'work', '--trust'], { cwd: repository.dir, env: repository.env() });
    while (!existsSync(repository.beside('at-work'))) await pause(20);
    expect((await gc(repository)).removed).toEqual([]);
    child.kill('SIGKILL');
    await end;
    expect((await gc(repository)).kinds).toEqual(['index', 'lock', 'process', 'worktree']);
    expect(repository.worktrees()).toEqual([]);
  });

  it('follows no link and believes no name that somebody put there', async () => {
    const repository = new Repository();
    const { run } = await repository.run();
    mkdirSync(repository.beside('precious'));
    writeFileSync(repository.beside('precious/a.txt'), 'precious');
    const journal = openSqliteJournal(repository.path('.helix'), systemClock);
    const { ownership } = await journal.create('../../../precious', sampleStart('../../../precious'));
    const end = { type: 'run_finished', data: { status: 'passed' } } as const;
    await journal.append('../../../precious', { expectedSeq: 1, fence: ownership.fence }, [end]);
    ownership.release();
    journal.close();
    const { removed } = await gc(repository, '--older-than', '0d');
    expect(removed.map(({ name }) => name)).toEqual([run]);
    execFileSync('rm', ['-rf', repository.path('.helix/repo/indexes')]);
    symlinkSync(repository.beside('precious'), repository.path('.helix/repo/indexes'));
    const refused = await repository.helix(['gc']);
    expect({ code: refused.code, linked: refused.stderr.includes('is a symbolic link') }).toEqual({
      code: 2,
      linked: true,
    });
    expect(listed(repository.beside('precious'))).toContain('a.txt');
  });

  it('can be killed at any of the programs that it calls and begun again', async () => {
    const repository = new Repository({ agent: 'date +%N > out.txt' });
    const ended = await Promise.all([repository.run(), repository.run()]);
    repository.write({
      'phases.yaml': JSON.stringify({
        project: { name: 'x', description: 'A trial' },
        workspace: 'repo',
        phases: STUCK,
      }),
    });
    const { run } = await repository.run();
    makeOld(repository.path('.helix/repo/objects'), 7_200_000);
    let kills = 0;
    while (await killedAt(repository, kills + 1)) kills += 1;
    expect(kills).toBeGreaterThan(5);
    makeOld(repository.path('.helix/runs'), 7_200_000);
    await gc(repository, '--older-than', '0d', '--branches');
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect([await runs(repository), listed(repository.path('.helix/runs'))]).toEqual([[run], [run]]);
    expect(repository.git('for-each-ref', '--format=%(refname:short)')).toBe(`helix/${run}\nmain`);
    expect((await repository.helix(['diff', run, 'work'])).stdout).toContain('+++ b/out.txt');
  });

  it('refuses an age it does not understand, and does nothing where nothing is', async () => {
    const repository = new Repository();
    expect((await repository.helix(['gc', '--older-than', 'ages'])).code).toBe(2);
    expect((await repository.helix(['gc'])).stdout).toBe('nothing to clear up\n');
    expect(existsSync(repository.path('.helix'))).toBe(false);
    expect(spawnSync('git', ['-C', repository.top, 'status', '--porcelain'], { encoding: 'utf8' }).stdout).toBe('');
  });
});
