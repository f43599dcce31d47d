import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Repository, WAIT } from './repository.ts';
import { eventually } from './robust-project.ts';
import { put } from './scratch.ts';

const EDIT = (from: string, to: string) => (text: string) => text.replaceAll(from, to);

function editPlan(repository: Repository, edit: (text: string) => string): void {
  repository.write({ 'phases.yaml': edit(repository.read('phases.yaml')) });
}

/** How often the agent was called, by phase. */
function calls(repository: Repository): Record<string, number> {
  const log = repository.beside('calls');
  const names = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

const CALLED = 'echo "$HELIX_PHASE" >> "$(dirname "$0")/calls"';

describe('a run in a repository', () => {
  it('ends with commits on a branch of its own, whose trailers lead back to the journal, and with the command to merge it', async () => {
    const repository = new Repository({
      phases: [
        { id: 'first', name: 'The first thing', type: 'development', output: ['one.txt'] },
        { id: 'second', type: 'development', output: ['two.txt'] },
      ],
      agent: 'echo 1 > one.txt; [ "$HELIX_PHASE" = first ] || echo 2 > two.txt',
    });
    const before = repository.digest();
    const { code, said, run, events } = await repository.run();
    expect({ code, after: repository.digest() }).toEqual({ code: 0, after: before });
    expect(said).toContain(`git merge helix/${run}`);
    const log = repository.git('log', '--reverse', '--format=%an|%s|%(trailers:separator=%x2C)', `main..helix/${run}`);
    const head = (phase: string) =>
      events[
        events.findIndex(({ type, data }) => type === 'phase_accepted' && 'phase' in data && data.phase === phase) - 1
      ]?.hash;
    expect(log.split('\n')).toEqual([
      `Ada|The first thing (first)|Helix-Run: ${run},Helix-Phase: first,Helix-Journal: ${head('first')}`,
      `Ada|second|Helix-Run: ${run},Helix-Phase: second,Helix-Journal: ${head('second')}`,
    ]);
    const status = await repository.helix(['status', '--json']);
    const commit = repository.git('rev-parse', `helix/${run}`);
    expect(JSON.parse(status.stdout)).toMatchObject({ status: 'passed', result: { branch: `helix/${run}`, commit } });
    repository.git('merge', '-q', `helix/${run}`);
    expect([repository.read('one.txt'), repository.read('two.txt')]).toEqual(['1\n', '2\n']);
    expect(repository.worktrees()).toEqual([]);
  });

  it('starts from the last commit and says what it leaves out, or takes it along', async () => {
    const repository = new Repository({
      files: { 'a.txt': 'committed\n', 'b.txt': 'b\n' },
      agent: 'cat a.txt > out.txt; ls > list',
    });
    repository.write({ 'a.txt': 'edited\n', 'new.txt': 'new\n', 'staged.txt': 'staged\n' });
    repository.git('add', 'staged.txt');
    repository.git('rm', '-q', 'b.txt');
    const before = repository.digest();
    const without = await repository.run();
    expect(without.said).toContain('without 4 uncommitted changes (a.txt, b.txt, new.txt, …); --include-dirty');
    expect(await repository.result('out.txt')).toBe('committed');
    const along = await repository.run(['--include-dirty']);
    expect(along.said).toMatch(/4 uncommitted changes (are )?taken along/);
    expect(await repository.result('out.txt')).toBe('edited');
    expect((await repository.result('list')).split('\n')).toEqual(expect.arrayContaining(['new.txt', 'staged.txt']));
    expect(await repository.files()).not.toContain('b.txt');
    expect(repository.digest()).toEqual(before);
  });

  it('is simulated in every commit when its agent is', async () => {
    const repository = new Repository();
    const { run } = await repository.run(['--agent', 'scripted']);
    expect(
      repository.git('log', '-1', '--format=%(trailers:key=Helix-Simulated,valueonly)', `helix/${run}`).trim(),
    ).toBe('true');
  });

  it('may go on beside another one: each has worktrees, a branch and processes of its own', async () => {
    const meet = ': > "$0.$$.here"; while [ "$(ls "$0".*.here | wc -l)" -lt 3 ]; do sleep 0.02; done';
    const repository = new Repository({ agent: `${meet}; echo "$HELIX_MARKER" > out.txt` });
    const ends = await Promise.all([repository.run(), repository.run(), repository.run()]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(repository.git('branch', '--list', 'helix/*').split('\n')).toHaveLength(3);
    expect(repository.worktrees()).toEqual([]);
  });
});

describe('an edited plan', () => {
  it('judges the last work again by the mended gate, without paying any agent again', async () => {
    const repository = new Repository({
      phases: [
        { id: 'one', type: 'development', output: ['one.txt'] },
        {
          id: 'two',
          type: 'development',
          output: ['two.txt'],
          max_retries: 1,
          quality_gate: { type: 'custom', command: ['test', '-f', 'tow.txt'] },
        },
        { id: 'three', type: 'development', output: ['three.txt'] },
      ],
      agent: `${CALLED}; for f in one two three; do echo $f > $f.txt; done`,
    });
    expect((await repository.run()).code).toBe(3);
    editPlan(repository, EDIT('tow.txt', 'two.txt'));
    const untrusted = await repository.resume(['--replan']);
    expect(untrusted).toMatchObject({
      code: 2,
      said: expect.stringContaining('+ gate command of two: ["test","-f","two.txt"]'),
    });
    const { code, state } = await repository.resume(['--replan', '--trust']);
    expect({ code, calls: calls(repository) }).toEqual({ code: 0, calls: { one: 1, two: 1, three: 1 } });
    expect([...(state?.phases ?? [])].map(({ id, history }) => [id, history.judged])).toEqual([
      ['one', 1],
      ['two', 1],
      ['three', 1],
    ]);
    const late = await repository.resume([state?.run ?? '', '--replan']);
    expect(late).toMatchObject({ code: 2, said: expect.stringContaining('has ended; its plan cannot be changed') });
    expect(late.said).toContain('take it (helix status shows where it is), or start a new run: helix run\n');
  });

  it('gives a phase another gate where tests had to go', async () => {
    const tests = 'while read name; do echo "ok $((n += 1)) - $name"; done < names; echo "1..$n"';
    const gate = { type: 'tests_pass', command: tests };
    const repository = new Repository({
      files: { names: 'a\nb\n' },
      phases: [
        { id: 'one', type: 'development', output: ['one.txt'], quality_gate: gate },
        { id: 'two', type: 'development', output: ['two.txt'], quality_gate: gate, max_retries: 1 },
      ],
      agent: `${CALLED}; echo x > $HELIX_PHASE.txt; if [ $HELIX_PHASE = two ]; then echo a > names; fi`,
    });
    const lost = await repository.run();
    expect(lost).toMatchObject({ code: 3, said: expect.stringContaining('fewer tests than before: 1 ran, 2 ran') });
    expect(lost.findings.at(-1)?.hint).toContain('edit phases.yaml, then helix resume --replan');
    const other = JSON.stringify({ type: 'custom', command: ['test', '-s', 'names'] });
    editPlan(repository, (plan) => plan.replace(/("two",[\s\S]*?"quality_gate": )\{[^}]*\}/, `$1${other}`));
    const { code } = await repository.resume(['--replan', '--trust']);
    expect({ code, calls: calls(repository) }).toEqual({ code: 0, calls: { one: 1, two: 1 } });
  });

  it('does again what it changes and what builds on that, and nothing else', async () => {
    const repository = new Repository({
      phases: [
        { id: 'one', type: 'development', output: ['one.txt'] },
        { id: 'two', type: 'development', output: ['two.txt'] },
        { id: 'three', type: 'development', output: ['never.txt'], max_retries: 1 },
      ],
      agent: `${CALLED}; echo "$HELIX_PHASE" >> one.txt; echo x >> two.txt`,
    });
    await repository.run();
    editPlan(repository, EDIT('"two",\n   "type"', '"two",\n   "description": "better",\n   "type"'));
    editPlan(repository, EDIT('never.txt', 'two.txt'));
    const { code } = await repository.resume(['--replan', '--trust']);
    expect({ code, calls: calls(repository) }).toEqual({ code: 0, calls: { one: 1, two: 2, three: 2 } });
  });

  it('with a broken gate command is refused before anything goes on', async () => {
    const repository = new Repository({
      phases: [
        {
          id: 'one',
          type: 'development',
          max_retries: 1,
          quality_gate: { type: 'custom', command: ['test', '-f', 'x'] },
        },
      ],
    });
    await repository.run();
    editPlan(repository, EDIT('"test"', '"sh", "-c", "no-such-program"'));
    const { code, said } = await repository.resume(['--replan', '--trust']);
    expect({ code, said }).toMatchObject({
      code: 2,
      said: expect.stringContaining('the gate custom of one cannot work'),
    });
  });
});

describe('a run that begins with what another one accepted', () => {
  const phases = [
    { id: 'one', type: 'development', output: ['one.txt'] },
    { id: 'two', type: 'development', output: ['two.txt'] },
    { id: 'three', type: 'development', output: ['three.txt'] },
  ];
  const agent = `${CALLED}; for f in one two three; do echo "$HELIX_PHASE $(wc -l < "$(dirname "$0")/calls")" > $f.txt; done`;

  it('does only the named phase and what follows', async () => {
    const repository = new Repository({ phases, agent });
    const first = await repository.run();
    const second = await repository.run(['--from', `${first.run}:two`]);
    expect({ code: second.code, calls: calls(repository) }).toEqual({ code: 0, calls: { one: 1, two: 2, three: 2 } });
    expect(second.said).toContain(`taken over from ${first.run}: one`);
    const parent = repository.git('rev-parse', `helix/${second.run}~2`);
    expect(parent).toBe(repository.git('rev-parse', `helix/${first.run}~2`));
  });

  it('is refused when something it needs was never accepted', async () => {
    const repository = new Repository({ phases, agent: `${CALLED}; false` });
    const first = await repository.run();
    const second = await repository.run(['--from', `${first.run}:three`]);
    expect(second).toMatchObject({ code: 2, said: expect.stringContaining('has not accepted what three needs: two') });
    expect((await repository.run(['--from', 'three'])).said).toContain('--from takes a run and a phase');
  });
});

describe('two phases at once', () => {
  const phases = [
    {
      id: 'left',
      type: 'development',
      depends_on: [],
      output: ['left.txt'],
      quality_gate: { type: 'custom', command: ['sh', '-c', '! grep -q "<<<<" shared.txt'] },
    },
    {
      id: 'right',
      type: 'development',
      depends_on: [],
      output: ['right.txt'],
      quality_gate: { type: 'custom', command: ['test', '-f', 'right.txt'] },
    },
  ];
  const files = { 'shared.txt': 'a\nb\nc\nd\ne\n' };
  const plan = { concurrency: 2 };

  it('join cleanly where they changed different things, and the commands of both judge the result', async () => {
    const agent = `echo x > "$HELIX_PHASE".txt; [ "$HELIX_PHASE" = left ] && sed -i s/a/A/ shared.txt || { ${WAIT}; sed -i s/e/E/ shared.txt; }`;
    const repository = new Repository({ phases, files, plan, agent });
    const { code, events, said } = await repository.runPast('left');
    expect(code, said).toBe(0);
    expect(await repository.result('shared.txt')).toBe('A\nb\nc\nd\nE');
    expect(await repository.files()).toEqual(expect.arrayContaining(['left.txt', 'right.txt']));
    const judged = events.filter(
      ({ type, data }) => type === 'attempt_judged' && 'phase' in data && data.phase === 'right',
    );
    expect(judged.map(({ data }) => ('verdicts' in data ? data.verdicts.length : 0))).toEqual([1, 2]);
  });

  it('that change the same lines conflict: the later one gets the merged tree with both versions and mends it', async () => {
    const agent = `echo x > "$HELIX_PHASE".txt
[ "$HELIX_PHASE" = left ] && { echo left > shared.txt; exit 0; }
if [ "$HELIX_ATTEMPT" = 1 ]; then ${WAIT}; echo right > shared.txt
else cp shared.txt "$(dirname "$0")/seen"; echo both > shared.txt; fi`;
    const repository = new Repository({ phases, files, plan, agent });
    const { code, findings, said } = await repository.runPast('left');
    expect(code, said).toBe(0);
    expect(findings).toEqual([]);
    const seen = readFileSync(repository.beside('seen'), 'utf8');
    expect(seen).toMatch(/^<{7} .*\nleft\n={7}\nright\n>{7} /);
    expect(await repository.result('shared.txt')).toBe('both');
    expect(await repository.files()).toEqual(expect.arrayContaining(['left.txt', 'right.txt']));
  });

  it('whoever mends a conflict keeps to the gates of both', async () => {
    const agent = `echo x > "$HELIX_PHASE".txt
[ "$HELIX_PHASE" = left ] && { echo left > shared.txt; exit 0; }
[ "$HELIX_ATTEMPT" = 1 ] && { ${WAIT}; echo right > shared.txt; }
[ "$HELIX_ATTEMPT" = 2 ] && echo SPOILT > shared.txt
[ "$HELIX_ATTEMPT" = 3 ] && echo both > shared.txt; true`;
    const keeps = { type: 'custom', command: ['sh', '-c', '! grep -q SPOILT shared.txt'] };
    const kept = phases.map((phase) => (phase.id === 'left' ? { ...phase, quality_gate: keeps } : phase));
    const repository = new Repository({ phases: kept, files, plan, agent });
    const { code, findings, said } = await repository.runPast('left');
    expect(code, said).toBe(0);
    expect(findings.map(({ message }) => message)).toContainEqual(expect.stringContaining('this gate of left fails'));
    expect(await repository.result('shared.txt')).toBe('both');
  });

  it('are not accepted while conflict markers are left', async () => {
    const agent = `echo x > "$HELIX_PHASE".txt
[ "$HELIX_PHASE" = left ] && { echo left > shared.txt; exit 0; }
[ "$HELIX_ATTEMPT" = 1 ] && { ${WAIT}; echo right > shared.txt; }
[ "$HELIX_ATTEMPT" = 3 ] && echo both > shared.txt; true`;
    const repository = new Repository({
      phases: phases.map(({ quality_gate: _none, ...phase }) => phase),
      files,
      plan,
      agent,
    });
    const { code, findings } = await repository.runPast('left');
    expect(code).toBe(0);
    expect(findings.map(({ message }) => message)).toContain('shared.txt still has conflict markers');
  });
});

describe('set-up', () => {
  const setup = [['sh', '-c', 'echo once >> "$HOME/set-up"; mkdir -p installed && cp lock.txt installed/version']];
  const workspace = { mode: 'repo', setup, cache: ['installed'], copy: ['.env.test'] };
  const phases = [
    {
      id: 'work',
      type: 'development',
      output: ['out.txt'],
      quality_gate: {
        type: 'custom',
        command: ['sh', '-c', 'cmp installed/version lock.txt && test -f .env.test && test -f out.txt'],
      },
    },
  ];
  const files = { 'package-lock.json': '1', 'lock.txt': '1\n', '.gitignore': '.env.test\n' };

  function times(repository: Repository): number {
    const path = `${repository.home}/set-up`;
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).length : 0;
  }

  it('runs once for each content of the lock files; attempts and gates get a copy', async () => {
    const agent = 'cat installed/version .env.test > out.txt; echo spoilt > installed/version';
    const repository = new Repository({ phases, files, plan: { workspace }, agent });
    repository.write({ '.env.test': 'secret\n' });
    expect((await repository.run()).code).toBe(0);
    expect((await repository.run()).code).toBe(0);
    expect(times(repository)).toBe(1);
    expect(await repository.result('out.txt')).toBe('1\nsecret');
    expect(await repository.changed()).toEqual(['A out.txt']);
  });

  it('runs again for the gate when the agent changed a lock file', async () => {
    const agent = 'echo x > out.txt; echo 2 > package-lock.json; echo 2 > lock.txt';
    const repository = new Repository({ phases, files, plan: { workspace }, agent });
    repository.write({ '.env.test': 'x\n' });
    expect((await repository.run()).code).toBe(0);
    expect(times(repository)).toBe(2);
  });

  it('that fails stops the run before any agent, with the words of the command', async () => {
    const broken = { mode: 'repo', setup: [['sh', '-c', 'echo "no such package: leftpad" >&2; exit 3']], cache: [] };
    const repository = new Repository({ phases, files, plan: { workspace: broken }, agent: CALLED });
    const { code, said } = await repository.run();
    expect(code).toBe(2);
    expect(said).toContain('no such package: leftpad');
    expect(calls(repository)).toEqual({});
  });
});

