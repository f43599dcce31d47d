import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { InboxDocument } from '../src/domain/documents/documents.ts';
import type { HelixEnd } from './helix-process.ts';
import { Repository } from './repository.ts';
import { put } from './scratch.ts';

const NODE = JSON.stringify(process.execPath);
const SECRETS = {
  SERVICE_API_KEY: 'tk9fK2mQ7xW4pR8sV1cY6bN3',
  DEPLOY_PASSWORD: 'pa"ss\\wo/rd+of&many=kinds%42',
  DATABASE_URL: 'postgres://app:Xy7Zw9Qs3Lm5@db.example.org/app',
  SIGNING_KEY: '-----BEGIN KEY-----\nMC4CAQAwBQYDK2VwBCIEIPm1x9Ab\nQw7tZr5uYp0oLk2jHg8fDs6aZx3c\n-----END KEY-----',
  LICENCE: 'L1c3nc3-0f-4n-4g3nt-9081',
  SLACK_WEBHOOK: 'https://hooks.example.org/services/T0123ABCD/B0123ABCDE/hK7sQ2wE9rT4yU6iO1pA3sD5',
  ORIGIN: 'https://gT8vB3nM6kJ1hG4fD9sA@git.example.org/x.git',
} as const;
/** What must not be read anywhere: the values, and of the long ones each telling part. */
const TELLING = [
  SECRETS.SERVICE_API_KEY,
  SECRETS.SERVICE_API_KEY.slice(0, 12),
  SECRETS.SERVICE_API_KEY.slice(-12),
  SECRETS.DEPLOY_PASSWORD,
  'Xy7Zw9Qs3Lm5',
  'MC4CAQAwBQYDK2VwBCIEIPm1x9Ab',
  'Qw7tZr5uYp0oLk2jHg8fDs6aZx3c',
  SECRETS.LICENCE,
  'hK7sQ2wE9rT4yU6iO1pA3sD5',
  'gT8vB3nM6kJ1hG4fD9sA',
];

/** Says its secrets in every way it can think of, leaves them in files, and fails as loudly. */
const AGENT = `
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
const secrets = ${JSON.stringify(Object.keys(SECRETS))}.map((name) => process.env[name]);
if (secrets.some((secret) => !secret)) throw new Error('not all secrets were handed over');
const json = (text) => JSON.stringify(text).slice(1, -1);
const lower = (text) => text.replace(/%../g, (code) => code.toLowerCase());
const forms = secrets.flatMap((secret) => [
  secret, json(secret), json(json(secret)), encodeURIComponent(secret), lower(encodeURIComponent(secret)),
  ...['', 'a', 'ab'].flatMap((before) => ['base64', 'base64url'].map((code) => Buffer.from(before + secret).toString(code))),
  Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('hex').toUpperCase(),
  secret.replace(/.{7}/g, '$&\\x1b[01;31m\\x1b[K'), [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join(':'),
]);
if (process.env.HELIX_ATTEMPT === '1') {
  for (const form of forms) console.log('it is ' + form);
  for (const form of forms) console.error('it is ' + form);
  for (const secret of secrets) {
    process.stdout.write('split ' + secret.slice(0, 9));
    await pause(60);
    process.stdout.write(secret.slice(9) + ' over two writes\\n');
  }
  for (const part of [8, 14, 20]) console.log('x'.repeat(1024 * 1024 - part) + process.env.SERVICE_API_KEY);
  mkdirSync('leaked', { recursive: true });
  forms.forEach((form, n) => writeFileSync('leaked/' + n + '.txt', 'first\\n' + form));
  writeFileSync('leaked/' + process.env.SERVICE_API_KEY + '.txt', 'named');
  writeFileSync('review.json', JSON.stringify({ approved: false, findings: forms.map((message) => ({ message })) }));
} else {
  rmSync('leaked', { recursive: true, force: true });
  writeFileSync('review.json', JSON.stringify({ approved: true }));
}
writeFileSync('out.txt', 'done');
if (process.env.HELIX_PHASE === 'crash' && !existsSync(process.argv[1] + '.crashed')) {
  writeFileSync(process.argv[1] + '.crashed', '');
  console.error(forms.join(' ').slice(0, 2000));
  process.exit(3);
}
`;

