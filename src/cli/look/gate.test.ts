import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startHelix } from '../../../test/helix-process.ts';
import { Repository } from '../../../test/repository.ts';
import { put } from '../../../test/scratch.ts';
import { GateDocument } from '../../domain/documents/documents.ts';

/** A plan of one phase with such a gate. */
function phases(command: readonly string[] | string, more: object = {}) {
  const gate = [{ type: 'files_exist' }, { type: 'custom', command, max_retries: 1 }];
  return [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: gate, ...more }];
}

function edit(repository: Repository, edited: readonly object[], workspace = 'repo'): void {
  const plan = JSON.stringify({ project: { name: 'mine', description: 'A trial' }, workspace, phases: edited });
  put(repository.dir, { 'phases.yaml': plan });
}

it('an edited gate judges what the run has made, and nothing is recorded', async () => {
  const repository = new Repository({ phases: phases(['grep', '-q', 'better', 'out.txt']) });
  const { code, events } = await repository.run();
  expect(code).toBe(3);
  const failed = await repository.helix(['gate', 'work']);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('judging attempt 1 of work in run');
  expect(failed.stdout).toMatch(/✔ files_exist {2}pass/);
  expect(failed.stdout).toMatch(/✖ custom {7}reject .*\n.*exit code 1/);
  edit(repository, phases(['grep', '-q', 'done', 'out.txt']));
  const before = repository.digest();
  const untrusted = await repository.helix(['gate', 'work']);
  expect(untrusted).toMatchObject({ code: 2, stdout: '' });
  expect(untrusted.stderr).toContain('+ gate command of work: ["grep","-q","done","out.txt"]');
  const passed = await repository.helix(['gate', 'work', '--trust']);
  expect({ code: passed.code, stderr: passed.stderr.split(' in ')[0] }).toEqual({
    code: 0,
    stderr: 'judging attempt 1 of work',
  });
  expect((await repository.journaled()).events).toEqual(events);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  expect(readdirSync(repository.path('.helix/repo/indexes'))).toEqual([]);
});

it('a gate that cannot be asked has no opinion: the exit code is 2, and gates after it are not asked', async () => {
  const gates = [{ type: 'custom', command: ['sh', '-c', 'exit 127'] }, { type: 'files_exist' }];
  const repository = new Repository({ phases: phases('true', { quality_gate: gates }) });
  const { code, stdout } = await repository.helix(['gate', 'work', '--trust', '--json']);
  expect(code).toBe(2);
  expect(GateDocument.parse(JSON.parse(stdout))).toMatchObject({
    outcome: 'unjudged',
    verdicts: [],
    unasked: ['files_exist'],
    interrupted: { gate: 'custom', failure: 'setup' },
  });
  const { stdout: shown } = await repository.helix(['gate', 'work']);
  expect(shown).toMatch(/\? custom {7}cannot be judged\n.*cannot run/);
  expect(shown).toContain('· files_exist  not asked');
});

it.each([
  ['repo', 'adr.md'],
  ['phase-dirs', 'output/adr.md'],
])('an ADR is judged as in the run, in %s: by the files of the project and by what it said before', async (mode, file) => {
  const files = { 'tpl.md': readFileSync('test/adr/lost-plan/adr-with-plan.md', 'utf8') };
  const repository = new Repository({
    files,
    agent: `if [ -e ${file} ]; then sed -i 's/^change_scope: major/change_scope: minor/; s/katalog.suche.py/tpl.md/' ${file}; else mkdir -p output; cp "$HELIX_PROJECT_DIR/tpl.md" ${file}; fi`,
  });
  const gate = { type: 'adr_complete', file, semantic: false, max_retries: 2 };
  edit(repository, [{ id: 'work', type: 'development', output: [file], quality_gate: gate }], mode);
  if (mode === 'repo') repository.commit('the plan');
  const { state } = await repository.run();
  const { stdout } = await repository.helix(['gate', 'work', '--json', '--trust']);
  const told = state?.phases.get('work')?.lastVerdicts.flatMap(({ findings }) => findings.map(({ check }) => check));
  expect(told).toEqual(expect.arrayContaining(['files-docs-missing', 'eased-adr']));
  const { verdicts } = GateDocument.parse(JSON.parse(stdout));
  expect(verdicts.flatMap(({ findings }) => findings.map(({ check }) => check))).toEqual(told);
});

it('without a run the last commit is judged, not what lies in the checkout', async () => {
  const repository = new Repository({ phases: phases(['cat', 'out.txt']) });
  repository.write({ 'out.txt': 'not committed' });
  const { code, stderr } = await repository.helix(['gate', 'work', '--trust']);
  expect({ code, said: stderr.includes('your last commit') }).toEqual({ code: 1, said: true });
  repository.commit('second');
  expect((await repository.helix(['gate', 'work'])).code).toBe(0);
});

