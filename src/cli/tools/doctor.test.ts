import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DoctorDocument } from '../../domain/documents/documents.ts';
import { DRIVERS } from '../../domain/plan/driver.ts';
import { makePlace, type Place } from '../helix.fixture.ts';

function program(place: Place, name: string, script: string): void {
  place.write(name, `#!/bin/sh\n${script}\n`);
  chmodSync(join(place.dir, name), 0o755);
}

const NO_LOGIN = {
  ...{ ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: '', CLAUDE_CODE_OAUTH_TOKEN: '', CLAUDE_CONFIG_DIR: '' },
  ...{ CODEX_API_KEY: '', OPENAI_API_KEY: '', CODEX_HOME: '' },
};

function withPath(place: Place): Record<string, string> {
  return { PATH: `${place.dir}:${process.env.PATH}`, ...NO_LOGIN };
}

test('doctor names Node, git, the sandbox and every driver', async () => {
  const { code, out, err } = await makePlace().helix(['doctor']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const word of ['node', 'git', 'sandbox', ...DRIVERS]) expect(out).toMatch(new RegExp(`^. ${word} `, 'm'));
});

test('doctor --json is a document of its format, with the versions found', async () => {
  const place = makePlace();
  program(place, 'claude', 'echo "2.0.14 (Claude Code)"');
  program(place, 'codex', 'echo broken >&2; exit 1');
  const { code, out } = await place.helix(['doctor', '--json'], { env: withPath(place) });
  const { agents, node, sandbox } = DoctorDocument.parse(JSON.parse(out));
  expect(code).toBe(0);
  expect(node).toMatch(/^\d+\./);
  expect(sandbox).toMatchObject({ level: expect.stringMatching(/^(strict|basic)$/), why: expect.stringMatching(/./) });
  expect(agents.map(({ driver }) => driver)).toEqual([...DRIVERS]);
  expect(agents).toContainEqual({ driver: 'claude-code', found: true, version: '2.0.14', login: false });
  expect(agents).toContainEqual({ driver: 'codex', found: true, login: false });
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
  program(place, 'claude', 'sleep 3600');
  const { code, out } = await place.helix(['doctor'], { env: withPath(place) });
  expect(code).toBe(0);
  expect(out).toContain('claude of unknown version');
});

test.each([
  [{ ANTHROPIC_API_KEY: 'k' }, 'key in ANTHROPIC_API_KEY'],
  [{ CLAUDE_CODE_OAUTH_TOKEN: 't' }, 'token in CLAUDE_CODE_OAUTH_TOKEN'],
  [{ CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: 'k' }, 'Amazon Bedrock'],
  [{ CLAUDE_CONFIG_DIR: 'config' }, 'logged in'],
  [{}, 'not logged in'],
])('the login of claude is told from %j', async (login, words) => {
  const place = makePlace();
  program(place, 'claude', 'echo 2.1.325');
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
  program(place, 'codex', `if [ "$1" = login ]; then ${status}; else echo codex-cli 0.166.0; fi`);
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
  program(elsewhere, 'claude', `echo x > ${elsewhere.dir}/started; echo 2.1.325`);
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