describe('a gate command', () => {
  it('that cannot run is refused before the first agent', async () => {
    const phases = [
      { id: 'work', type: 'development', quality_gate: { type: 'custom', command: ['sh', '-c', 'pytset -q'] } },
    ];
    const repository = new Repository({ phases, agent: CALLED });
    const { code, said, state } = await repository.run();
    expect({ code, calls: calls(repository), state }).toEqual({ code: 2, calls: {}, state: undefined });
    expect(said).toMatch(/the gate custom of work cannot work: .*pytset/s);
  });

  it('that needs a file a phase is still to write is not tried before that', async () => {
    const phases = [
      {
        id: 'work',
        type: 'development',
        output: ['check.sh'],
        quality_gate: { type: 'custom', command: ['sh', 'check.sh'] },
      },
    ];
    const repository = new Repository({ phases, agent: 'echo true > check.sh' });
    expect((await repository.run()).code).toBe(0);
  });
});

describe('a program of the repository as a gate', () => {
  const phases = [
    { id: 'work', type: 'development', output: ['out.txt'], quality_gate: { type: 'custom', command: ['./check.sh'] } },
  ];
  const files = { 'check.sh': '#!/bin/sh\ntest "$(cat out.txt)" = good\n' };

  it('is the one of the judged tree, and a change to it is shown to a human', async () => {
    const repository = new Repository({
      phases,
      files,
      agent: 'echo bad > out.txt; printf "#!/bin/sh\\nexit 0\\n" > check.sh',
    });
    repository.git('update-index', '--chmod=+x', 'check.sh');
    repository.git('commit', '-qm', 'executable');
    const { code, said } = await repository.run();
    expect(code, said).toBe(3);
    expect(said).toContain('it changed 1 protected file. Is that right? What it changed: "check.sh"');
  });

  it('judges what the agent made of everything else', async () => {
    const repository = new Repository({ phases, files, agent: 'echo good > out.txt' });
    repository.git('update-index', '--chmod=+x', 'check.sh');
    repository.git('commit', '-qm', 'executable');
    const { code, said } = await repository.run();
    expect(code, said).toBe(0);
  });
});

