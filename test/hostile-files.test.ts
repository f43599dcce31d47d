import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEEP } from './repetitions.ts';
import { Repository, words } from './repository.ts';
import { boundByPermissions, giveAway } from './robust-project.ts';
import { contents, put } from './scratch.ts';

/** An agent that misbehaves once and then does what it should. */
const once = (evil: string) => `if [ "$HELIX_ATTEMPT" = 1 ]; then\n${evil}\nfi\necho done > out.txt`;

const PASSED = /^run +passed$/m;
const THROUGH = boundByPermissions();

/** Runs HELIX, which must leave all of the user's as it was and pass. */
async function passes(repository: Repository, call: Parameters<Repository['run']>[1] = {}) {
  const before = repository.digest();
  const run = await repository.run([], call);
  expect(run.said).toMatch(PASSED);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  return run;
}

/** Runs HELIX, which must leave all of the user's as it was and ask. */
async function asks(repository: Repository) {
  const before = repository.digest();
  const run = await repository.run();
  expect(run.code).toBe(3);
  expect(repository.digest()).toEqual(before);
  return run;
}

describe('links an agent makes', () => {
  it('stay links, are named where they leave the repository, and hide nothing', async () => {
    const repository = new Repository({ files: { 'dir/a.txt': 'a', 'dir/b.txt': 'b', 'file.txt': 'f' } });
    const outside = repository.beside('outside');
    put(outside, { 'a.txt': 'a', 'b.txt': 'secret' });
    repository.agent(`rm -r dir; ln -s ${outside} dir; ln -sf /dev/zero file.txt; ln -s readme.md inside; ln -s ../x up; ln -s loop loop
echo done > out.txt`);
    const run = await passes(repository);
    expect(words(run)).toEqual([
      'warning: file.txt is a link to /dev/zero, outside the repository',
      `warning: dir is a link to ${outside}, outside the repository`,
      'warning: up is a link to ../x, outside the repository',
    ]);
    expect(await repository.changed()).toEqual([
      ...['A dir', 'D dir/a.txt', 'D dir/b.txt', 'T file.txt', 'A inside', 'A loop', 'A out.txt', 'A up'],
    ]);
    expect(await repository.result('dir')).toBe(outside);
    expect(contents(outside)).toEqual({ 'a.txt': 'a', 'b.txt': 'secret' });
  });

  it('are no way to have a declared output, or to have one removed elsewhere', async () => {
    const quality_gate = { type: 'review_approved', file: 'dir/review.json', max_retries: 2 };
    const repository = new Repository({
      phases: [{ id: 'work', type: 'review', output: ['dir/review.json'], quality_gate }],
    });
    put(repository.root, { 'outside/review.json': '{"approved": true}' });
    repository.agent(`rm -rf dir; ln -s ${repository.beside('outside')} dir`);
    const run = await asks(repository);
    // A review that nobody can read is none, so nothing was judged.
    const cut = run.events.flatMap(({ type, data }) => (type === 'attempt_interrupted' ? [data.message] : []));
    expect(new Set(cut)).toEqual(new Set(['dir/review.json is missing']));
    expect(contents(repository.beside('outside'))).toEqual({ 'review.json': '{"approved": true}' });
  });

  it('in the place of an input are not read', async () => {
    const phases = [
      { id: 'first', type: 'development', output: ['spec.txt'] },
      { id: 'work', type: 'development', input: ['spec.txt', 'note.txt'], output: ['out.txt'] },
    ];
    const repository = new Repository({ phases, files: { '.gitignore': '*.txt\n' } });
    put(repository.top, { 'note.txt': 'note\n' });
    repository.agent(
      'if [ "$HELIX_PHASE" = first ]; then echo spec > spec.txt; else ln -sf /dev/zero spec.txt; ln -sf /dev/zero note.txt; echo done > out.txt; fi',
    );
    const run = await passes(repository);
    expect(words(run)).toEqual(['warning: spec.txt is a link to /dev/zero, outside the repository']);
  });

  it('above a folder that set-up fills do not lead it into the folder of the user', async () => {
    const plan = {
      workspace: {
        mode: 'repo',
        setup: [['sh', '-c', 'mkdir -p web/lib && echo installed > web/lib/installed']],
        cache: ['web/lib'],
      },
    };
    const repository = new Repository({ plan, files: { '.gitignore': 'lib/\n', 'web/a.txt': 'a\n' } });
    put(repository.top, { 'web/lib/mine': 'mine\n' });
    repository.agent(once('rm -rf web; ln -s "$HELIX_PROJECT_DIR/web" web; exit 0'));
    await passes(repository);
    expect(contents(repository.path('web/lib'))).toEqual({ mine: 'mine\n' });
  });
});

