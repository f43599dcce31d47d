import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualPath } from '../src/report/words/run-paths.ts';
import { startHelix } from './helix-process.ts';
import { decideAs, NO_CONSULTANT } from './human.ts';
import { Repository } from './repository.ts';
import { contents, makeFifo, put } from './scratch.ts';

const WANTED = { type: 'custom', command: ['grep', '-q', 'right', 'out.txt'], max_retries: 1 };

/** A run whose agent never gets it right, up to the question. */
async function asked(mode: string, more: Readonly<Record<string, string>> = {}) {
  const repository = new Repository({
    files: { ...NO_CONSULTANT, 'given.md': 'given\n', ...more },
    agent: 'echo wrong > out.txt; echo more > more.txt',
    phases: [{ id: 'work', type: 'development', input: ['given.md'], output: ['out.txt'], quality_gate: WANTED }],
    plan: { workspace: mode },
  });
  const { run, code } = await repository.run();
  expect(code).toBe(3);
  return { repository, run, place: join(repository.dir, manualPath(run, 'work')) };
}

/** What is there for the human, without git's own. */
function offered(place: string): Record<string, string> {
  return Object.fromEntries(Object.entries(contents(place)).filter(([path]) => !path.startsWith('.git/')));
}

describe.each(['repo', 'phase-dirs'])("a human's own change (%s)", (mode) => {
  it('starts from the last work and its inputs, is judged like an attempt, and what passes is accepted', async () => {
    const { repository, run, place } = await asked(mode);
    const given = mode === 'repo' ? 'given.md' : 'input/given.md';
    expect(offered(place)).toMatchObject({ 'out.txt': 'wrong\n', 'more.txt': 'more\n', [given]: 'given\n' });
    put(place, { 'out.txt': 'right\n', 'new/own.txt': 'own\n', '.helix/x': 'x', '.foo.0123456789ab': 'mine' });
    rmSync(join(place, 'more.txt'));
    // Neither a restart nor clearing up touches it while the question is open.
    await repository.resume();
    expect((await repository.helix(['gc'])).code).toBe(0);
    expect(readFileSync(join(place, 'new/own.txt'), 'utf8')).toBe('own\n');
    await decideAs(repository.dir, { action: 'take' });
    const { code, events, state } = await repository.resume();
    expect({ code, left: readdirSync(join(place, '..')).filter((name) => /^(worktree|earlier)/.test(name)) }).toEqual({
      code: 0,
      left: [],
    });
    const at = events.findIndex((event) => event.type === 'attempt_started' && event.data.manual === true);
    const [started, finished, judged, accepted] = events.slice(at);
    const [first] = events.filter((event) => event.type === 'attempt_finished');
    expect(started?.data).toMatchObject({ attempt: 2, agent: 'human', start: first?.data.tree, turn: 1 });
    expect(finished).toMatchObject({
      type: 'attempt_finished',
      data: { cost: { usd: 0, basis: 'reported' }, simulated: false, durationMs: 0 },
    });
    expect(judged).toMatchObject({ type: 'attempt_judged', data: { attempt: 2, verdicts: [{ outcome: 'pass' }] } });
    expect(accepted).toMatchObject({ type: 'phase_accepted', data: { attempt: 2 } });
    const names = mode === 'repo' ? await repository.files() : Object.keys(contents(repository.path('phases/work')));
    expect(names).toEqual(expect.arrayContaining(['new/own.txt', 'out.txt', '.foo.0123456789ab']));
    expect(names.filter((name) => /^(\.helix|\.git)\/|more/.test(name))).toEqual([]);
    expect(state?.phases.get('work')?.accepted).not.toHaveProperty('override');
    for (const args of [
      ['diff', run, 'work', '--attempt', '2'],
      ['gate', '--run', run, 'work'],
    ]) {
      expect(await repository.helix(args)).toMatchObject({ code: 0 });
    }
    const looked = await repository.helix(['shell', run, 'work', '--', 'cat', 'out.txt']);
    expect(looked).toMatchObject({ code: 0, stdout: 'right\n' });
  });

  it('that changes nothing or is not right is rejected, and asked about once more from where it stands', async () => {
    const { repository, place } = await asked(mode);
    await decideAs(repository.dir, { action: 'take' });
    const same = await repository.resume();
    expect(same.code).toBe(3);
    expect(same.state?.phases.get('work')).toMatchObject({
      history: { judged: 2 },
      lastVerdicts: [{ outcome: 'reject' }],
    });
    put(place, { 'out.txt': 'still not\n' });
    rmSync(join(place, '..', 'worktree.json'));
    rmSync(place, { recursive: true });
    await decideAs(repository.dir, { action: 'take', files: { 'out.txt': 'nearly\n', 'a/b.txt': 'b\n' } });
    const other = await repository.resume();
    expect(other.code).toBe(3);
    expect(offered(place)).toMatchObject({ 'out.txt': 'nearly\n', 'a/b.txt': 'b\n', 'more.txt': 'more\n' });
    await decideAs(repository.dir, { action: 'take', files: { 'out.txt': 'right\n' } });
    expect((await repository.resume()).code).toBe(0);
  });

  it('keeps nothing that leads out of it, and says so', async () => {
    const { repository, place } = await asked(mode, { 'link-target/x': '' });
    put(repository.root, { 'outside/file': 'outside\n' });
    symlinkSync(repository.beside('outside'), join(place, 'away'));
    makeFifo(join(place, 'pipe'));
    mkdirSync(join(place, 'closed'));
    chmodSync(join(place, 'closed'), 0o500);
    const files = { 'away/file': 'through\n', '../up.txt': 'up\n', '.git/config': 'x', 'out.txt': 'right\n' };
    await decideAs(repository.dir, { action: 'take', files });
    const { code, findings, state } = await repository.resume();
    const said = findings.map(({ message }) => message).join('\n');
    expect(code).toBe(3);
    expect(said).toContain('../up.txt of your change leaves its directory');
    expect(said).toContain('.git/config of your change belongs to git or to HELIX');
    expect(readFileSync(repository.beside('outside/file'), 'utf8')).toBe('outside\n');
    expect(existsSync(join(place, '..', 'up.txt'))).toBe(false);
    expect(state?.phases.get('work')?.current?.stage).toBe('judged');
  });

  it('is taken once and whole, however often HELIX is killed meanwhile', async () => {
    const { repository, place } = await asked(mode);
    put(place, { 'out.txt': 'right\n' });
    await decideAs(repository.dir, { action: 'take' });
    // Ever longer by a third: on a busy machine it may take long until it comes to its end.
    for (let after = 300; ; after *= 1.3) {
      const { child, end } = startHelix(['resume'], { cwd: repository.dir, env: repository.env() });
      const timer = setTimeout(() => child.kill('SIGKILL'), after);
      const { signal, code } = await end;
      clearTimeout(timer);
      if (signal !== null) continue;
      expect(code).toBe(0);
      break;
    }
    const { events, state } = await repository.journaled();
    expect(events.filter((event) => event.type === 'attempt_started' && event.data.manual)).toHaveLength(1);
    expect(events.filter((event) => event.type === 'attempt_interrupted')).toEqual([]);
    expect(state?.phases.get('work')?.accepted?.attempt).toBe(2);
    expect(existsSync(place)).toBe(false);
  });
});

