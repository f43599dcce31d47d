import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { COMMANDS } from '../commands.ts';
import { makePlace } from '../helix.fixture.ts';

const INSTALLED = { zsh: exists('zsh'), fish: exists('fish') };

function exists(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** What bash offers for the last of the words. */
function completed(script: string, words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _helix; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash completes commands, options, their values and what follows a command', async () => {
  const { code, out } = await makePlace().helix(['completion', 'bash']);
  expect(code).toBe(0);
  expect(completed(out, ['helix', 'pl'])).toEqual(['plan']);
  expect(completed(out, ['helix', ''])).toEqual(expect.arrayContaining(Object.keys(COMMANDS)));
  expect(completed(out, ['helix', 'plan', '--fo'])).toEqual(['--format']);
  expect(completed(out, ['helix', 'plan', '--format', 'm'])).toEqual(['mermaid']);
  expect(completed(out, ['helix', 'new', 'demo', '--type', ''])).toContain('bugfix');
  expect(completed(out, ['helix', 'init', '--lang', ''])).toEqual(['en', 'de']);
  expect(completed(out, ['helix', 'run', '--agent', 's'])).toEqual(['scripted']);
  expect(completed(out, ['helix', 'schema', 'hil'])).toEqual(['hil-request']);
  expect(completed(out, ['helix', 'completion', ''])).toEqual(['bash', 'zsh', 'fish']);
  expect(completed(out, ['helix', 'plan', ''])).toEqual([]);
  expect(completed(out, ['helix', 'adr', 'ch'])).toEqual(['check']);
  expect(completed(out, ['helix', 'adr', '--h'])).toEqual(['--help']);
  expect(completed(out, ['helix', 'adr', 'help', 'ch'])).toEqual(['check']);
  expect(completed(out, ['helix', 'adr', 'check', ''])).toEqual([]);
  expect(completed(out, ['helix', 'adr', 'check', '--h'])).toEqual(['--help']);
  expect(completed(out, ['helix', 'adr', 'check', '--format', 's'])).toEqual(['sarif']);
  expect(completed(out, ['helix', 'adr', 'check', '--profile', 'w'])).toEqual(['what-why']);
  expect(completed(out, ['helix', 'adr', 'show', ''])).toEqual([]);
  expect(completed(out, ['helix', 'approve', 'm'])).toEqual(['migration', 'mark']);
  expect(completed(out, ['helix', 'approve', 'code', ''])).toEqual([]);
  expect(completed(out, ['helix', 'approve', 'code', '--fo'])).toEqual(['--format']);
  expect(completed(out, ['helix', 'approve', 'code', '--format', 'sa'])).toEqual(['sarif']);
  expect(completed(out, ['helix', 'approve', 'mark', '1f2e', 'f'])).toEqual(['false-positive']);
  expect(completed(out, ['helix', 'approve', 'mark', '1f2e', 'missed', '--n'])).toEqual(['--note']);
});

test.each([
  'zsh',
  'fish',
] as const)('%s knows every command, and reads the script where it is installed', async (shell) => {
  const place = makePlace();
  const { code, out } = await place.helix(['completion', shell]);
  expect(code).toBe(0);
  for (const name of Object.keys(COMMANDS)) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
  if (!INSTALLED[shell]) return;
  place.write('script', out);
  const { status, stderr } = spawnSync(shell, ['-n', 'script'], { cwd: place.dir, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.runIf(INSTALLED.fish)('fish completes the value of an option', async () => {
  const { out } = await makePlace().helix(['completion', 'fish']);
  const { stdout } = spawnSync('fish', ['-c', `${out}\ncomplete -C 'helix plan --format m'`], { encoding: 'utf8' });
  expect(stdout).toMatch(/^mermaid\b/);
});

test.runIf(INSTALLED.fish)('fish completes the commands of a group, and no longer when one is there', async () => {
  const { out } = await makePlace().helix(['completion', 'fish']);
  const ask = (line: string) => spawnSync('fish', ['-c', `${out}\ncomplete -C '${line}'`], { encoding: 'utf8' }).stdout;
  expect(ask('helix adr ch')).toMatch(/^check\t/);
  expect(ask('helix adr check --he')).toMatch(/^--help\t/);
  expect(ask('helix adr check che')).not.toMatch(/^check\t/m);
});

test('an unknown shell is refused with a guess', async () => {
  const { code, err } = await makePlace().helix(['completion', 'bsh']);
  expect(code).toBe(2);
  expect(err).toContain('did you mean "bash"?');
  expect((await makePlace().helix(['completion'])).code).toBe(2);
});