describe('what cannot be kept is named, and the agent is told', () => {
  const FILES = {
    '.gitattributes': '*.wide working-tree-encoding=UTF-16\n',
    ...{ 'f.txt': 'f', 'g.txt': 'g', 'h/x.txt': 'x', 'sub/a.txt': 'a' },
  };
  const cases: readonly [name: string, evil: string, said: readonly string[], changed: readonly string[]][] = [
    [
      'pipes, sockets and devices',
      `mkfifo pipe h/pipe; rm f.txt; mkfifo f.txt; mknod device c 1 5 || true
node -e "require('net').createServer().listen('socket', () => process.kill(process.pid, 'SIGKILL'))" || true`,
      ['error: f.txt is neither a file nor a link; it was not kept'],
      ['D f.txt', 'A out.txt'],
    ],
    [
      'a folder in the place of a file, and a file in the place of a folder, are kept',
      'rm g.txt; mkdir g.txt; echo x > g.txt/x; rm -r h; echo h > h',
      [],
      ['D g.txt', 'A g.txt/x', 'A h', 'D h/x.txt', 'A out.txt'],
    ],
    [
      'repositories in the worktree',
      'git init -q inner; echo x > inner/x; git init -q sub; echo b > sub/b.txt; mkdir -p deep/.git; echo x > deep/.git/x; echo y > deep/y',
      ['error: inner is a git repository of its own; it was not kept'],
      ['A deep/y', 'A out.txt', 'A sub/b.txt'],
    ],
    [
      'names git takes for its own',
      'echo x > git~1; mkdir .GIT; echo x > .GIT/config; echo x > ".git "; ln -s x .gitmodules',
      ['.GIT/config', '.git ', '.gitmodules', 'git~1'].map(
        (path) => `error: ${path} has a name git does not allow; it was not kept`,
      ),
      ['A out.txt'],
    ],
    [
      'content that does not fit its attributes',
      'printf x > a.wide; printf x > b.txt',
      ["error: a.wide is nothing git can keep (BOM is required in 'a.wide' if encoded as UTF-16); it was not kept"],
      ['A b.txt', 'A out.txt'],
    ],
    [
      'files of 300 MB',
      'truncate -s 300M big; truncate -s 300M f.txt',
      ['error: f.txt is larger than 256 MB; it was not kept', 'error: big is larger than 256 MB; it was not kept'],
      ['A out.txt'],
    ],
    [
      'folders deeper than a path can be',
      `cd sub; node -e "const d = 'd'.repeat(250); for (let i = 0; i < 20; i += 1) { fs.mkdirSync(d); process.chdir(d); } fs.writeFileSync('f', '')"; cd ..`,
      [expect.stringMatching(/^error: sub\/d{20}.* cannot be looked into \(its path is too long\); it was not kept$/)],
      ['A out.txt'],
    ],
  ];
  for (const [name, evil, said, changed] of cases) {
    it(name, async () => {
      const repository = new Repository({ files: FILES, agent: once(evil) });
      expect(words(await passes(repository))).toEqual(said);
      expect(await repository.changed()).toEqual(changed);
    });
  }

  it('names that would disturb a terminal are shown without harm', async () => {
    const repository = new Repository({ agent: once('git init -q "$(printf "in\\033[31m\\nner")"') });
    const run = await passes(repository);
    expect(words(run)).toEqual([expect.stringMatching(/is a git repository of its own/)]);
    expect(run.said).toMatch(/reject: in\S* ?ner is a git repository of its own/);
    expect(run.said).not.toContain('\u001b');
  });

  it.runIf(DEEP)('60,000 files, of which those that were declared come first', async () => {
    const phases = [
      { id: 'work', type: 'development', output: ['out.txt'], quality_gate: { type: 'files_exist', max_retries: 1 } },
    ];
    const repository = new Repository({
      phases,
      agent: 'mkdir many; cd many; seq 60000 | xargs touch; cd ..; echo done > out.txt',
    });
    expect(words(await asks(repository))).toEqual([
      'error: more than 50000 files or 1024 MB were made; the rest was not kept',
    ]);
  });

  it.skipIf(THROUGH === undefined)('files and folders that were closed are opened and kept', async () => {
    const repository = new Repository({ files: FILES });
    repository.agent(`echo b > sub/b.txt; echo c > sub/a.txt; chmod 000 sub; echo y > f.txt; chmod 000 f.txt
echo x > n.txt; chmod 000 n.txt; mkdir ro; echo x > ro/x; chmod 500 ro; chmod 300 h; echo z > h/new.txt; echo done > out.txt`);
    repository.git('config', '--global', 'safe.directory', '*');
    giveAway(repository.root);
    expect(words(await passes(repository, { through: THROUGH ?? [] }))).toEqual([]);
    expect(await repository.changed()).toEqual([
      ...['M f.txt', 'A h/new.txt', 'A n.txt', 'A out.txt', 'A ro/x', 'M sub/a.txt', 'A sub/b.txt'],
    ]);
  });
});