/** Everything HELIX has written, but for the stores of what agents wrote. */
function written(dir: string): [path: string, text: string][] {
  return readdirSync(dir).flatMap((name): [string, string][] => {
    const path = join(dir, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) return name === 'objects' || name === 'trees' ? [] : written(path);
    return stat.isFile() ? [[path, readFileSync(path, 'latin1')]] : [];
  });
}

const ESCAPE = '\x1b';
const COLOUR = new RegExp(`(?:${ESCAPE}|\\\\+u001b)\\[[0-9;]*[A-Za-z]`, 'g');

/** The text, and all that can be made of it by undoing what programs do to texts. */
function* readings(text: string): Generator<string> {
  yield text.replace(COLOUR, '');
  yield Buffer.from(
    text
      .replace(/(?<=[0-9a-f]{2}):(?=[0-9a-f]{2})/g, '')
      .match(/[0-9a-f]{16,}/g)
      ?.join('') ?? '',
    'hex',
  ).toString('latin1');
  const unescaped = text.replace(/\\(["\\/])/g, '$1').replaceAll('\\n', '\n');
  yield text;
  yield unescaped;
  yield unescaped.replace(/\\(["\\/])/g, '$1').replaceAll('\\n', '\n');
  yield text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  for (const [run] of text.matchAll(/[0-9a-f]{16,}/gi)) {
    for (const from of [0, 1]) yield Buffer.from(run.slice(from), 'hex').toString('latin1');
  }
  for (const [run] of text.matchAll(/[\w+/-]{10,}/g)) {
    if (run.length < 100_000)
      for (const from of [0, 1, 2, 3]) yield Buffer.from(run.slice(from), 'base64').toString('latin1');
  }
}

function leaks(texts: readonly (readonly [where: string, text: string])[]): string[] {
  return texts.flatMap(([where, text]) => {
    const found = new Set<string>();
    for (const reading of readings(text)) for (const part of TELLING) if (reading.includes(part)) found.add(part);
    return [...found].map((part) => `${where}: ${part}`);
  });
}

const PRINT = ['sh', '-c', 'cat leaked/* || exit 0; ls leaked; exit 1'];
const OUTPUT = { type: 'development', output: ['out.txt'] };

function leakyRepository(): Repository {
  const repository = new Repository({
    agent: `cp "$0.brief" "$0.$HELIX_PHASE-$HELIX_ATTEMPT.brief"; exec ${NODE} "$(dirname "$0")/agent.mjs"`,
    settings: { agents: { default: { driver: 'command', command: ['../agent.sh'], env: Object.keys(SECRETS) } } },
    phases: [
      { id: 'work', ...OUTPUT, quality_gate: { type: 'custom', command: PRINT, max_retries: 1 } },
      { id: 'tests', ...OUTPUT, quality_gate: { type: 'tests_pass', command: PRINT, baseline: false } },
      { id: 'review', ...OUTPUT, quality_gate: { type: 'review_approved', file: 'review.json' } },
      { id: 'crash', ...OUTPUT },
    ],
  });
  put(repository.root, { 'agent.mjs': AGENT });
  return repository;
}

it('no form of a planted secret is in any file, log or output of a run', async () => {
  const repository = leakyRepository();
  const said: [string, string][] = [];
  const call = async (...args: string[]): Promise<HelixEnd> => {
    const end = await repository.helix(args, { env: SECRETS });
    said.push([`helix ${args[0]}`, `${end.stdout}\n${end.stderr}`]);
    return end;
  };
  expect(await call('run', '--trust', '--no-wait')).toMatchObject({ code: 3 });
  expect(await call('gate', 'work', '--json')).toMatchObject({ code: 1 });
  const [question] = InboxDocument.parse(JSON.parse((await call('inbox', '--json')).stdout)).requests;
  const comment = `Do not print ${Object.values(SECRETS).join(' or ')}`;
  expect(await call('decide', question?.id ?? '', 'A', '--comment', comment)).toMatchObject({ code: 0 });
  expect(await call('resume', '--no-wait')).toMatchObject({ code: 0 });
  const told = readFileSync(`${repository.agentPath}.work-2.brief`, 'utf8');
  for (const name of Object.keys(SECRETS)) expect(told).toContain(`[redacted ${name}]`);
  for (const args of [['status'], ['status', '--json'], ['list', '--json'], ['logs'], ['diff'], ['diff', '--stat']]) {
    expect(await call(...args)).toMatchObject({ code: 0 });
  }
  const { run } = await repository.journaled();
  for (const phase of ['work', 'crash']) await call('logs', run, phase);
  await call('diff', run, 'work', '--attempt', '1');
  for (const value of [SECRETS.DEPLOY_PASSWORD, SECRETS.LICENCE]) await call('status', value);
  const files = [repository.path('.helix'), repository.beside('state'), repository.beside('cache')].flatMap(written);
  expect(files.map(([path]) => path)).toEqual(
    expect.arrayContaining(
      ['helix.db', `runs/${run}/final/report.html`].map((path) => repository.path('.helix', path)),
    ),
  );
  expect(leaks([...said, ...files])).toEqual([]);
});

it('a tree with a secret in it is not accepted, and the finding says where and which but not what', async () => {
  const repository = new Repository({
    files: { 'old.txt': `mine: ${SECRETS.SERVICE_API_KEY}\n` },
    agent: [
      'echo more >> old.txt; echo done > out.txt',
      `if [ "$HELIX_ATTEMPT" = 1 ]; then printf 'a\\nb\\n%s' "$(printf %s "$SERVICE_API_KEY" | base64)" > new.txt; fi`,
      'if [ "$HELIX_ATTEMPT" = 2 ]; then rm new.txt; fi',
    ].join('\n'),
    settings: { agents: { default: { driver: 'command', command: ['../agent.sh'], env: ['SERVICE_API_KEY'] } } },
  });
  const { code, findings, said } = await repository.run([], { env: SECRETS });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([
    {
      severity: 'error',
      check: 'secret-in-output',
      message: 'new.txt:3 has the value of SERVICE_API_KEY',
      hint: expect.stringContaining('replace the key'),
      location: { file: 'new.txt', line: 3 },
      fingerprint: expect.any(String),
    },
  ]);
  expect(code).toBe(0);
  expect(repository.brief).toContain('new.txt:3 has the value of SERVICE_API_KEY');
  expect(await repository.files()).not.toContain('new.txt');
  expect(leaks([['said', said]])).toEqual([]);
});

it('secrets of copied files and of the login of an agent are known, too', async () => {
  const [copied, login] = ['cp8mK3nB7vC2xZ6qW9eR', 'lg5tY1uI8oP4aS2dF7gH'];
  const repository = new Repository({
    files: { '.gitignore': '.env.test\n' },
    agent: 'echo done > out.txt; cat .env.test "$HOME/.claude/.credentials.json"',
    plan: { workspace: { mode: 'repo', copy: ['.env.test'] } },
  });
  repository.write({ '.env.test': `STRIPE_KEY=${copied}\nCOLOUR=green\n` });
  put(repository.home, { '.claude/.credentials.json': JSON.stringify({ claudeAiOauth: { refreshToken: login } }) });
  const { code, run } = await repository.run();
  expect(code).toBe(0);
  const { stdout } = await repository.helix(['logs', run, 'work']);
  expect(stdout).toContain('STRIPE_KEY=[redacted STRIPE_KEY]\n');
  expect(stdout).toContain('COLOUR=green\n');
  expect(stdout).toContain('{"claudeAiOauth":{"refreshToken":"[redacted refreshToken]"}}');
});

it('a plan with a secret in it is refused before anything is written', async () => {
  const command = ['curl', `https://example.org/${SECRETS.SERVICE_API_KEY}`];
  const phases = [{ id: 'work', ...OUTPUT, quality_gate: { type: 'custom', command } }];
  const repository = new Repository({ phases });
  const { code, stdout, stderr } = await repository.helix(['run', '--trust'], { env: SECRETS });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('has a secret in it: SERVICE_API_KEY');
  expect(leaks([['stderr', stderr]])).toEqual([]);
  for (const dir of [repository.path('.helix'), repository.beside('state')]) expect(existsSync(dir)).toBe(false);
});
