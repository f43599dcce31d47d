import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HELIX } from '../../../test/helix-process.ts';
import { COLOUR } from '../../../test/on-terminal.ts';
import { Repository, WAIT } from '../../../test/repository.ts';
import { DiffDocument } from '../../domain/documents/documents.ts';

const WORK = `
printf 'one\\nTWO\\nthree\\n' > "notes of ada.txt"
rm old.txt
printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh
printf 'a\\0b' > image.bin
head -c 1100000 /dev/zero | tr '\\0' x > big.txt
mkdir -p "földer"; printf 'caf\\351\\r\\nno end' > "földer/latin1.txt"
: > empty.txt
ln -s run.sh link
`;
const FILES = { 'notes of ada.txt': 'one\ntwo\nthree\n', 'old.txt': 'old\n' };
const TWO = [
  { id: 'one', type: 'development', output: ['run.sh'] },
  { id: 'two', type: 'development', output: ['last.txt'] },
];

/** Takes a patch into the user's checkout, as they would. */
function apply(repository: Repository, patch: string | Buffer, dir = repository.dir): void {
  writeFileSync(repository.beside('work.patch'), patch);
  execFileSync('git', ['apply', '--whitespace=nowarn', repository.beside('work.patch')], {
    cwd: dir,
    env: repository.env(),
  });
}

/** What a redirected diff has in it, byte for byte. */
function redirected(repository: Repository, args: readonly string[] = []) {
  return spawnSync(HELIX, ['diff', ...args], { cwd: repository.dir, env: { ...process.env, ...repository.env() } });
}

it('what a run has accepted can be taken over with git apply', async () => {
  const agent = `if [ $HELIX_PHASE = one ]; then ${WORK} else echo last > last.txt; fi`;
  const repository = new Repository({ agent, files: FILES, phases: TWO });
  const { run } = await repository.run();
  const { stdout, stderr, status } = redirected(repository);
  expect({ status, stderr: String(stderr) }).toEqual({
    status: 0,
    stderr: '3 of 9 files are only named in the patch, so that it does not carry them\n',
  });
  apply(repository, stdout);
  repository.git('add', '--all');
  const rest = repository.git('diff', '--cached', '--name-status', '--no-renames', `helix/${run}`);
  expect(rest.split('\n')).toEqual(['D\tbig.txt', 'D\timage.bin', 'D\tlink']);
});

it('what was changed outside a project in a subfolder is shown like the rest', async () => {
  const agent = 'echo smuggled > ../beside.txt; echo x > run.sh';
  const repository = new Repository({
    agent,
    below: 'project',
    settings: { sandbox: 'basic' },
    phases: TWO.slice(0, 1),
  });
  const { run } = await repository.run();
  const { stdout } = await repository.helix(['diff', run, 'one']);
  expect(stdout).toContain('+++ b/beside.txt\n@@ -0,0 +1,1 @@\n+smuggled\n');
  expect(stdout).toContain('+++ b/project/run.sh\n');
});

it('the numbers are given as a table and as a document', async () => {
  const repository = new Repository({ agent: WORK, files: FILES, phases: TWO.slice(0, 1) });
  const { run } = await repository.run();
  const { stdout } = await repository.helix(['diff', run, '--json']);
  const { files, ...rest } = DiffDocument.parse(JSON.parse(stdout));
  expect(rest).toEqual({ schema: 'helix.diff/1', run });
  expect(files).toEqual([
    { path: 'big.txt', status: 'added', added: 0, removed: 0, only: 'large' },
    { path: 'empty.txt', status: 'added', added: 0, removed: 0 },
    { path: 'földer/latin1.txt', status: 'added', added: 2, removed: 0 },
    { path: 'image.bin', status: 'added', added: 0, removed: 0, only: 'binary' },
    { path: 'notes of ada.txt', status: 'changed', added: 1, removed: 1 },
    { path: 'old.txt', status: 'removed', added: 0, removed: 1 },
    { path: 'run.sh', status: 'added', added: 1, removed: 0 },
    { path: 'link', status: 'added', added: 0, removed: 0, only: 'link', note: 'link to "run.sh"' },
  ]);
  const stat = await repository.helix(['diff', '--stat']);
  expect(stat.stdout).toContain('notes of ada.txt  | +1 -1\n');
  expect(stat.stdout).toContain('8 files, 4 lines added, 2 removed\n');
});