describe('where an agent works', () => {
  it('is the only thing that is removed, even if it puts links to the repository of the user in its place', async () => {
    for (const evil of [
      'D=$PWD; cd ..; rm -rf "$D"',
      'D=$PWD; cd ..; mv "$D" ../moved; ln -s "$HELIX_PROJECT_DIR" "$D"',
      'cd ..; D=$PWD; cd ..; mv "$D" moved; ln -s "$(dirname "$HELIX_PROJECT_DIR")" "$D"',
    ]) {
      const repository = new Repository({ agent: `${evil}; exit 0` });
      const run = await asks(repository);
      expect(run.said).toMatch(/interrupted: workspace: the worktree .* is gone/);
      repository.agent('echo done > out.txt');
      const before = repository.digest();
      expect((await repository.helix(['decide', `${run.run}-q1`, 'A'])).stderr).toMatch(PASSED);
      expect(repository.digest()).toEqual(before);
    }
  });

  it('is not all it can remove: a repository that is gone stops the run, which can go on when it is back', async () => {
    const repository = new Repository({ agent: once('mv "$HELIX_PROJECT_DIR/.git" "$HELIX_PROJECT_DIR/../taken"') });
    const run = await repository.run();
    expect(run).toMatchObject({ code: 3, said: expect.stringMatching(/interrupted: workspace: .*\.git is gone/) });
    renameSync(repository.beside('taken'), repository.path('.git'));
    repository.agent('echo done > out.txt');
    expect((await repository.helix(['decide', `${run.run}-q1`, 'A'])).stderr).toMatch(PASSED);
  });

  it('is left in peace by what it started, so that the tree that was judged is the one that was accepted', async () => {
    const repository = new Repository();
    const writes = `i=0; while [ $i -lt 3000 ] && [ ! -e ${repository.beside('stop')} ]; do i=$((i+1)); date +%N > w.txt; mkdir -p x; echo $i > x/$i; done`;
    repository.agent(
      `(${writes}) > /dev/null 2>&1 &\nenv -i setsid sh -c '${writes}' > /dev/null 2>&1 &\nsleep 0.1; echo done > out.txt`,
    );
    const run = await passes(repository);
    put(repository.root, { stop: '' });
    const accepted = run.state?.phases.get('work')?.accepted;
    expect(repository.git('rev-parse', `helix/${run.run}^{tree}`)).toBe(accepted?.tree);
    expect(words(run)).toEqual([]);
  });
});