describe('what set-up does to the worktree', () => {
  it('never changes files of the tree: gates see what the agent made of them', async () => {
    const workspace = {
      mode: 'repo',
      setup: [['sh', '-c', 'echo x > vendor/installed; echo y >> vendor/lib.txt']],
      cache: ['vendor'],
    };
    const repository = new Repository({
      files: { 'vendor/lib.txt': 'good\n' },
      plan: { workspace },
      phases: [
        {
          id: 'work',
          type: 'development',
          max_retries: 1,
          quality_gate: { type: 'custom', command: ['grep', '-q', 'good', 'vendor/lib.txt'] },
        },
      ],
      agent: 'cat vendor/lib.txt > seen.txt; echo bad > vendor/lib.txt',
    });
    const { code, said } = await repository.run();
    expect(code, said).toBe(3);
  });

  it('is never the work of the agent, whether it was just installed or copied', async () => {
    const setup = [
      [
        'sh',
        '-c',
        'mkdir -p .venv src/app.egg-info; echo v > .venv/v; echo i > src/app.egg-info/PKG-INFO; echo "# x" >> pyproject.toml',
      ],
    ];
    const workspace = { mode: 'repo', setup, cache: ['.venv'] };
    const repository = new Repository({
      files: { 'pyproject.toml': '[project]\n', '.gitignore': '.venv\n' },
      plan: { workspace },
      agent: 'cat src/app.egg-info/PKG-INFO pyproject.toml > out.txt',
    });
    for (const _ of ['cold', 'warm']) {
      const { code, said } = await repository.run();
      expect(code, said).toBe(0);
      expect(await repository.changed()).toEqual(['A out.txt']);
      expect(await repository.result('out.txt')).toBe('i\n[project]');
    }
  });

  it('is done again when a lock file above the project changes', async () => {
    const setup = [['sh', '-c', 'mkdir -p node_modules; cp ../../package-lock.json node_modules/installed']];
    const repository = new Repository({
      below: 'packages/x',
      files: { 'package-lock.json': '1\n', 'packages/x/.gitignore': 'node_modules\n' },
      plan: { workspace: { mode: 'repo', setup, cache: ['node_modules'] } },
      phases: [
        {
          id: 'work',
          type: 'development',
          output: ['out.txt'],
          quality_gate: { type: 'custom', command: ['cmp', 'node_modules/installed', '../../package-lock.json'] },
        },
      ],
    });
    expect((await repository.run()).code).toBe(0);
    repository.write({ 'package-lock.json': '2\n' });
    repository.commit('another lock');
    const { code, said } = await repository.run();
    expect(code, said).toBe(0);
  });
});