it('where phases have directories, the newest tree is judged and, before any run, what lies there', async () => {
  const repository = new Repository({ agent: 'mkdir -p output; echo done > output/out.txt' });
  const gates = [
    { type: 'files_exist', files: ['output/out.txt'] },
    { type: 'custom', command: ['grep', 'done', 'output/out.txt'] },
  ];
  edit(repository, [{ id: 'work', type: 'development', quality_gate: gates }], 'phase-dirs');
  const first = await repository.helix(['gate', 'work', '--trust', '--json']);
  expect(first.code).toBe(1);
  repository.write({ 'phases/work/output/out.txt': 'done by hand' });
  const second = await repository.helix(['gate', 'work']);
  expect(second.code).toBe(0);
  expect(second.stderr).toContain('what lies in phases/work/');
  const { state } = await repository.run();
  expect(state?.ended?.status).toBe('passed');
  repository.write({ 'phases/work/output/out.txt': 'spoilt since' });
  const { stdout } = await repository.helix(['gate', 'work', '--json']);
  const document = GateDocument.parse(JSON.parse(stdout));
  expect(document).toMatchObject({ outcome: 'passed', attempt: 1, tree: state?.phases.get('work')?.accepted?.tree });
  expect(readdirSync(repository.path('phases'))).toEqual(['work']);
});

it('a phase can be judged while its run goes on', async () => {
  const agent =
    'echo done > out.txt; if [ $HELIX_PHASE = two ]; then while [ ! -e "$HELIX_PROJECT_DIR/go" ]; do sleep 0.05; done; fi';
  const two = { id: 'two', type: 'development', depends_on: 'work' };
  const repository = new Repository({
    agent,
    phases: [...phases(['grep', 'done', 'out.txt']), { ...two, output: ['out.txt'] }],
  });
  const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = end.then(({ stderr }) => Promise.reject(new Error(`it ended too early: ${stderr}`)));
  ended.catch(() => undefined);
  while ((await repository.journaled()).state?.phases.get('two')?.current === undefined)
    await Promise.race([ended, pause(20)]);
  expect((await repository.helix(['gate', 'work'])).code).toBe(0);
  const refused = await repository.helix(['gate', 'two', '--run', (await repository.journaled()).run]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('has no tree of two yet');
  writeFileSync(repository.path('go'), '');
  expect((await end).code).toBe(0);
});

it('the copy that a run is judging in is left alone, where phases have directories', async () => {
  const repository = new Repository({ agent: 'mkdir -p output; echo done > output/out.txt' });
  const wait = 'touch "$HELIX_PROJECT_DIR/judging"; while [ ! -e "$HELIX_PROJECT_DIR/go" ]; do sleep 0.02; done';
  const gated = (command: string[]) => [{ id: 'work', type: 'development', quality_gate: { type: 'custom', command } }];
  edit(repository, gated(['sh', '-c', `${wait}; cat output/out.txt`]), 'phase-dirs');
  const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
  onTestFinished(() => void child.kill('SIGKILL'));
  while (!existsSync(repository.path('judging'))) await pause(20);
  edit(repository, gated(['cat', 'output/out.txt']), 'phase-dirs');
  expect((await repository.helix(['gate', 'work', '--trust'])).code).toBe(0);
  writeFileSync(repository.path('go'), '');
  expect((await end).code).toBe(0);
  expect((await repository.journaled()).state?.spent.attempts).toBe(1);
});

it('what the judged work does to the refs of the user is put back and told', async () => {
  const OWN_SCRIPT = { output: ['out.txt', 't.sh'] };
  const repository = new Repository({
    files: { 't.sh': 'true\n' },
    phases: phases(['sh', '-c', '. ./t.sh'], OWN_SCRIPT),
    agent: `echo done > out.txt; echo "[ -z \\"\\$EVIL\\" ] || git -C '$HELIX_PROJECT_DIR' branch -q -D feature" > t.sh`,
  });
  repository.git('branch', 'feature');
  expect((await repository.run()).code).toBe(0);
  edit(repository, phases(['sh', '-c', 'EVIL=1; . ./t.sh'], OWN_SCRIPT));
  const before = repository.digest();
  const { stdout } = await repository.helix(['gate', 'work', '--trust']);
  expect(stdout).toContain('refs/heads/feature was deleted');
  expect(repository.digest()).toEqual(before);
  expect(readdirSync(repository.path('.helix/repo/guards'))).toEqual([]);
});

it('an unknown phase and a plan with errors are refused', async () => {
  const repository = new Repository();
  const unknown = await repository.helix(['gate', 'wrok']);
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('did you mean "work"?');
  edit(repository, [{ id: 'work', type: 'development', outputs: ['x'] }]);
  const broken = await repository.helix(['gate', 'work']);
  expect(broken).toMatchObject({ code: 2, stdout: '' });
  expect(broken.stderr).toMatch(/phases\.yaml:1:\d+/);
  expect(existsSync(repository.path('.helix/helix.db'))).toBe(false);
});
