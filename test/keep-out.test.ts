import { describe, expect, it } from 'vitest';
import { decideAs, NO_CONSULTANT } from './human.ts';
import { Repository, WAIT } from './repository.ts';

const PHASES = [
  { id: 'talk', type: 'meeting', output: ['helix/spec.yaml'] },
  { id: 'build', type: 'development', output: ['src/sum.txt'], input: ['helix/spec.yaml'] },
  { id: 'look', type: 'planning', output: ['review.json'] },
] as const;

/** Writes what each phase declares; the second phase cannot do without what the first one wrote. */
const AGENT = `mkdir -p helix src
case $HELIX_PHASE in
talk) echo 'goal: add' > helix/spec.yaml;;
build) cat helix/spec.yaml > src/sum.txt;;
look) cat src/sum.txt helix/spec.yaml > review.json;;
esac`;

function repository(more: ConstructorParameters<typeof Repository>[0] = {}): Repository {
  return new Repository({ phases: PHASES, agent: AGENT, ...more });
}

/** The words of a plan's findings. */
async function planned(project: Repository): Promise<{ code: number | null; said: string }> {
  const { code, stdout, stderr } = await project.helix(['plan']);
  return { code, said: stdout + stderr };
}

describe('what meetings, plans and reviews write', () => {
  it('is read by later phases and never reaches the branch nor its history', async () => {
    const project = repository();
    const { code, said, run, events } = await project.run();
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['A src/sum.txt']);
    expect(await project.result('src/sum.txt')).toBe('goal: add');
    expect(project.git('log', '--format=%s', `main..helix/${run}`)).toBe('build');
    project.git('merge', '-q', `helix/${run}`);
    expect(project.git('ls-files')).not.toMatch(/spec\.yaml|review\.json/);
    expect(project.git('log', '--all', '--format=', '--name-only')).not.toMatch(/spec\.yaml|review\.json/);
    const accepted = events.flatMap((event) => (event.type === 'phase_accepted' ? [event.data] : []));
    expect(accepted.map(({ published }) => published?.keptOut)).toEqual([
      [{ path: 'helix/spec.yaml', phase: 'talk' }],
      [{ path: 'helix/spec.yaml', phase: 'talk' }],
      [
        { path: 'helix/spec.yaml', phase: 'talk' },
        { path: 'review.json', phase: 'look' },
      ],
    ]);
  });

  it('is told in a line by the end of the run and by status, with where it can be seen', async () => {
    const project = repository();
    const { said, run } = await project.run();
    const line = `Kept off the branch: helix/spec.yaml (helix diff ${run} talk), review.json (helix diff ${run} look)`;
    expect(said).toContain(line);
    const status = await project.helix(['status']);
    expect(status.stdout).toContain(line);
    const { result, keptOut } = JSON.parse((await project.helix(['status', '--json'])).stdout);
    expect(result.commit).toBe(project.git('rev-parse', `helix/${run}`));
    expect(keptOut).toEqual([
      { path: 'helix/spec.yaml', phase: 'talk' },
      { path: 'review.json', phase: 'look' },
    ]);
    expect((await project.helix(['diff', run, 'talk'])).stdout).toContain('+goal: add');
    expect((await project.helix(['diff', run, 'look'])).stdout).toContain('review.json');
    const whole = await project.helix(['diff', run, '--stat']);
    expect(whole.stdout).toContain('src/sum.txt');
    expect(whole.stdout).not.toMatch(/spec\.yaml|review\.json/);
  });

  it('never holds back code or files of the base that tests have passed with, where a meeting declares nothing', async () => {
    const project = repository({
      phases: [
        { id: 'talk', type: 'meeting' },
        {
          id: 'build',
          type: 'development',
          output: ['out.txt'],
          quality_gate: { type: 'tests_pass', command: 'sh t.sh' },
        },
      ],
      files: { 't.sh': '. ./lib.sh && . ./new.sh\n', 'lib.sh': 'false\n' },
      agent:
        'if [ $HELIX_PHASE = talk ]; then for f in lib.sh new.sh notes.md; do echo true > $f; done; else echo y > out.txt; fi',
    });
    const { code, said } = await project.run();
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['M lib.sh', 'A new.sh', 'A out.txt']);
  });

  it('leaves a run that wrote nothing else without a result, and the branch where it began', async () => {
    const project = repository({ phases: [PHASES[0]] });
    const { code, said, run } = await project.run();
    expect(code, said).toBe(0);
    expect(said).toContain(`Kept off the branch: helix/spec.yaml (helix diff ${run} talk)`);
    expect(said).not.toContain('git merge');
    expect(project.git('rev-parse', `helix/${run}`)).toBe(project.git('rev-parse', 'main'));
  });

  it('leaves outputs that the base has as they were, and publishes what else a meeting changed or removed', async () => {
    const project = repository({
      files: { 'helix/spec.yaml': 'goal: old\n', 'notes.txt': 'mine\n', 'helix/deep/x.txt': 'x\n' },
      agent: `${AGENT}\n[ $HELIX_PHASE != talk ] || rm -r notes.txt helix/deep`,
    });
    const { code, said } = await project.run();
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['D helix/deep/x.txt', 'D notes.txt', 'A src/sum.txt']);
    expect(await project.result('helix/spec.yaml')).toBe('goal: old');
  });

  it('reaches the branch where another phase changes or declares it', async () => {
    const project = repository({
      phases: [
        { id: 'talk', type: 'meeting', output: ['helix/spec.yaml', 'docs/plan.md', 'helix/notes.md'] },
        { id: 'build', type: 'development', output: ['src/sum.txt'] },
        {
          id: 'write',
          type: 'documentation',
          output: ['docs/*.md'],
          quality_gate: { type: 'files_exist', files: ['docs/*.md'] },
        },
      ],
      agent: `mkdir -p helix src docs
case $HELIX_PHASE in
talk) echo 'goal: spec' > helix/spec.yaml; echo notes > helix/notes.md; echo plan > docs/plan.md;;
build) echo 3 > src/sum.txt; echo more >> helix/notes.md;;
write) cmp helix/spec.yaml helix/spec.yaml;;
esac`,
    });
    const { code, said } = await project.run();
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['A docs/plan.md', 'A helix/notes.md', 'A src/sum.txt']);
    expect(await project.result('helix/notes.md')).toBe('notes\nmore');
  });

  it('gives way where another phase puts a file in the place of a folder, and links and modes come through', async () => {
    const project = repository({
      phases: [
        { id: 'talk', type: 'meeting', output: ['{a,a/**,with*}'] },
        { id: 'build', type: 'development' },
      ],
      files: { 'a/b.txt': 'b\n', 'run.sh': 'true\n' },
      agent: `case $HELIX_PHASE in
talk) rm -r a; echo talk > a; echo x > 'with "quotes" ä';;
build) echo build > a; chmod +x run.sh; ln -s run.sh link; echo y > 'more "quotes" ä';;
esac`,
    });
    const { code, said } = await project.run();
    expect(code, said).toBe(0);
    const names = (await project.files()).filter((path) => !path.endsWith('.yaml'));
    expect(names).toEqual(['a', 'link', 'more "quotes" ä', 'readme.md', 'run.sh']);
    expect(project.git('ls-tree', `helix/${(await project.journaled()).run}`, 'run.sh', 'link')).toMatch(
      /^120000 .*link\n100755 .*run\.sh$/,
    );
  });

  it('never takes back what another phase made', async () => {
    const project = repository({
      phases: [PHASES[1], { id: 'look', type: 'review', output: ['review.json'] }].map(({ ...phase }) => ({
        ...phase,
        input: undefined,
        quality_gate: { type: 'files_exist', files: ['src/sum.txt'] },
      })),
      agent: `mkdir -p src; [ $HELIX_PHASE = look ] && { echo '{"approved":true,"findings":[]}' > review.json; exit 0; }; echo 3 > src/sum.txt`,
    });
    const { code, said } = await project.run();
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['A src/sum.txt']);
    expect(said).toContain('Kept off the branch: review.json');
  });
});