describe('a command that worked before the phase', () => {
  it('and cannot run any more is put before the agent, not before a human', async () => {
    const repository = new Repository({
      files: { 'check.mk': 'all:\n\ttrue\n' },
      phases: [
        {
          id: 'work',
          type: 'development',
          output: ['out.txt'],
          quality_gate: { type: 'custom', command: ['sh', '-c', '. ./env.sh'] },
        },
      ],
      agent: 'echo x > out.txt; [ "$HELIX_ATTEMPT" = 1 ] && echo no-such-program > env.sh || echo true > env.sh',
    });
    repository.write({ 'env.sh': 'true\n' });
    repository.commit('a command that works');
    const { code, said, findings } = await repository.run();
    expect(code, said).toBe(0);
    expect(findings).toMatchObject([{ check: 'broken-command', message: expect.stringContaining('no-such-program') }]);
  });

  it('nor can be set up any more, likewise', async () => {
    const setup = [['sh', '-c', '! grep -q broken package-lock.json']];
    const repository = new Repository({
      files: { 'package-lock.json': 'fine\n' },
      plan: { workspace: { mode: 'repo', setup, cache: [] } },
      phases: [
        { id: 'work', type: 'development', output: ['out.txt'], quality_gate: { type: 'custom', command: ['true'] } },
      ],
      agent:
        'echo x > out.txt; [ "$HELIX_ATTEMPT" = 1 ] && echo broken > package-lock.json || echo better > package-lock.json',
    });
    const { code, said, state } = await repository.run();
    expect(code, said).toBe(0);
    expect(state?.phases.get('work')?.history.judged).toBe(2);
  });
});

