import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HELIX } from './helix-process.ts';
import { onTerminal } from './on-terminal.ts';
import { Repository } from './repository.ts';
import { put } from './scratch.ts';

const packageWith = (test: string) => JSON.stringify({ name: 'a', scripts: { test } });
const FILES = { 'a.txt': 'a\n', 'package.json': packageWith('echo first') };
const planWith = (setup: string) =>
  JSON.stringify({
    project: { name: 'x' },
    workspace: { mode: 'repo', setup: [['sh', '-c', setup]] },
    phases: [{ id: 'x', type: 'test' }],
  });

function plain(files: Record<string, string>): Repository {
  return new Repository({ planless: true, files: { ...FILES, ...files } });
}

/** Words that have the scripted agent write b. */
function writing(repository: Repository, agent: readonly string[] = ['--agent', 'scripted']): string[] {
  put(repository.root, { 'script.yaml': JSON.stringify({ phases: { change: [{ writes: { 'a.txt': 'b\n' } }] } }) });
  return ['do', 'Write-b', '--no-judge', ...agent, '--script', repository.beside('script.yaml')];
}

function asked(repository: Repository, args: readonly string[]) {
  const place = { dir: repository.top, path: (name: string) => repository.path(name) };
  return onTerminal(place, `${HELIX} ${args.join(' ')}`, { ...repository.env(), NO_COLOR: '1' });
}

it('the question shows the program of every agent that may be started', async () => {
  const helper = { driver: 'claude-code', command: ['bash', '-c', 'touch pwned; echo 1.0.0'] };
  const agents = { default: { driver: 'scripted' }, helper };
  const settings = { agents, roles: { consultant: 'helper' }, allow_simulated: true };
  const repository = plain({ 'helix.yaml': JSON.stringify(settings) });
  const terminal = asked(repository, writing(repository, []));
  await terminal.shows('[y/N]');
  const before = terminal.shown();
  terminal.type('n\n');
  expect((await terminal.end).code).toBe(2);
  expect(before).toContain('+ agent helper: claude-code (["bash","-c","touch pwned; echo 1.0.0"])');
  expect(before).toMatch(/^Start programs: .*bash -c touch pwned/m);
  expect(before).not.toMatch(/[+-] [+-] /);
});

it('the question shows commands to their end', async () => {
  const setup = `true ${'x'.repeat(400)}; touch made`;
  const repository = plain({ 'phases.yaml': planWith(setup) });
  const terminal = asked(repository, writing(repository));
  await terminal.shows('[y/N]');
  const before = terminal.shown();
  terminal.type('n\n');
  expect((await terminal.end).code).toBe(2);
  expect(before).toContain(`+ set-up command: ["sh","-c","${setup}"]`);
  expect(before).toContain('"test: echo first"');
});

it('tests that their user typed are not called detected', async () => {
  const repository = plain({});
  const end = await repository.helix([...writing(repository), '--tests', 'npm test']);
  expect(end.code).toBe(2);
  expect(end.stderr).toMatch(/[+] gate command of change: .*echo first/);
  expect(end.stderr).not.toContain('detected');
});

it('a command that several phases start stands in the question once, with all of them', async () => {
  const repository = plain({});
  const terminal = asked(repository, ['do', 'Write-b', '--type', 'bugfix', '--agent', 'scripted']);
  await terminal.shows('[y/N]');
  const before = terminal.shown();
  terminal.type('n\n');
  await terminal.end;
  expect(before).toContain('+ gate command of fix and reproduce: ["npm","test"], which runs "test: echo first"');
  expect(before.split('["npm","test"]')).toHaveLength(2);
});

it.each([
  ['a set-up command', { 'phases.yaml': planWith(`true ${'x'.repeat(9000)}; touch made`) }],
  ['a character nobody sees', { 'phases.yaml': planWith('true a\u115fb') }],
  ['a script', { 'package.json': packageWith(`true ${'x'.repeat(700)}; touch made`) }],
])('%s that cannot be shown in full is not asked about: it needs --trust', async (_, files: Record<string, string>) => {
  const repository = plain(files);
  const { code, shown } = await asked(repository, writing(repository)).end;
  expect(code).toBe(2);
  expect(shown).not.toContain('[y/N]');
  expect(shown).toContain('A y is not enough here');
  expect(shown).toContain('--trust');
  expect(existsSync(repository.path('.helix'))).toBe(false);
});

it('a test script that has changed since it was trusted is asked about again', async () => {
  const repository = plain({});
  const args = writing(repository);
  expect(await repository.helix([...args, '--trust'])).toMatchObject({ code: 0 });
  expect(await repository.helix(args)).toMatchObject({ code: 0 });
  repository.write({ 'package.json': packageWith('echo second') });
  repository.commit('pulled');
  const changed = await repository.helix(args);
  expect(changed.code).toBe(2);
  expect(changed.stderr).toContain('+ detected gate command of change: ["npm","test"], which runs "test: echo second"');
  expect(changed.stderr).not.toContain('+ gate command');
});

it('the name of the branch reaches the terminal without characters that steer it', async () => {
  const repository = plain({});
  repository.git('checkout', '-qb', 'safe\u202eevil\u009b31m');
  const { stderr } = await repository.helix(writing(repository));
  expect(stderr).toMatch(/^repository · safe.*evil.* @ /m);
  expect(stderr).not.toMatch(/[\u0080-\u009f\u202e]/u);
});

it.each([
  ['y', 'trusted  set-up command: ["npm","ci"]'],
  ['n', 'not yet  set-up command: ["npm","ci"]'],
])('the set-up that init finds is asked for on a terminal, and %s counts', async (key, told) => {
  const lock = { 'package-lock.json': '{ "name": "a", "lockfileVersion": 3, "packages": {} }' };
  const terminal = asked(plain(lock), ['init']);
  await terminal.shows('+ set-up command: ["npm","ci"]');
  await terminal.shows('Trust it? [y/N]');
  terminal.type(`${key}\n`);
  const { code, shown } = await terminal.end;
  expect({ code, told: shown.includes(told) }).toEqual({ code: 0, told: true });
});

it('what its user commits while the question stands is where the work begins, and its branch', async () => {
  const repository = plain({});
  const terminal = asked(repository, writing(repository));
  await terminal.shows('[y/N]');
  repository.write({ 'b.txt': 'meanwhile\n' });
  const meanwhile = repository.commit('meanwhile');
  terminal.type('y\n');
  expect(await terminal.end).toMatchObject({ code: 0 });
  expect(repository.git('rev-parse', 'helix/write-b^')).toBe(meanwhile);
});

it('--yes agrees to what a y on the terminal could agree to, shows it, and remembers it', async () => {
  const repository = plain({});
  const args = writing(repository);
  expect((await repository.helix(args)).code).toBe(2);
  const agreed = await repository.helix([...args, '--yes']);
  expect(agreed).toMatchObject({ code: 0 });
  expect(agreed.stderr).toContain('+ gate command of change: ["npm","test"], which runs "test: echo first"');
  expect((await repository.helix(args)).code).toBe(0);
});

it('--yes agrees to nothing that could not be shown', async () => {
  const repository = plain({ 'phases.yaml': planWith(`true ${'x'.repeat(9000)}; touch made`) });
  const end = await repository.helix([...writing(repository), '--yes']);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain('A y is not enough here');
});