describe('keep_out', () => {
  const workspace = (keep_out: readonly string[]) => ({ workspace: { mode: 'repo', keep_out } });

  it('says itself what stays off, whoever wrote it', async () => {
    const project = repository({
      plan: workspace(['tmp/**']),
      agent: `${AGENT}\nmkdir -p tmp/deep; echo "$HELIX_PHASE" > tmp/deep/log`,
    });
    const { code, said, run } = await project.run();
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['A helix/spec.yaml', 'A review.json', 'A src/sum.txt']);
    expect(said).toContain(`Kept off the branch: tmp/deep/log (helix diff ${run} look)`);
  });

  it('keeps nothing out where it is empty', async () => {
    const project = repository({ plan: workspace([]) });
    const { code, said, run } = await project.run();
    expect(code, said).toBe(0);
    expect(said).not.toContain('Kept off');
    expect(await project.changed()).toEqual(['A helix/spec.yaml', 'A review.json', 'A src/sum.txt']);
    expect(project.git('rev-list', '--count', `main..helix/${run}`)).toBe('3');
  });

  it('is told by plan, in force or by default', async () => {
    const usual = await planned(repository());
    expect(usual.said).toContain('stays off the branch: outputs of talk, look\n');
    expect((await planned(repository({ plan: workspace(['tmp/**', 'a.txt']) }))).said).toContain(
      'stays off the branch: tmp/**, a.txt\n',
    );
    expect((await planned(repository({ plan: workspace([]) }))).said).not.toContain('off the branch');
  });

  it('is refused with its place where a pattern leaves the project', async () => {
    const { code, said } = await planned(repository({ plan: workspace(['../other/**']) }));
    expect(code).toBe(2);
    expect(said).toMatch(/phases\.yaml:\d+:\d+.*the path "\.\.\/other\/\*\*"/s);
  });

  it('is refused where there is no branch', async () => {
    const plan = { workspace: { mode: 'phase-dirs', keep_out: ['tmp/**'] } };
    const { code, said } = await planned(repository({ plan }));
    expect(code).toBe(2);
    expect(said).toMatch(/phases\.yaml:\d+:\d+.*keep_out/s);
  });

  it('that holds back what a phase is there to make is told by plan', async () => {
    const { code, said } = await planned(repository({ plan: workspace(['tmp/**', 'src/*.txt']) }));
    expect(code, said).toBe(0);
    expect(said).toMatch(/phases\.yaml:\d+:\d+.*"src\/\*\.txt" keeps src\/sum\.txt of build off the branch/s);
  });
});

