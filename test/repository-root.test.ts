import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeWalled } from '../src/adapters/programs/walls/walled.fixture.ts';
import { manualPath } from '../src/report/words/run-paths.ts';
import { decideAs, NO_CONSULTANT } from './human.ts';
import { Repository, words } from './repository.ts';
import { put } from './scratch.ts';

const BELOW = 'helix/csv';
const TOP = { workspace: { mode: 'repo', root: '.' } } as const;
const APP = { workspace: { mode: 'repo', root: 'packages/app' } } as const;
const GIVEN = { 'packages/app/given.txt': 'given\n', 'packages/lib/lib.txt': 'lib\n' };

function editRoot(repository: Repository, root: string): void {
  const path = join(repository.dir, 'phases.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"root": ".*"/, `"root": ${JSON.stringify(root)}`));
}

describe('a plan that lies elsewhere than its work', () => {
  it('works at the root: agent, inputs, copies, set-up, cache, gates and conventions, and the result is a commit there', async () => {
    const setup = [['sh', '-c', 'mkdir -p deps; pwd > deps/installed; ls > deps/seen']];
    const gate = { type: 'custom', command: ['sh', '-c', 'cat deps/seen .env.test src/given.txt notes.md out.txt'] };
    const repository = new Repository({
      below: BELOW,
      files: { 'src/given.txt': 'given\n', '.gitignore': 'deps\n.env.test\n', 'AGENTS.md': 'Write in capitals.\n' },
      plan: { workspace: { ...TOP.workspace, setup, cache: ['deps'], copy: ['.env.test'] } },
      phases: [{ id: 'work', type: 'development', input: ['notes.md'], output: ['out.txt'], quality_gate: gate }],
      agent: 'cat notes.md .env.test deps/seen src/given.txt > out.txt',
    });
    repository.write({
      '.env.test': 'KEY=test\n',
      'notes.md': 'not committed\n',
      'helix/csv/.env.test': 'KEY=wrong\n',
    });
    appendFileSync(join(repository.dir, 'helix.yaml'), '# edited\n');
    const before = repository.digest();
    const { code, said } = await repository.run();
    expect(code, said).toBe(0);
    expect(said).toContain('without 1 uncommitted change (notes.md)');
    expect(repository.digest()).toEqual(before);
    expect(await repository.changed()).toEqual(['A out.txt']);
    const made = await repository.result('out.txt');
    expect(made).toBe('not committed\nKEY=test\nAGENTS.md\ndeps\nhelix\nreadme.md\nsrc\ngiven');
    expect(repository.brief).toContain('Write in capitals.');
    expect(repository.brief).toMatch(/In `helix\/csv` lies the plan of this work/);
    expect(existsSync(join(repository.dir, '.helix/helix.db'))).toBe(true);
    expect(existsSync(repository.path('.helix'))).toBe(false);
  });

  it('keeps working with every other command', async () => {
    const repository = new Repository({
      below: BELOW,
      files: GIVEN,
      plan: APP,
      phases: [
        {
          id: 'work',
          type: 'development',
          output: ['out.txt'],
          quality_gate: { type: 'custom', command: ['cmp', 'given.txt', 'out.txt'] },
        },
      ],
      agent: 'cat given.txt > out.txt; cat ../lib/lib.txt > seen.txt',
    });
    const plan = await repository.helix(['plan', '--format', 'json']);
    expect([plan.code, JSON.parse(plan.stdout).findings]).toEqual([0, []]);
    const { code, said, run } = await repository.run();
    expect(code, said).toBe(0);
    const patch = await repository.helix(['diff']);
    execFileSync('git', ['apply'], { cwd: repository.top, input: patch.stdout });
    expect(repository.read('packages/app/out.txt')).toBe('given\n');
    expect(JSON.parse((await repository.helix(['diff', '--json'])).stdout).files).toMatchObject([
      { path: 'out.txt', added: 1 },
      { path: 'seen.txt', added: 1 },
    ]);
    for (const args of [['status', '--json'], ['gate', 'work', '--trust'], ['resume'], ['logs'], ['gc'], ['list']]) {
      const end = await repository.helix(args);
      expect({ args, code: end.code, said: end.code === 0 ? '' : end.stderr }).toEqual({ args, code: 0, said: '' });
    }
    const shell = await repository.helix(['shell', run, 'work'], {
      input: 'cat out.txt; git rev-parse --show-prefix\nexit\n',
      env: { SHELL: '/bin/sh' },
    });
    expect(shell.stdout).toContain('given\npackages/app/\n');
  });

  it("takes a human's own change, made at the root", async () => {
    const repository = new Repository({
      below: BELOW,
      files: { ...GIVEN, [`${BELOW}/config/escalation.yaml`]: NO_CONSULTANT['config/escalation.yaml'] },
      plan: APP,
      phases: [
        {
          id: 'work',
          type: 'development',
          output: ['out.txt'],
          quality_gate: { type: 'custom', command: ['cmp', 'given.txt', 'out.txt'], max_retries: 1 },
        },
      ],
      agent: 'echo wrong > out.txt',
    });
    const { run, code } = await repository.run();
    expect(code).toBe(3);
    const place = join(repository.dir, manualPath(run, 'work'));
    put(join(place, 'packages/app'), { 'out.txt': 'given\n' });
    put(join(place, BELOW), { '.helix/x': 'x' });
    await decideAs(repository.dir, { action: 'take' });
    const end = await repository.resume();
    expect(end.code, end.said).toBe(0);
    expect(await repository.changed()).toEqual(['A packages/app/out.txt']);
  });

  it('finds its test command at the root, which is trusted with its script', async () => {
    const repository = new Repository({
      below: BELOW,
      files: { 'package.json': '{ "scripts": { "test": "test -f out.txt" } }\n' },
      plan: TOP,
      phases: [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: { type: 'tests_pass' } }],
    });
    const trusted = await repository.helix(['trust']);
    expect(trusted.stdout + trusted.stderr).toContain('["npm","test"], which runs "test: test -f out.txt"');
    const { code, said } = await repository.run();
    expect(code, said).toBe(0);
  });

  it('has its judges go by what lies beside the plan, as it was when the run began', async () => {
    const repository = new Repository({
      below: BELOW,
      files: {
        [`${BELOW}/approvals/tone/CLAUDE.md`]: 'Judge the tone.\n',
        [`${BELOW}/approvals/tone/checks/kind.md`]: '# Kind\n',
      },
      plan: APP,
      phases: [
        {
          id: 'work',
          type: 'development',
          output: ['out.txt'],
          quality_gate: { type: 'approval', approval_type: 'tone', checks: ['kind'] },
        },
      ],
    });
    repository.write({ ...GIVEN, 'packages/app/approvals/tone/checks/other.md': '# Other\n' });
    repository.commit('another definition, of the work');
    const { code, said, events } = await repository.run(['--agent', 'scripted']);
    expect(code, said).toBe(0);
    const finished = events.find(({ type }) => type === 'approval_finished');
    expect(finished?.data).toMatchObject({ result: { checks: [{ id: 'kind' }], inputs: [{ path: 'out.txt' }] } });
  });
});