describe('protected files', () => {
  const EVIL =
    'echo "# evil" >> phases.yaml; mkdir -p .github/workflows; echo evil > .github/workflows/ci.yml; echo done > out.txt';
  const QUESTION =
    /asks: .* changed 2 protected files\. Is that right\? What it changed: "\.github\/workflows\/ci\.yml" "phases\.yaml"/;

  it('that an agent changes are shown to a human, and shown again until they are as they were', async () => {
    const repository = new Repository({ agent: once(`${EVIL}; exit 0`) });
    const asked = await asks(repository);
    expect(asked.said).toMatch(QUESTION);
    const again = await repository.helix(['decide', `${asked.run}-q1`, 'A']);
    expect(again).toMatchObject({ code: 3, stderr: expect.stringMatching(QUESTION) });
    repository.agent('git checkout -q main phases.yaml; rm -rf .github');
    const end = await repository.helix(['decide', `${asked.run}-q2`, 'A', '--comment', 'I mean it']);
    expect(end.stderr).toMatch(PASSED);
    expect(repository.brief).toMatch(/protected files exactly as they were[\s\S]*I mean it/);
    expect(await repository.changed()).toEqual(['A out.txt']);
  });

  it('are part of the work when the human accepts them', async () => {
    const repository = new Repository({ agent: EVIL });
    const asked = await asks(repository);
    const end = await repository.helix(['decide', `${asked.run}-q1`, 'B']);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining('passed') });
    expect(await repository.changed()).toEqual(['A .github/workflows/ci.yml', 'A out.txt', 'M phases.yaml']);
  });
});

describe('ignored files', () => {
  it('count where they are declared, by name and by pattern, and nowhere else', async () => {
    const phases = [{ id: 'work', type: 'development', output: ['dist/a.js', 'gen/**/*.js'] }];
    const repository = new Repository({ phases, files: { '.gitignore': 'dist/\ngen/\n*.log\n' } });
    repository.agent(
      'mkdir -p dist gen/x; echo a > dist/a.js; echo b > dist/b.js; echo c > gen/x/c.js; echo d > gen/d.txt; echo log > x.log',
    );
    put(repository.top, { 'dist/mine.js': 'mine\n' });
    expect(words(await passes(repository))).toEqual([]);
    expect(await repository.changed()).toEqual(['A dist/a.js', 'A gen/x/c.js']);
  });
});

describe('tests', () => {
  const TESTS = "const { test } = require('node:test');\ntest('one', () => {});\ntest('two', () => {});\n";
  const FILES = { 'package.json': '{ "scripts": { "test": "node --test" } }\n', 'a.test.js': TESTS };
  const PHASES = [
    {
      ...{ id: 'work', type: 'development', output: ['out.txt'] },
      quality_gate: { type: 'tests_pass', command: ['npm', 'test'] },
    },
  ];

  it('that an agent removes are missed', async () => {
    const repository = new Repository({ files: FILES, phases: PHASES });
    repository.agent(
      'if [ "$HELIX_ATTEMPT" = 1 ]; then rm a.test.js; else git checkout -q main a.test.js; fi; echo done > out.txt',
    );
    const run = await passes(repository);
    expect(words(run)).toEqual(['error: fewer tests than before: 0 ran, 2 ran before']);
    expect(await repository.changed()).toEqual(['A out.txt']);
  });

  it('that an agent replaces by a command that always succeeds are missed, and the command is named', async () => {
    const repository = new Repository({ files: FILES, phases: PHASES });
    repository.agent(
      'if [ "$HELIX_ATTEMPT" = 1 ]; then sed -i "s/node --test/exit 0/" package.json; else git checkout -q main package.json; fi; echo done > out.txt',
    );
    const run = await passes(repository);
    expect(words(run)).toEqual([
      'error: 2 tests ran before; this time none could be counted: was the test command emptied?',
      'warning: the script "test" of package.json changed in this phase, from "node --test" to "exit 0"',
    ]);
    expect(await repository.changed()).toEqual(['A out.txt']);
  });
});