it('work that was not accepted is shown by its phase, each attempt for itself', async () => {
  const gate = { type: 'custom', command: ['false'], max_retries: 2 };
  const phases = [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: gate }];
  const repository = new Repository({ agent: 'echo line >> out.txt', phases });
  const { run } = await repository.run();
  const none = await repository.helix(['diff']);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: `run ${run} has accepted nothing yet\n` });
  const whole = await repository.helix(['diff', run, 'work']);
  expect(whole.stdout).toContain('@@ -0,0 +1,2 @@\n+line\n+line\n');
  const second = await repository.helix(['diff', run, 'work', '--attempt', '2']);
  expect(second.stdout).toContain('@@ -1,1 +1,2 @@\n line\n+line\n');
  expect(await repository.helix(['diff', run, 'work', '--attempt', '3'])).toMatchObject({ code: 2, stdout: '' });
  expect(await repository.helix(['diff', run, 'wrok'])).toMatchObject({ code: 2, stdout: '' });
  expect(await repository.helix(['diff', '--attempt', '1'])).toMatchObject({ code: 2, stdout: '' });
});

it('on a terminal nothing of a file can act on it', async () => {
  const name = 'n\u001b[31m.txt';
  const evil = `printf 'plain\\n\\033[2J\\033]0;title\\007gone\\r\\n' > out.txt; printf x > "$(printf 'n\\033[31m.txt')"`;
  const repository = new Repository({ agent: evil, files: { [name]: 'y' } });
  await repository.run();
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env;
  const shown = spawnSync('script', ['-qec', `${HELIX} diff`, '/dev/null'], {
    cwd: repository.dir,
    env: { ...env, ...repository.env(), TERM: 'xterm' },
    encoding: 'utf8',
  }).stdout;
  expect(shown).toContain('\u001b[32m+plain\u001b[0m');
  const uncoloured = shown.replaceAll(COLOUR, '');
  for (const control of ['\u001b', '\u0007']) expect(uncoloured).not.toContain(control);
  expect(shown).not.toContain('\u001b[31m.txt');
  expect(redirected(repository).stdout.includes('\u001b[2J')).toBe(true);
});

it('in a project below the top, and where phases have directories, paths are those of the project', async () => {
  const below = new Repository({ below: 'packages/mine', agent: 'echo new > out.txt' });
  await below.run();
  apply(below, redirected(below).stdout);
  expect(below.read('packages/mine/out.txt')).toBe('new\n');

  const agent = 'mkdir -p output; echo $HELIX_PHASE > output/out.txt';
  const phases = ['one', 'two'].map((id) => ({ id, type: 'development' }));
  const apart = new Repository({ agent, phases, plan: { workspace: 'phase-dirs' } });
  await apart.run();
  const { stdout } = redirected(apart);
  execFileSync('rm', ['-rf', apart.path('phases')]);
  apply(apart, stdout);
  expect([apart.read('phases/one/output/out.txt'), apart.read('phases/two/output/out.txt')]).toEqual([
    'one\n',
    'two\n',
  ]);
});

it('a phase whose work was merged shows its own work only', async () => {
  const phases = ['one', 'two'].map((id) => ({ id, type: 'development', output: [`${id}.txt`], depends_on: [] }));
  const agent = `echo $HELIX_PHASE > $HELIX_PHASE.txt; if [ $HELIX_PHASE = two ]; then ${WAIT}; fi`;
  const repository = new Repository({ agent, phases, plan: { concurrency: 2 } });
  const { run, state } = await repository.runPast('one');
  expect(state?.phases.get('two')?.current?.joined).toEqual(['one']);
  const { stdout } = await repository.helix(['diff', run, 'two', '--json']);
  expect(DiffDocument.parse(JSON.parse(stdout)).files.map(({ path }) => path)).toEqual(['two.txt']);
});