describe('what is kept off the branch', () => {
  it('is merged with the work of parallel phases', async () => {
    const project = repository({
      phases: [
        { id: 'left', type: 'planning', depends_on: [], output: ['left.txt'] },
        { id: 'right', type: 'development', depends_on: [], output: ['right.txt'] },
        { id: 'both', type: 'test', depends_on: ['left', 'right'], output: ['both.txt'] },
      ],
      plan: { concurrency: 2 },
      agent: `case $HELIX_PHASE in left) echo l > left.txt;; right) ${WAIT}; echo r > right.txt;; both) cat left.txt right.txt > both.txt;; esac`,
    });
    const { code, said } = await project.runPast('left');
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['A both.txt', 'A right.txt']);
    expect(await project.result('both.txt')).toBe('l\nr');
  });

  it('is there for a run that goes on from a phase of another, and off its branch, too', async () => {
    const project = repository();
    const first = await project.run();
    expect(first.code, first.said).toBe(0);
    const second = await project.run(['--from', `${first.run}:look`]);
    expect(second.code, second.said).toBe(0);
    const third = await project.run(['--from', `${second.run}:look`]);
    expect(third.code, third.said).toBe(0);
    for (const { run } of [first, second, third]) {
      const files = project.git('log', '--format=', '--name-only', `main..helix/${run}`);
      expect(files).toBe('src/sum.txt');
    }
    expect(third.said).toContain('Kept off the branch: helix/spec.yaml');
    expect((await project.helix(['diff', third.run, 'talk'])).stdout).toContain('+goal: add');
    const fourth = await project.run(['--from', `${third.run}:build`]);
    expect(fourth.code, fourth.said).toBe(0);
    expect(project.git('log', '--format=%s', `main..helix/${fourth.run}`)).toBe('build');
    const commits = ({ state }: typeof fourth) => [state?.base?.commit, state?.base?.published?.commit];
    const [talk, build] = first.state?.line ?? [];
    expect(commits(third)).toEqual([build?.commit, build?.published?.commit]);
    expect(commits(fourth)).toEqual([talk?.commit, project.git('rev-parse', 'main')]);
  });

  it('is void with its phase when the run goes back', async () => {
    const project = repository({
      files: NO_CONSULTANT,
      phases: [
        PHASES[0],
        { id: 'build', type: 'development', output: ['src/sum.txt'] },
        {
          id: 'check',
          type: 'test',
          output: ['check.txt'],
          max_retries: 1,
          quality_gate: {
            type: 'custom',
            command: ['sh', '-c', 'test ! -e check.txt || grep -q new helix/spec.yaml'],
            on_failure: 'escalation',
          },
        },
      ],
      agent: `mkdir -p helix src; echo "$HELIX_PHASE" >> "$(dirname "$0")/calls"
case $HELIX_PHASE in
talk) if [ "$(grep -c talk "$(dirname "$0")/calls")" = 1 ]; then echo 'goal: old'; else echo 'goal: new'; fi > helix/spec.yaml; [ "$(grep -c talk "$(dirname "$0")/calls")" != 1 ] || echo x > helix/first.txt;;
build) cp helix/spec.yaml src/sum.txt;;
check) echo ok > check.txt;;
esac`,
    });
    const asked = await project.run();
    expect(asked.code, asked.said).toBe(3);
    await decideAs(project.dir, { action: 'revert', phase: 'talk' });
    const { code, said, state } = await project.resume();
    expect(code, said).toBe(0);
    expect(await project.changed()).toEqual(['A check.txt', 'A src/sum.txt']);
    expect(await project.result('src/sum.txt')).toBe('goal: new');
    expect(state?.tip?.published?.keptOut).toEqual([{ path: 'helix/spec.yaml', phase: 'talk' }]);
  });

  it('leaves a user who committed on the branch what is theirs', async () => {
    const project = repository({ plan: { budget: { attempts: 2 } } });
    const { code, run, said } = await project.run();
    expect(code, said).toBe(4);
    project.git('switch', '-q', `helix/${run}`);
    project.write({ 'mine.txt': 'mine\n' });
    const mine = project.commit('mine');
    project.git('switch', '-q', 'main');
    await project.resume(['--budget', '5']);
    expect(project.git('rev-parse', `helix/${run}`)).toBe(mine);
  });

  it('works in a repository without a commit', async () => {
    const project = repository({ files: false });
    const { code, said, run } = await project.run();
    expect(code, said).toBe(0);
    expect(project.git('log', '--format=%s', `helix/${run}`)).toBe('build');
    expect(await project.files()).toEqual(['src/sum.txt']);
  });
});

