import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { z } from 'zod';
import { put, scratch } from '../scratch.ts';
import { judgeTask, openJudge } from './claude-judge.ts';
import { claudeRepository } from './claude-repository.ts';
import { CONVENTION_TEXT, HOSTILE_TEXT, type Trap, VECTORS } from './hostile-tree.ts';
import { say, structured, use } from './loopback/answer.ts';
import { type LoopbackModel, type ModelRequest, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const NAMES = Object.keys(VECTORS);
const Answer = z.strictObject({ verdict: z.enum(['yes', 'no']) });

/** A program that leaves all this behind for the next agent; the shell of the program itself would not write such files. */
function planting(marks: string): string {
  const { words, servers, hooks } = VECTORS;
  const files = [words, servers, hooks].map((vector) => vector?.tree(trap(marks)));
  return `import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
for (const [path, text] of Object.entries(${JSON.stringify({ 'one.txt': 'x', ...Object.assign({}, ...files) })})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
`;
}

let model: LoopbackModel;
let planted = '';
let elsewhere: Server;
let elsewhereUrl: string;
let gone: string[] = [];

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    gone.push(`${request.method} ${request.url}`);
    response.writeHead(401).end('{}');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const works = [use('Write', { file_path: 'out.txt', content: 'x\n' }), say('Done.')] as const;
  const judging = [use('Glob', { pattern: '**/*' }), structured({ verdict: 'yes' })] as const;
  const names = NAMES.flatMap((name) => [`bare-${name}`, `creator-${name}`]);
  model = await startLoopbackModel({
    ...Object.fromEntries(names.map((name) => [name, works] as const)),
    ...Object.fromEntries(NAMES.map((name) => [`judge-${name}`, judging] as const)),
    plants: ({ messages, turn }) => {
      const second = [use('Write', { file_path: 'two.txt', content: 'x\n' })];
      const first = [use('Write', { file_path: 'p.mjs', content: planted }), use('Bash', { command: 'node p.mjs' })];
      return (messages.includes('two.txt') ? second : first)[turn] ?? say('Done.');
    },
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  gone = [];
});
afterAll(async () => {
  await model.close();
  elsewhere.close();
});

/** A hostile repository, somebody's home, and where marks are left. */
function lay(name: string) {
  const root = scratch();
  const [tree, home, seat, marks] = ['tree', 'home', 'seat', 'marks'].map((part) => join(root, part)) as [
    string,
    string,
    string,
    string,
  ];
  for (const dir of [join(tree, 'sub'), home, seat, marks]) mkdirSync(dir, { recursive: true });
  put(tree, { 'readme.md': 'hello\n', ...VECTORS[name]?.tree(trap(marks)) });
  for (const cwd of [tree, join(tree, 'sub'), seat]) put(home, VECTORS[name]?.home?.(cwd) ?? {});
  return { tree, home, seat, marks };
}

function trap(marks: string): Trap {
  return { marks, elsewhere: elsewhereUrl };
}

/** What a vector has come to: marks it left, requests it led astray, and its words in what the model was told. */
function traces(marks: string, requests: readonly ModelRequest[]) {
  const told = requests.map(({ system, messages, tools, model: by }) => [system, messages, ...tools, by].join('\n'));
  return {
    marks: readdirSync(marks).sort(),
    gone,
    words: told.filter((text) => text.includes(HOSTILE_TEXT) || text.includes('hostile-model')).length,
    conventions: told.filter((text) => text.includes(CONVENTION_TEXT)).length,
  };
}

const NOTHING = { marks: [], gone: [], words: 0, conventions: 0 };

/** `claude -p` as people who trust their repositories call it. */
async function bare(program: string, name: string) {
  const { tree, home, marks } = lay(name);
  const child = spawn(program, ['-p', '--output-format', 'stream-json', '--verbose'], {
    cwd: tree,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: home, CLAUDE_CODE_MAX_RETRIES: '0', DISABLE_AUTOUPDATER: '1' },
      ...{ ANTHROPIC_BASE_URL: model.url(`bare-${name}`), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      ...(name !== 'keyHelper' && { ANTHROPIC_API_KEY: 'a-dummy-key' }),
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end('go');
  await once(child, 'close');
  return traces(marks, model.requests(`bare-${name}`));
}

it('every vector works on a claude that is called without the flags of HELIX', async (test) => {
  const program = requireAgent(test, 'claude-code');
  const [hooks, servers, keyHelper] = await Promise.all(
    ['hooks', 'servers', 'keyHelper'].map((name) => bare(program, name)),
  );
  expect(hooks?.marks).toEqual(expect.arrayContaining(['hook-SessionStart', 'local-hook-SessionStart']));
  expect(servers?.marks).toEqual(['server']);
  expect(keyHelper?.marks).toContain('key-helper');
  const [words, memory] = await Promise.all(['words', 'memory'].map((name) => bare(program, name)));
  expect(words?.words).toBeGreaterThan(0);
  expect(memory?.words).toBeGreaterThan(0);
  expect((await bare(program, 'redirect')).gone).not.toEqual([]);
});

async function creates(test: TestContext, name: string): Promise<void> {
  const marks = scratch();
  const { repository, run } = claudeRepository({
    command: [requireAgent(test, 'claude-code')],
    url: model.url(`creator-${name}`),
    files: VECTORS[name]?.tree(trap(marks)) ?? {},
    settings: { sandbox: 'basic' },
  });
  put(repository.home, VECTORS[name]?.home?.(repository.top) ?? {});
  const { code, said } = await run();
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  const requests = model.requests(`creator-${name}`);
  // The conventions of the base commit are in the brief, which every request repeats; nothing else is.
  const conventions = name === 'words' ? requests.length : 0;
  expect(traces(marks, requests)).toEqual({ ...NOTHING, conventions });
  if (name === 'words') expect(requests[0]?.messages.split(`${CONVENTION_TEXT}: approve`)).toHaveLength(2);
  expect(requests.filter(({ system }) => system.includes(CONVENTION_TEXT))).toEqual([]);
}

async function judges(test: TestContext, name: string): Promise<void> {
  const { tree, home, seat, marks } = lay(name);
  const program = requireAgent(test, 'claude-code');
  const agent = await openJudge({ program, url: model.url(`judge-${name}`), home, project: tree });
  const places = [
    { role: 'reviewer', dir: join(tree, 'sub'), readable: [tree] },
    { role: 'reviewer', dir: seat, readable: [tree] },
    { role: 'consultant', dir: tree, readable: [] },
    { role: 'consultant', dir: seat, readable: [tree] },
  ] as const;
  const ends = await Promise.all(
    places.map((place) => agent.perform(judgeTask({ ...place, brief: 'Judge.', answer: Answer }))),
  );
  for (const end of ends) expect(end).toMatchObject({ kind: 'done', answer: { verdict: 'yes' } });
  const requests = model.requests(`judge-${name}`);
  expect(requests).toHaveLength(2 * places.length);
  expect(traces(marks, requests)).toEqual(NOTHING);
}

describe.each(NAMES)('a hostile repository with %s', (name) => {
  it('does nothing to a creator, and nothing to judges inside or beside it', async (test) => {
    await Promise.all([creates(test, name), judges(test, name)]);
  });
});

it('what one agent plants for the next is asked about, and does nothing to it where its user lets it pass', async (test) => {
  const marks = scratch();
  planted = planting(marks);
  const { repository, run, decide } = claudeRepository({
    command: [requireAgent(test, 'claude-code')],
    url: model.url('plants'),
    files: { 'CLAUDE.md': 'Use tabs in this house.\n' },
    phases: [
      { id: 'one', type: 'development', output: ['one.txt'] },
      { id: 'two', type: 'development', input: ['one.txt'], output: ['two.txt'] },
    ],
    settings: { sandbox: 'basic' },
  });
  expect(await run()).toMatchObject({ code: 3, said: expect.stringContaining('".claude/settings.json"') });
  const { code, said, run: id } = await decide(['B']);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  expect(repository.git('show', `helix/${id}:CLAUDE.md`)).toContain(CONVENTION_TEXT);
  const second = model.requests('plants').filter(({ messages }) => messages.includes('two.txt'));
  expect(second).toHaveLength(2);
  expect(traces(marks, second)).toEqual(NOTHING);
  expect(second[0]?.messages).toContain('Use tabs in this house.');
});
