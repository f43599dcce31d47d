import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CLAUDE } from '../../adapters/agents/claude-code/claude-program.ts';
import { CODEX } from '../../adapters/agents/codex/codex-program.ts';
import { DoctorDocument } from '../../domain/documents/documents.ts';
import { DRIVERS } from '../../domain/plan/driver.ts';
import { makePlace, type Place } from '../helix.fixture.ts';

function program(place: Place, name: string, script: string): void {
  place.write(name, `#!/bin/sh\n${script}\n`);
  chmodSync(join(place.dir, name), 0o755);
}

/** A program in PATH: what lies in the project itself is refused. */
function installed(place: Place, name: string, script: string): void {
  const bin = binOf(place);
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function binOf({ dir }: Place): string {
  return join(dirname(dir), 'bin');
}

const FLAGS = [...CLAUDE.flags, ...CODEX.flags].join(' ');
/** What a program of a version says that has all flags HELIX needs. */
const says = (version: string) => `case "$*" in *--help*) echo "${FLAGS}" ;; *) echo "${version}" ;; esac`;

const NO_LOGIN = {
  ...{ ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: '', CLAUDE_CODE_OAUTH_TOKEN: '', CLAUDE_CONFIG_DIR: '' },
  ...{ CODEX_API_KEY: '', OPENAI_API_KEY: '', CODEX_HOME: '' },
};

function withPath(place: Place): Record<string, string> {
  return { PATH: `${binOf(place)}:${process.env.PATH}`, ...NO_LOGIN };
}

test('doctor names Node, git, the sandbox and every driver', async () => {
  const { code, out, err } = await makePlace().helix(['doctor']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const word of ['node', 'git', 'sandbox', ...DRIVERS]) expect(out).toMatch(new RegExp(`^. ${word} `, 'm'));
});

test('doctor --json is a document of its format, with the versions found', async () => {
  const place = makePlace();
  installed(place, 'claude', says('2.1.325 (Claude Code)'));
  installed(place, 'codex', 'echo broken >&2; exit 1');
  const { code, out } = await place.helix(['doctor', '--json'], { env: withPath(place) });
  const { agents, node, sandbox } = DoctorDocument.parse(JSON.parse(out));
  expect(code).toBe(0);
  expect(node).toMatch(/^\d+\./);
  expect(sandbox).toMatchObject({ level: expect.stringMatching(/^(strict|basic)$/), why: expect.stringMatching(/./) });
  expect(agents.map(({ driver }) => driver)).toEqual([...DRIVERS]);
  expect(agents).toContainEqual({ driver: 'claude-code', found: true, version: '2.1.325', login: false });
  const problem = 'codex does not tell its version';
  expect(agents).toContainEqual({ driver: 'codex', found: true, problem, login: false });
  expect(agents).toContainEqual({ driver: 'scripted', found: true });
});

test('without git and agents HELIX still can work', async () => {
  const place = makePlace();
  const { code, out } = await place.helix(['doctor', '--json'], { env: { PATH: place.dir } });
  expect(code).toBe(0);
  const { git, agents } = DoctorDocument.parse(JSON.parse(out));
  expect(git).toBeNull();
  expect(agents).toContainEqual({ driver: 'claude-code', found: false });
});

test('a program that never answers is given up', async () => {
  const place = makePlace();
  installed(place, 'claude', 'sleep 3600');
  const { code, out } = await place.helix(['doctor'], { env: withPath(place) });
  expect(code).toBe(1);
  expect(out).toContain('claude does not tell its version');
});

test.each([
  [{ ANTHROPIC_API_KEY: 'k' }, 'key in ANTHROPIC_API_KEY'],
  [{ CLAUDE_CODE_OAUTH_TOKEN: 't' }, 'token in CLAUDE_CODE_OAUTH_TOKEN'],
  [{ CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: 'k' }, 'Amazon Bedrock'],
  [{ CLAUDE_CONFIG_DIR: 'config' }, 'logged in'],
  [{}, 'not logged in'],
])('the login of claude is told from %j', async (login, words) => {
  const place = makePlace();
  installed(place, 'claude', says('2.1.325'));
  mkdirSync(join(place.dir, 'config'));
  place.write('config/.credentials.json', '{}');
  const { out } = await place.helix(['doctor'], { env: { ...withPath(place), ...login } });
  expect(out).toContain(`claude 2.1.325; ${words}\n`);
});

test.each([
  ['echo "Logged in using ChatGPT" >&2', {}, 'ChatGPT'],
  ['echo "API key configured" >&2', {}, 'API key'],
  ['exit 1', {}, 'not logged in'],
  ['exit 1', { OPENAI_API_KEY: 'k' }, 'API key'],
])('the login of codex is told by itself: %s %j', async (status, login, words) => {
  const place = makePlace();
  installed(place, 'codex', `if [ "$1" = login ]; then ${status}; else ${says('codex-cli 0.166.0')}; fi`);
  const { out } = await place.helix(['doctor'], { env: { ...withPath(place), ...login } });
  expect(out).toContain(`codex 0.166.0; ${words}\n`);
});

test('doctor tells which agents of helix.yaml use a driver', async () => {
  const place = makePlace();
  place.write('helix.yaml', 'agents:\n  default: { driver: scripted }\n  other: { driver: command, command: [x] }\n');
  const { out } = await place.helix(['doctor']);
  expect(out).toMatch(/^. scripted +part of HELIX; helix.yaml: default$/m);
  expect(out).toMatch(/^. command .*; helix.yaml: other$/m);
});

test('a live call starts nothing of a project that is not trusted', async () => {
  const place = makePlace();
  place.write('phases.yaml', 'project: { name: mine }\nworkspace: phase-dirs\nphases: [{ id: one, type: research }]\n');
  place.write('helix.yaml', 'agents: { default: { driver: command, command: "touch started" } }\n');
  const { code, err } = await place.helix(['doctor', '--live']);
  expect(code).toBe(2);
  expect(err).toContain('you have not trusted this project yet');
  expect(existsSync(join(place.dir, 'started'))).toBe(false);
});

test('a live call needs no trust for what it does not start', async () => {
  const place = makePlace();
  const gate = '{ type: custom, command: "touch started" }';
  place.write(
    'phases.yaml',
    `project: { name: mine }\nbudget: { usd: 500 }\nworkspace: phase-dirs\nphases: [{ id: one, type: research, quality_gate: ${gate} }]\n`,
  );
  place.write(
    'helix.yaml',
    'agents: { default: { driver: scripted } }\nallow_simulated: true\nnetwork: { creator: [example.org] }\n',
  );
  const { code, out, err } = await place.helix(['doctor', '--live', '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(DoctorDocument.parse(JSON.parse(out)).live).toMatchObject({ agent: 'default', works: true });
  expect(existsSync(join(place.dir, 'started'))).toBe(false);
});

test.each([
  [
    '2.0.14',
    'claude 2.0.14 is too old: HELIX works with 2.1.163 up to, not including, 3.0.0. Update it: claude update',
  ],
  ['3.0.1', 'claude 3.0.1 is newer than this HELIX knows'],
])('claude %s, which a run would refuse, doctor refuses as well', async (version, words) => {
  const place = makePlace();
  installed(place, 'claude', says(version));
  const { code, out, err } = await place.helix(['doctor'], { env: withPath(place) });
  expect(code).toBe(1);
  expect(out).toContain(`– claude-code   ${words}`);
  expect(err).toContain(`a run here is refused: ${words}`);
  place.write('helix.yaml', 'agents: { default: { driver: scripted } }\n');
  const other = await place.helix(['doctor', '--json'], { env: withPath(place) });
  expect(other.code).toBe(0);
  const { agents, refused } = DoctorDocument.parse(JSON.parse(other.out));
  expect(refused).toBeUndefined();
  expect(agents.find(({ driver }) => driver === 'claude-code')?.problem).toContain(words);
});

test('in a project whose agent is not installed a run would be refused, and doctor says so', async () => {
  const place = makePlace();
  place.write('phases.yaml', 'project: { name: mine }\nworkspace: phase-dirs\nphases: [{ id: one, type: research }]\n');
  const { code, err } = await place.helix(['doctor'], { env: { ...NO_LOGIN, PATH: '/usr/bin:/bin' } });
  expect({ code, err }).toEqual({ code: 1, err: 'a run here is refused: there is no claude in PATH\n' });
});

test('a live call with a simulated agent is one, and costs nothing', async () => {
  const place = makePlace();
  place.write('phases.yaml', 'project: { name: mine }\nworkspace: phase-dirs\nphases: [{ id: one, type: research }]\n');
  const { code, out } = await place.helix(['doctor', '--live', '--agent', 'scripted', '--json']);
  expect(code).toBe(0);
  expect(DoctorDocument.parse(JSON.parse(out)).live).toMatchObject({
    ...{ agent: 'scripted', driver: 'scripted', works: true, cost: { usd: 0, basis: 'simulated' } },
  });
});

test.each([false, true])('doctor shows the program that helix.yaml names, once it is trusted: %s', async (trusted) => {
  const place = makePlace();
  const elsewhere = makePlace();
  program(elsewhere, 'claude', `echo x > ${elsewhere.dir}/started; ${says('2.1.325')}`);
  const path = join(elsewhere.dir, 'claude');
  const own = { driver: 'claude-code', command: [path] };
  place.write('phases.yaml', 'project: { name: mine }\nworkspace: phase-dirs\nphases: [{ id: one, type: research }]\n');
  place.write('helix.yaml', JSON.stringify({ agents: { default: own } }));
  if (trusted) expect(await place.helix(['trust'])).toMatchObject({ code: 0 });
  const env = { PATH: place.dir, ...NO_LOGIN, ANTHROPIC_API_KEY: 'k' };
  const { out } = await place.helix(['doctor'], { env });
  const row = out.split('\n').find((line) => /^. claude-code /.test(line));
  const words = trusted
    ? `✓ claude-code   key in ANTHROPIC_API_KEY; helix.yaml: default; default is ${path} 2.1.325`
    : `– claude-code   helix.yaml: default; default is ${path}, not looked at: you have not trusted it yet (helix trust)`;
  expect(row).toBe(words);
  expect(existsSync(join(elsewhere.dir, 'started'))).toBe(trusted);
  const { agents } = DoctorDocument.parse(JSON.parse((await place.helix(['doctor', '--json'], { env })).out));
  expect(agents.find(({ driver }) => driver === 'claude-code')).toMatchObject({
    ...{ found: false, named: ['default'] },
    programs: [{ agent: 'default', command: [path], trusted, ...(trusted && { version: '2.1.325' }) }],
  });
});

test('doctor tells why a program that helix.yaml names cannot be used', async () => {
  const place = makePlace();
  place.write('phases.yaml', 'project: { name: mine }\nworkspace: phase-dirs\nphases: [{ id: one, type: research }]\n');
  place.write('helix.yaml', 'agents: { default: { driver: codex, command: [./codex, -x] } }\n');
  program(place, 'codex', 'touch started');
  expect(await place.helix(['trust'])).toMatchObject({ code: 0 });
  const { out } = await place.helix(['doctor'], { env: { PATH: '/usr/bin:/bin', ...NO_LOGIN } });
  expect(out).toMatch(/^– codex .*default is \.\/codex -x: .* lies inside the repository/m);
  expect(existsSync(join(place.dir, 'started'))).toBe(false);
});

test.each(['none', 'basic'])('doctor shows the sandbox that helix.yaml asks for: %s', async (level) => {
  const place = makePlace();
  place.write('helix.yaml', `sandbox: ${level}\n`);
  const { sandbox } = DoctorDocument.parse(JSON.parse((await place.helix(['doctor', '--json'])).out));
  expect(sandbox).toEqual({ level, why: 'asked for in helix.yaml' });
});

test.each(['claude-code', 'codex'])('a live call of %s wants no trust but that of the agent itself', async (driver) => {
  const place = makePlace();
  installed(place, 'claude', says('2.1.325 (Claude Code)'));
  installed(place, 'codex', says('codex-cli 0.166.0'));
  place.write(
    'phases.yaml',
    'project: { name: mine, description: Write a letter }\nworkspace: phase-dirs\nphases: [{ id: one, type: development, output: [a.txt] }]\n',
  );
  place.write('helix.yaml', `agents: { default: { driver: ${driver} } }\n`);
  const refused = await place.helix(['doctor', '--live'], { env: withPath(place) });
  expect(refused.code).toBe(2);
  expect(refused.err.match(/^ {2}\+ .*/gm)).toEqual([`  + agent default: ${driver}`]);
  expect((await place.helix(['trust'], { env: withPath(place) })).code).toBe(0);
  const { out } = await place.helix(['doctor', '--live', '--json'], { env: withPath(place) });
  expect(DoctorDocument.parse(JSON.parse(out)).live).toMatchObject({ agent: 'default', driver });
});