describe('what commands are run on where something is kept off the branch', () => {
  const talking = (quality_gate: Readonly<Record<string, unknown>>) => [
    { id: 'talk', type: 'meeting', output: ['rules.txt'] },
    { id: 'build', type: 'development', output: ['out.txt'], quality_gate },
  ];
  const agent = `[ $HELIX_PHASE = talk ] && echo yes > rules.txt || echo done > out.txt`;

  it('is what would be published: tests that pass only on the whole are rejected with what to do, here and in gate', async () => {
    const gate = { type: 'tests_pass', command: ['test', '-e', 'rules.txt'], on_failure: 'abort' };
    const project = repository({ phases: talking(gate), agent });
    const { code, said } = await project.run();
    expect(code).toBe(1);
    expect(said).toContain(`the command passes only with files that stay off the run's branch ("rules.txt")`);
    const again = await project.helix(['gate', 'build']);
    expect(again.code).toBe(1);
    expect(again.stdout).toMatch(/stay off the run's branch.*workspace\.keep_out/s);
  });

  it('is what would be published first: another command that passes only on the whole is a warning', async () => {
    const project = repository({
      phases: talking({ type: 'custom', command: ['test', '-e', 'rules.txt'] }),
      agent,
    });
    const { code, said, state } = await project.run();
    expect(code, said).toBe(0);
    expect(state?.phases.get('build')?.lastVerdicts[0]?.findings).toEqual([
      expect.objectContaining({ severity: 'warning', check: 'kept-off' }),
    ]);
  });

  it('is what would be published alone where that passes, also where a phase has what is kept off as input', async () => {
    const phases = talking({ type: 'custom', command: ['sh', '-c', 'test ! -e rules.txt && test -e out.txt'] });
    const project = repository({
      phases: phases.map((phase) => (phase.id === 'build' ? { ...phase, input: ['rules.txt'] } : phase)),
      agent,
    });
    const { code, said, state } = await project.run();
    expect(code, said).toBe(0);
    expect(state?.phases.get('build')?.lastVerdicts[0]?.findings).toEqual([]);
  });

  it('is what would be published for a probe, too', async () => {
    const project = repository({
      phases: talking({ type: 'tests_pass', command: ['node', '--test'], probe: true }),
      files: {
        'sum.js': 'exports.sum = (a, b) => a - b;\n',
        'sum.test.js': `const { sum } = require('./sum.js');
require('node:test')('adds', () => require('node:assert').equal(sum(1, 2), require('node:fs').existsSync('rules.txt') ? sum(1, 2) : 3));`,
      },
      agent: `${agent}; [ $HELIX_PHASE = talk ] || echo 'exports.sum = (a, b) => a + b;' > sum.js`,
    });
    const { code, said, state } = await project.run();
    expect(code, said).toBe(0);
    const probe = state?.phases.get('build')?.lastVerdicts[0]?.probe;
    expect(probe?.mutants[0]).toMatchObject({ file: 'sum.js', result: 'noticed' });
  });

  it('is what would be published for a test that shows a bug, too', async () => {
    const gate = { type: 'tests_pass', command: ['node', '--test'], expect: 'red', on_failure: 'abort' };
    const project = repository({
      phases: talking(gate),
      files: { 'sum.js': 'exports.sum = (a, b) => a - b;\n' },
      agent: `[ $HELIX_PHASE = talk ] && { echo yes > rules.txt; exit; }
cat > sum.test.js <<'END'
require('node:test')('adds', () => require('node:assert')(!require('node:fs').existsSync('rules.txt')));
END`,
    });
    const { code, said } = await project.run();
    expect(code).toBe(1);
    expect(said).toContain("stay off the run's branch");
  });
});
