import { readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHelix } from './helix-process.ts';
import { decideAs, NO_CONSULTANT } from './human.ts';
import { Repository, type RepositoryRun } from './repository.ts';
import { contents, put } from './scratch.ts';

/** Each phase writes a file of its name with the number of its call, and logs what it found. */
const AGENT = `
calls="$(dirname "$0")/calls"
echo "$HELIX_PHASE: $(ls | grep txt | tr '\\n' ' ')" >> "$calls"
[ -f "$(dirname "$0")/broken" ] && exit 1
grep -c "^$HELIX_PHASE:" "$calls" > "$HELIX_PHASE.txt"`;

/** The last phase passes when the first was done twice. */
const PHASES = [
  { id: 'one', type: 'development', output: ['one.txt'] },
  { id: 'two', type: 'development', output: ['two.txt'] },
  {
    id: 'three',
    type: 'development',
    output: ['three.txt'],
    quality_gate: { type: 'custom', command: ['grep', '-qv', '^1$', 'one.txt'], max_retries: 1 },
  },
];

const FOUND = ['one: ', 'two: one.txt ', 'three: one.txt two.txt '];

function stuck(parts: ConstructorParameters<typeof Repository>[0] = {}): Repository {
  return new Repository({ phases: PHASES, agent: AGENT, ...parts });
}

function found(repository: Repository): string[] {
  return readFileSync(repository.beside('calls'), 'utf8').replace(/\n$/, '').split('\n');
}

function subjects(repository: Repository, run: string): string[] {
  return repository.git('log', '--format=%s', `main..helix/${run}`).split('\n').filter(Boolean);
}

function accepted({ events }: RepositoryRun): string[] {
  return events.flatMap((event) => (event.type === 'phase_accepted' ? [event.data.tree] : []));
}

/** Resumes again and again, each time killed a little later, until the run has come to its end. */
async function killed(repository: Repository): Promise<void> {
  for (let after = 300; ; after *= 1.3) {
    const { child, end } = startHelix(['resume'], { cwd: repository.dir, env: repository.env() });
    const timer = setTimeout(() => child.kill('SIGKILL'), after);
    const { signal, code } = await end;
    clearTimeout(timer);
    if (signal === null) return expect(code).toBe(0);
  }
}

/** Makes all that HELIX keeps look as old as it must be to be cleared away. */
function age(dir: string): void {
  const long = new Date(Date.now() - 7 * 86_400_000);
  for (const item of readdirSync(dir, { withFileTypes: true })) {
    if (item.isDirectory()) age(join(dir, item.name));
    else utimesSync(join(dir, item.name), long, long);
  }
}