describe('what lies outside the root', () => {
  const agent = 'echo done > out.txt; echo "$MY_TOKEN" > ../lib/lib.txt';
  const settings = (path: string) => ({
    agents: { default: { driver: 'command', command: [path], env: ['MY_TOKEN'] } },
    sandbox: 'basic',
  });

  it('is asked about, shown by diff, and part of the commit once a human agrees', async () => {
    const repository = new Repository({ files: GIVEN, plan: APP, agent });
    const { code, state, run } = await repository.run();
    expect(code).toBe(3);
    expect([...(state?.requests.values() ?? [])].map(({ question }) => question).join()).toContain('../lib/lib.txt');
    const shown = await repository.helix(['diff', run, 'work']);
    expect(shown.stdout).toContain('--- a/packages/lib/lib.txt');
    await decideAs(repository.dir, { action: 'proceed' });
    const end = await repository.resume();
    expect(end.code, end.said).toBe(0);
    expect(await repository.changed()).toEqual(['A packages/app/out.txt', 'M packages/lib/lib.txt']);
  });

  it('is searched for secrets', async () => {
    const repository = new Repository({ files: GIVEN, plan: APP, agent });
    put(repository.dir, { 'helix.yaml': `${JSON.stringify(settings(repository.agentPath))}\n` });
    const found = await repository.run([], { env: { MY_TOKEN: 'tok-0123456789abcdef' } });
    expect(found.code).toBe(3);
    expect(words(found)).toContain('error: ../lib/lib.txt:1 has the value of MY_TOKEN');
  });
});

it('secrets in files that are copied from the root are known', async () => {
  const repository = new Repository({
    below: BELOW,
    files: { '.gitignore': '.env\n' },
    plan: { workspace: { ...TOP.workspace, copy: ['.env'] } },
    agent: 'cat .env > out.txt',
  });
  repository.write({ '.env': 'API_TOKEN=tok-0123456789abcdef\n' });
  expect(words(await repository.run())).toContain('error: out.txt:1 has the value of API_TOKEN');
});