describe('uncommitted work that is taken along', () => {
  it('merges with the command that is printed', async () => {
    const repository = new Repository({ files: { 'a.txt': 'a\n' } });
    repository.write({ 'a.txt': 'edited\n', 'new.txt': 'new\n' });
    const { stdout } = await repository.run(['--include-dirty']);
    const command = /^Take it with: (.*)$/m.exec(stdout)?.[1] ?? 'false';
    execFileSync('sh', ['-c', command], { cwd: repository.top, env: repository.env(), stdio: 'pipe' });
    expect([repository.read('a.txt'), repository.read('new.txt'), repository.read('out.txt')]).toEqual([
      'edited\n',
      'new\n',
      'done\n',
    ]);
  });

  it('is refused while it has conflicts', async () => {
    const repository = new Repository({ files: { 'a.txt': 'a\n' } });
    repository.git('switch', '-qc', 'other');
    repository.write({ 'a.txt': 'other\n' });
    repository.commit('other');
    repository.git('switch', '-q', 'main');
    repository.write({ 'a.txt': 'main\n' });
    repository.commit('main');
    expect(() => repository.git('merge', 'other')).toThrow();
    const { code, said } = await repository.run(['--include-dirty']);
    expect({ code, said }).toMatchObject({
      code: 2,
      said: expect.stringContaining('conflicts you have not resolved: a.txt'),
    });
    expect((await repository.run()).code).toBe(0);
  });
});