describe('a run in a repository that goes back to an earlier phase', () => {
  it('does all again from what was accepted before, on a branch without the reverted work, which the journal keeps', async () => {
    const repository = stuck({ files: NO_CONSULTANT });
    const before = repository.digest();
    const asked = await repository.run();
    const old = repository.git('rev-parse', `helix/${asked.run}`);
    expect(subjects(repository, asked.run)).toEqual(['two', 'one']);
    await decideAs(repository.dir, { action: 'revert', phase: 'one' });
    const { code, state, run } = await repository.resume();
    expect({ code, subjects: subjects(repository, run) }).toEqual({ code: 0, subjects: ['three', 'two', 'one'] });
    expect(repository.git('merge-base', old, `helix/${run}`)).toBe(repository.git('rev-parse', 'main'));
    expect(found(repository)).toEqual([...FOUND, ...FOUND]);
    expect(await repository.result('one.txt')).toBe('2');
    expect(state?.tip?.commit).toBe(repository.git('rev-parse', `helix/${run}`));
    expect(repository.digest()).toEqual(before);

    repository.git('reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all');
    repository.git('gc', '-q', '--prune=now');
    age(repository.path('.helix', 'repo', 'objects'));
    expect((await repository.helix(['gc'])).code).toBe(0);
    const reverted = await repository.helix(['diff', run, 'two', '--attempt', '1']);
    expect(reverted).toMatchObject({ code: 0, stdout: expect.stringContaining('+++ b/two.txt') });
  });

  it('shows nothing of the reverted work while it is done again', async () => {
    const repository = stuck({ files: NO_CONSULTANT });
    const { run } = await repository.run();
    await decideAs(repository.dir, { action: 'revert', phase: 'two' });
    put(repository.root, { broken: '' });
    const { state } = await repository.resume();
    expect(subjects(repository, run)).toEqual(['one']);
    expect(state?.tip?.commit).toBe(repository.git('rev-parse', `helix/${run}`));
  });

  it('goes back to nothing where the repository had no commit', async () => {
    const repository = stuck({ files: false });
    put(repository.dir, NO_CONSULTANT);
    const { run } = await repository.run();
    await decideAs(repository.dir, { action: 'revert', phase: 'one' });
    put(repository.root, { broken: '' });
    await repository.resume();
    expect(repository.git('for-each-ref')).toBe('');
    await decideAs(repository.dir, { action: 'retry' });
    rmSync(repository.beside('broken'));
    expect((await repository.resume()).code).toBe(0);
    expect(repository.git('log', '--format=%s', `helix/${run}`).split('\n')).toEqual(['three', 'two', 'one']);
  });

  it('leaves its branch alone where somebody has amended it', async () => {
    const repository = stuck({ files: NO_CONSULTANT });
    const { run } = await repository.run();
    repository.git('switch', '-q', `helix/${run}`);
    repository.git('commit', '-q', '--amend', '--no-edit', '--date=2020-01-01T00:00:00Z');
    const theirs = repository.git('rev-parse', 'HEAD');
    repository.git('switch', '-q', 'main');
    await decideAs(repository.dir, { action: 'revert', phase: 'one' });
    const { code, said } = await repository.resume();
    expect({ code, branch: repository.git('rev-parse', `helix/${run}`) }).toEqual({ code: 3, branch: theirs });
    expect(said).toContain(`somebody moved the run's branch helix/${run}`);
  });

  it('comes to the same however often it is killed while it goes back', async () => {
    const repository = stuck({ files: NO_CONSULTANT });
    const { run } = await repository.run();
    await decideAs(repository.dir, { action: 'revert', phase: 'one' });
    await killed(repository);
    expect(subjects(repository, run)).toEqual(['three', 'two', 'one']);
    const { state, events } = await repository.journaled();
    expect(state?.ended?.status).toBe('passed');
    expect(events.filter(({ type }) => type === 'plan_reverted')).toHaveLength(1);
    expect(state?.tip?.commit).toBe(repository.git('rev-parse', `helix/${run}`));
  });
});

describe('a run in directories of its phases that goes back to an earlier phase', () => {
  const plan = { workspace: 'phase-dirs' };
  const phases = PHASES.map((phase) => ({
    ...phase,
    ...(phase.quality_gate && {
      quality_gate: { ...phase.quality_gate, command: ['grep', '-qv', '^1$', 'input/one/one.txt'] },
    }),
  }));

  it('starts every phase from what lay there before it, with nothing of the reverted work', async () => {
    const repository = stuck({ phases, plan, files: { ...NO_CONSULTANT, 'phases/two/mine.txt': 'mine\n' } });
    const asked = await repository.run();
    expect(asked.code).toBe(3);
    const first = accepted(asked);
    await decideAs(repository.dir, { action: 'revert', phase: 'one' });
    const done = await repository.resume();
    expect(done.code).toBe(0);
    const phase = ['one: ', 'two: mine.txt ', 'three: '];
    expect(found(repository)).toEqual([...phase, ...phase]);
    const given = done.events.flatMap((event) =>
      event.type === 'attempt_started' && event.seq > (done.state?.seq ?? 0) / 2 ? event.data.inputs : [],
    );
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter(({ from }) => first.includes(from.tree))).toEqual([]);
    expect(repository.read('phases/three/input/one/one.txt')).toBe('2\n');
    expect(repository.read('phases/two/mine.txt')).toBe('mine\n');
    expect(contents(repository.path('.helix/aside'))).toEqual({});
  });

  it('comes to the same however often it is killed while it goes back', async () => {
    const repository = stuck({ phases, plan, files: NO_CONSULTANT });
    await repository.run();
    await decideAs(repository.dir, { action: 'revert', phase: 'one' });
    await killed(repository);
    const { state } = await repository.journaled();
    expect(state?.ended?.status).toBe('passed');
    expect(repository.read('phases/two/two.txt')).toMatch(/^[2-9]\n$/);
    expect(repository.read('phases/three/input/two/two.txt')).toBe(repository.read('phases/two/two.txt'));
  });
});