describe('a root', () => {
  it.each<[what: string, root: string, why: string]>([
    ['that climbs', '../elsewhere', 'leaves its directory'],
    ['that is absolute', '/tmp', 'is absolute'],
    ['that is not there', 'packages/ap', 'leads to packages/ap, which the repository does not have'],
    ['that is a file', 'readme.md', 'leads to readme.md, which is not a directory'],
    ['behind a link', 'link/app', 'leads to link, which is a link'],
    ["in git's own", '.git/hooks', 'leads to .git, which is not there to be worked on'],
    ['in another repository', 'other/src', 'leads to other, which is a git repository of its own'],
  ])('%s is an error of the plan, with its place', async (_, root, why) => {
    const repository = new Repository({ below: BELOW, files: GIVEN, plan: { workspace: { mode: 'repo', root } } });
    symlinkSync('packages', repository.path('link'));
    mkdirSync(repository.path('other/.git'), { recursive: true });
    const { code, said } = await repository.run();
    expect(code).toBe(2);
    expect(said).toMatch(/phases\.yaml:\d+:\d+/);
    expect(said).toContain(`the root "${root}" ${why}`);
    expect(said).toContain('name a directory from the top of the repository');
  });

  it('belongs to mode: repo', async () => {
    const repository = new Repository({ plan: { workspace: { mode: 'phase-dirs', root: '.' } } });
    expect((await repository.run()).said).toContain('the root "." belongs to mode: repo');
  });

  it('that is where the plan lies changes nothing', async () => {
    const workspace = { mode: 'repo', root: BELOW };
    const repository = new Repository({ below: BELOW, plan: { workspace } });
    const { code, state } = await repository.run();
    expect([code, state?.plan.workspace]).toEqual([0, { mode: 'repo', setup: [], copy: [], cache: [] }]);
  });

  it('must be in the commit the run starts from', async () => {
    const repository = new Repository({ plan: APP });
    repository.write(GIVEN);
    const { code, said } = await repository.run();
    expect([code, said]).toEqual([2, expect.stringContaining('packages/app is no directory in the commit the run')]);
    const taken = await repository.run(['--include-dirty']);
    expect(taken.code, taken.said).toBe(0);
    expect(await repository.files()).toContain('packages/app/out.txt');
  });

  it('may have gone from the checkout while its run goes on', async () => {
    const gate = { type: 'custom', command: ['grep', '-q', 'right', 'out.txt'], max_retries: 1 };
    const repository = new Repository({
      files: { ...GIVEN, ...NO_CONSULTANT },
      plan: APP,
      phases: [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: gate }],
    });
    expect((await repository.run()).code).toBe(3);
    rmSync(repository.path('packages'), { recursive: true });
    repository.agent('echo right > out.txt');
    await decideAs(repository.dir, { action: 'retry' });
    const { code, said } = await repository.resume();
    expect(code, said).toBe(0);
    expect((await repository.helix(['diff'])).stdout).toContain('+++ b/packages/app/out.txt');
  });

  it('has a set-up of its own: what was installed for another one is not taken', async () => {
    const setup = [['sh', '-c', 'mkdir deps; basename "$PWD" > deps/name']];
    const repository = new Repository({
      files: { 'one/x': '1\n', 'two/x': '1\n', '.gitignore': 'deps\n' },
      plan: { workspace: { mode: 'repo', root: 'one', setup, cache: ['deps'] } },
      agent: 'cp deps/name out.txt',
    });
    for (const root of ['one', 'two']) {
      editRoot(repository, root);
      expect((await repository.run()).code).toBe(0);
      expect(await repository.result(`${root}/out.txt`)).toBe(root);
    }
  });

  it('cannot be changed in a run under way', async () => {
    const repository = new Repository({
      files: { ...GIVEN, ...NO_CONSULTANT },
      plan: APP,
      agent: 'echo x > other.txt',
    });
    expect((await repository.run()).code).toBe(3);
    editRoot(repository, '.');
    const { code, said } = await repository.resume(['--replan', '--trust']);
    expect([code, said]).toEqual([2, expect.stringContaining('works in repo, root "packages/app"; that cannot be')]);
  });

  it('is kept by a run: neither --from nor a gate with another one takes it up', async () => {
    const repository = new Repository({ files: GIVEN, plan: APP });
    const { run } = await repository.run();
    editRoot(repository, 'packages');
    const from = await repository.run(['--from', `${run}:work`]);
    expect([from.code, from.said]).toEqual([
      2,
      expect.stringContaining('another kind of workspace (repo, root "packages/app")'),
    ]);
    const gate = await repository.helix(['gate', 'work', '--run', run, '--trust']);
    expect([gate.code, gate.stderr]).toEqual([2, expect.stringContaining('(repo, root "packages/app")')]);
  });
});

describeWalled('behind walls', () => {
  it('an agent at the root sees the rest of its worktree, and git works there', async () => {
    const repository = new Repository({
      below: BELOW,
      files: GIVEN,
      plan: APP,
      settings: { sandbox: 'strict' },
      agent: 'cat ../lib/lib.txt > out.txt; git rev-parse --show-prefix >> out.txt',
    });
    const { code, said } = await repository.run();
    expect(code, said).toBe(0);
    expect(await repository.result('packages/app/out.txt')).toBe('lib\npackages/app/');
  });
});
