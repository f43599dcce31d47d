import { cpSync, existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { changing, FILES, FIX, plain, TASK } from './do-repository.ts';
import { Repository } from './repository.ts';

const packageWith = (test: string) => ({ 'package.json': JSON.stringify({ type: 'module', scripts: { test } }) });
const SPRUNG = 'touch "$HOME/sprung"';
const EVIL = packageWith(SPRUNG);
const HARMLESS = packageWith('node --test');
const SHOWN = `["npm","test"], which runs ${JSON.stringify(`test: ${SPRUNG}`)}`;

const OUT = { id: 'work', type: 'development', output: ['out.txt'] };
const TESTS = { type: 'tests_pass' };
const ASKS = { ...OUT, requires_approval: true };

const planWith = (phases: readonly unknown[]) => ({
  'phases.yaml': JSON.stringify({ project: { name: 'mine', description: 'Make it' }, workspace: 'repo', phases }),
});

const sprung = (repository: Repository) => existsSync(repository.beside('home/sprung'));

it('a run whose journal came with the files starts no script that its commit has and the checkout does not show', async () => {
  const author = new Repository({ files: EVIL, phases: [{ ...ASKS, quality_gate: TESTS }] });
  expect((await author.run()).code).toBe(3);
  author.write(HARMLESS);
  author.commit('harmless');
  const reader = new Repository({ files: false, planless: true });
  cpSync(author.top, reader.top, { recursive: true });
  expect((await reader.helix(['trust'])).stdout).toContain('node --test');
  for (const args of [['resume'], ['decide', 'A']]) {
    const { code, stderr } = await reader.helix(args);
    expect({ args, code, shown: stderr.includes(SHOWN) }).toEqual({ args, code: 2, shown: true });
  }
  expect(sprung(reader)).toBe(false);
  expect((await reader.helix(['decide', 'A', '--trust'])).code).toBe(0);
});

it('a run whose journal came with the files starts no script that only its accepted work has, nor does helix gate', async () => {
  const one = { ...OUT, id: 'one', quality_gate: TESTS };
  const author = new Repository({
    files: HARMLESS,
    agent: `echo '${EVIL['package.json']}' > package.json; echo done > out.txt`,
    phases: [one, { ...ASKS, id: 'two', dependencies: ['one'], quality_gate: TESTS }],
  });
  expect((await author.run()).code).toBe(3);
  expect((await author.helix(['decide', 'B'])).code).toBe(3);
  const reader = new Repository({ files: false, planless: true });
  cpSync(author.top, reader.top, { recursive: true });
  expect((await reader.helix(['trust'])).stdout).toContain('node --test');
  for (const args of [['resume'], ['decide', 'A'], ['gate', 'one']]) {
    const { code, stderr } = await reader.helix(args);
    expect({ args, code, shown: stderr.includes(SHOWN) }).toEqual({ args, code: 2, shown: true });
  }
  expect(sprung(reader)).toBe(false);
  expect((await reader.helix(['decide', 'A', '--trust'])).code).not.toBe(2);
  expect(sprung(reader)).toBe(true);
});

it('helix gate starts no script that the last commit has and the checkout does not show', async () => {
  const repository = new Repository({ files: EVIL, phases: [{ ...OUT, quality_gate: TESTS }] });
  repository.write(HARMLESS);
  expect((await repository.helix(['trust'])).stdout).toContain('node --test');
  const { code, stderr } = await repository.helix(['gate', 'work']);
  expect({ code, shown: stderr.includes(SHOWN), sprung: sprung(repository) }).toEqual({
    code: 2,
    shown: true,
    sprung: false,
  });
  expect((await repository.helix(['gate', 'work', '--trust'])).code).not.toBe(2);
  expect(sprung(repository)).toBe(true);
});

it('resume --replan shows the scripts of the commit the run began with, which an edited gate would start', async () => {
  const repository = new Repository({ files: EVIL, phases: [ASKS] });
  expect((await repository.run()).code).toBe(3);
  repository.write({ ...planWith([{ ...OUT, quality_gate: TESTS }]), ...HARMLESS });
  repository.commit('second');
  expect((await repository.helix(['trust'])).stdout).toContain('node --test');
  const { code, said } = await repository.resume(['--replan']);
  expect({ code, shown: said.includes(SHOWN), sprung: sprung(repository) }).toEqual({
    code: 2,
    shown: true,
    sprung: false,
  });
});

it('run --from shows the scripts of the work it takes over, and --trust starts them', async () => {
  const one = { id: 'one', type: 'development', output: ['out.txt'] };
  const two = { id: 'two', type: 'development', output: ['out.txt'], dependencies: ['one'] };
  const fails = { type: 'custom', command: ['false'], on_failure: 'abort' };
  const repository = new Repository({ files: EVIL, phases: [one, { ...two, quality_gate: fails }] });
  const { run } = await repository.run();
  repository.write({ ...planWith([one, { ...two, quality_gate: TESTS }]), ...HARMLESS });
  repository.commit('second');
  expect((await repository.helix(['trust'])).stdout).toContain('node --test');
  const args = ['run', '--from', `${run}:two`];
  const refused = await repository.helix(args);
  expect({ code: refused.code, shown: refused.stderr.includes(SHOWN), sprung: sprung(repository) }).toEqual({
    code: 2,
    shown: true,
    sprung: false,
  });
  expect(await repository.helix([...args, '--trust'])).toMatchObject({ code: 0 });
  expect(sprung(repository)).toBe(true);
});

it('do --again shows a test script that the work it goes on from has changed, and asks about no other', async () => {
  const repository = plain(FILES);
  const rewritten = packageWith('node --test --test-timeout=60000');
  const does = (args: readonly string[], writes: Record<string, string>) =>
    repository.helix(['do', ...args, '--no-judge', ...changing(repository, { writes })]);
  expect(await does([TASK, '--trust'], FIX)).toMatchObject({ code: 0 });
  const again = ['--again', 'more'];
  expect(await does(again, { 'one.js': '1;\n' })).toMatchObject({ code: 0 });
  expect(await does(again, { 'two.js': '2;\n', ...rewritten })).toMatchObject({ code: 0 });
  const refused = await does(again, { 'three.js': '3;\n' });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('which runs "test: node --test --test-timeout=60000"');
  expect(await does([...again, '--trust'], { 'three.js': '3;\n' })).toMatchObject({ code: 0 });
  expect(await does(again, { 'four.js': '4;\n' })).toMatchObject({ code: 0 });
});