describe('what lies there for a human', () => {
  it.each(['repo', 'phase-dirs'])('is kept when they changed it and another answer is given (%s)', async (mode) => {
    const { repository, run, place } = await asked(mode);
    put(place, { 'out.txt': 'mine\n' });
    await decideAs(repository.dir, { action: 'abort' });
    const { code, stderr } = await repository.helix(['resume']);
    const earlier = `${manualPath(run, 'work').replace(/worktree$/, '')}earlier`;
    const kept = `${earlier}/${readdirSync(join(repository.dir, earlier))[0]}/worktree`;
    expect(code).toBe(1);
    expect(stderr).toContain(`your change was not taken; it is kept in ${kept}`);
    expect(readFileSync(repository.path(`${kept}/out.txt`), 'utf8')).toBe('mine\n');
    expect(existsSync(place)).toBe(false);
  });

  it.each(['repo', 'phase-dirs'])('is gone when nobody changed it and another answer is given (%s)', async (mode) => {
    const { repository, place } = await asked(mode);
    await decideAs(repository.dir, { action: 'abort' });
    expect((await repository.resume()).code).toBe(1);
    expect(existsSync(place)).toBe(false);
    expect(existsSync(join(place, '../earlier'))).toBe(false);
  });

  it('has a git of its own in a repository, so that nothing done there reaches the one of the user', async () => {
    const { repository, place } = await asked('repo');
    const before = repository.digest();
    put(place, { 'out.txt': 'right\n' });
    expect(repository.gitIn(place, 'status', '--porcelain')).toContain('M out.txt');
    repository.gitIn(place, 'add', '--all');
    repository.gitIn(place, 'commit', '-q', '-m', 'mine');
    repository.gitIn(place, 'reset', '-q', '--hard', 'HEAD');
    expect(repository.digest()).toEqual(before);
    await decideAs(repository.dir, { action: 'take' });
    expect((await repository.resume()).code).toBe(0);
    expect(await repository.result('out.txt')).toBe('right');
  });

  it('is asked about where a protected file was changed, as with any attempt', async () => {
    const repository = new Repository({
      files: { ...NO_CONSULTANT, 'kept.txt': 'kept\n' },
      agent: 'echo wrong > out.txt',
      phases: [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: WANTED }],
      plan: { protected: ['kept.txt'] },
    });
    await repository.run();
    await decideAs(repository.dir, { action: 'take', files: { 'kept.txt': 'other\n', 'out.txt': 'right\n' } });
    const { code, state } = await repository.resume();
    expect(code).toBe(3);
    expect([...(state?.requests.values() ?? [])].at(-1)?.reason).toBe('protected');
  });
});