it('a user who begins a branch without history while an agent works stays on it', async () => {
  const repository = new Repository({ agent: `touch "$(dirname "$0")/started"; ${WAIT}; echo done > out.txt` });
  const running = repository.run();
  await eventually(() => existsSync(repository.beside('started')));
  repository.git('switch', '-q', '--orphan', 'pages');
  put(repository.root, { go: '' });
  const { code, said } = await running;
  expect(code, said).toBe(0);
  expect(repository.git('symbolic-ref', 'HEAD')).toBe('refs/heads/pages');
});

describe('what a user is told', () => {
  it('when merged work fails a gate of the other phase: whose gate it is and why it was asked', async () => {
    const phases = [
      {
        id: 'one',
        type: 'development',
        depends_on: [],
        output: ['one.txt'],
        quality_gate: { type: 'custom', command: ['sh', '-c', 'test ! -e two.txt || test -e both.txt'] },
      },
      { id: 'two', type: 'development', depends_on: [], output: ['two.txt'] },
    ];
    const agent = `echo x > "$HELIX_PHASE".txt; [ "$HELIX_PHASE" = one ] || { ${WAIT}; }; [ "$HELIX_ATTEMPT" = 1 ] || touch both.txt`;
    const repository = new Repository({ phases, plan: { concurrency: 2 }, agent });
    const { code, said, findings } = await repository.runPast('one');
    expect(code, said).toBe(0);
    expect(findings[0]?.message).toMatch(/merged with that of one, this gate of one fails: .*test ! -e two.txt/);
  });

  it('when the plan was edited and nobody said that it counts; an edited budget counts with the plan', async () => {
    const phases = ['one', 'two'].map((id) => ({ id, type: 'development', output: ['out.txt'] }));
    const repository = new Repository({ phases, plan: { budget: { attempts: 1 } } });
    expect((await repository.run()).code).toBe(4);
    expect((await repository.resume()).said).not.toContain('changed since');
    editPlan(repository, EDIT('"attempts": 1', '"attempts": 9'));
    const unchanged = await repository.resume();
    expect(unchanged).toMatchObject({
      code: 4,
      said: expect.stringContaining('phases.yaml changed since this run began'),
    });
    expect((await repository.resume(['--replan'])).code).toBe(0);
  });

  it('when a file that is to be copied is not there', async () => {
    const repository = new Repository({ plan: { workspace: { mode: 'repo', copy: ['.env.tset'] } } });
    const { code, stdout, stderr } = await repository.helix(['plan']);
    expect({ code, said: stdout + stderr }).toMatchObject({
      code: 0,
      said: expect.stringContaining('".env.tset" is to be copied'),
    });
  });
});
