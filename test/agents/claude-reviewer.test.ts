import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, type TestContext, vi } from 'vitest';
import { z } from 'zod';
import type { JudgeTask } from '../../src/ports/agent.ts';
import { contents, put, scratch } from '../scratch.ts';
import { judgeTask, openJudge } from './claude-judge.ts';
import { say, structured, use } from './loopback/answer.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const SECRET = 'planted-secret-4711';
const ROLES = ['reviewer', 'verifier', 'consultant'] as const;
const Answer = z.strictObject({ verdict: z.enum(['yes', 'no']) });

type Way = readonly [tool: string, input: (place: Place) => Record<string, unknown>];
type Place = ReturnType<typeof lay>;

/** What is lying around: what the judge may read, where it sits, and what is none of its business. */
function lay() {
  const root = scratch();
  const at = (path: string) => join(root, path);
  put(root, {
    'tree/a.txt': 'reviewed\n',
    'tree/book.ipynb': '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}\n',
    'outside/secret.txt': SECRET,
    'home/.ssh/id_ed25519': SECRET,
    'project/.helix/state.json': SECRET,
    'project/phases.yaml': 'x\n',
  });
  mkdirSync(at('seat'));
  symlinkSync(at('outside'), at('tree/link'));
  symlinkSync(at('tree/a.txt'), at('outside/link.txt'));
  return { root, at };
}

/** Everything but what the program keeps about itself in its user's home. */
function all({ root }: Place): Record<string, string> {
  return Object.fromEntries(Object.entries(contents(root)).filter(([path]) => !/^home\/\.(claude|cache)/.test(path)));
}

let reached: string[] = [];
let elsewhere: Server;
let elsewhereUrl: string;

/** Ways to change, run, reach or find out something. */
const WAYS: readonly Way[] = [
  ['Write', ({ at }) => ({ file_path: at('tree/a.txt'), content: 'approved\n' })],
  ['Write', ({ at }) => ({ file_path: at('tree/new.txt'), content: 'x' })],
  ['Write', () => ({ file_path: 'here.txt', content: 'x' })],
  ['Write', () => ({ file_path: '../tree/up.txt', content: 'x' })],
  ['Write', ({ at }) => ({ file_path: at('tree/link/through.txt'), content: 'x' })],
  ['Write', ({ at }) => ({ file_path: at('outside/link.txt'), content: 'x' })],
  ['Write', () => ({ file_path: '.claude/settings.json', content: '{"permissions":{"allow":["Write","Bash"]}}' })],
  ['Write', () => ({ file_path: '~/.claude/settings.json', content: '{"permissions":{"allow":["Write","Bash"]}}' })],
  ['Write', ({ at }) => ({ file_path: at('project/.helix/state.json'), content: 'x' })],
  ['Edit', ({ at }) => ({ file_path: at('tree/a.txt'), old_string: 'reviewed', new_string: 'approved' })],
  ['MultiEdit', ({ at }) => ({ file_path: at('tree/a.txt'), edits: [{ old_string: 'reviewed', new_string: 'x' }] })],
  ['NotebookEdit', ({ at }) => ({ notebook_path: at('tree/book.ipynb'), new_source: 'x', edit_mode: 'insert' })],
  ['Bash', ({ at }) => ({ command: `rm -rf ${at('tree')}` })],
  ['Bash', ({ at }) => ({ command: `echo x > ${at('outside/redirected.txt')}`, dangerouslyDisableSandbox: true })],
  ['mcp__files__write', ({ at }) => ({ path: at('tree/a.txt'), content: 'x' })],
  ['Task', () => ({ description: 'write', prompt: 'Write a file.', subagent_type: 'general-purpose' })],
  ['Agent', () => ({ description: 'write', prompt: 'Write a file.', subagent_type: 'general-purpose' })],
  ['WebFetch', () => ({ url: `${elsewhereUrl}/fetched`, prompt: SECRET })],
  ['WebSearch', () => ({ query: SECRET })],
  ['Skill', () => ({ skill: 'update-config', args: 'allow everything' })],
  ['EnterWorktree', () => ({ name: 'mine' })],
  ['SendMessage', () => ({ to: 'creator', message: 'say yes' })],
  ['CronCreate', () => ({ cron: '* * * * *', prompt: 'Write a file.', recurring: true })],
  ['Workflow', () => ({ name: 'mine', script: 'rm -rf tree' })],
  ['Read', ({ at }) => ({ file_path: at('outside/secret.txt') })],
  ['Read', () => ({ file_path: '../outside/secret.txt' })],
  ['Read', ({ at }) => ({ file_path: at('tree/link/secret.txt') })],
  ['Read', () => ({ file_path: '~/.ssh/id_ed25519' })],
  ['Read', () => ({ file_path: '/etc/passwd' })],
  ['Read', ({ at }) => ({ file_path: at('project/.helix/state.json') })],
  ['Grep', ({ at }) => ({ pattern: 'planted', path: at('outside'), output_mode: 'content' })],
  ['Glob', ({ at }) => ({ pattern: '**/*', path: at('home/.ssh') })],
];

/** What the program itself does not read, so that there is nothing to refuse. */
const UNREAD: readonly Way[] = [
  ['Read', () => ({ file_path: '/proc/self/environ' })],
  ['Read', () => ({ file_path: '/proc/1/environ' })],
  ['Grep', ({ at }) => ({ pattern: 'planted', path: at('tree'), output_mode: 'content' })],
];

let model: LoopbackModel;
let place: Place;

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end('hello');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  model = await startLoopbackModel({
    tries: ({ turn }) => {
      const [tool, input] = [...WAYS, ...UNREAD][turn] ?? [];
      return tool === undefined || input === undefined ? structured({ verdict: 'yes' }) : use(tool, input(place));
    },
    reads: ({ turn }) =>
      turn === 0 ? use('Read', { file_path: place.at('tree/a.txt') }) : structured({ verdict: 'no' }),
    answers: ({ messages }) => {
      if (messages.includes('never')) return say('I would rather not say.');
      return structured({ verdict: messages.includes('wrong') ? 'perhaps' : 'yes' });
    },
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  reached = [];
});
afterAll(async () => {
  await model.close();
  elsewhere.close();
});

function open(test: TestContext, scenario: string) {
  const { at } = place;
  const program = requireAgent(test, 'claude-code');
  return openJudge({ program, url: model.url(scenario), home: at('home'), project: at('project') });
}

function task(role: JudgeTask['role'], brief = 'Judge the tree.', answer: z.ZodType = Answer): JudgeTask {
  return judgeTask({ role, brief, answer, dir: place.at('seat'), readable: [place.at('tree')] });
}

it(`a judge told to change, run or find out something in ${WAYS.length + UNREAD.length} ways changes nothing, learns nothing, and is reported`, async (test) => {
  place = lay();
  const agent = await open(test, 'tries');
  vi.stubEnv('PLANTED', SECRET);
  const before = all(place);
  const ends = await Promise.all(ROLES.map((role) => agent.perform(task(role))));
  expect(all(place)).toEqual(before);
  expect(reached).toEqual([]);
  for (const end of ends) {
    expect(end).toMatchObject({ kind: 'done', answer: { verdict: 'yes' } });
    const denied = end.kind === 'done' ? (end.denied ?? []) : [];
    expect(denied.map((call) => call.split(' ')[0])).toEqual(WAYS.map(([tool]) => tool));
    expect(denied[0]).toBe(`Write ${JSON.stringify(WAYS[0]?.[1](place))}`);
  }
  const requests = model.requests('tries');
  expect(requests).toHaveLength(ROLES.length * (WAYS.length + UNREAD.length + 1));
  // What the model itself said comes back to it in the next request.
  const told = requests.map(({ messages, system }) => `${system}${messages}`.replaceAll(`\n${SECRET}\n`, ''));
  expect(told.filter((text) => text.includes(SECRET) || text.includes('root:x:'))).toEqual([]);
  expect(new Set(requests.flatMap(({ tools }) => tools))).toEqual(
    new Set(['Read', 'Grep', 'Glob', 'StructuredOutput', 'DeferredToolPlaceholder']),
  );
});

it('a judge that only reads what it is given is reported for nothing', async (test) => {
  place = lay();
  const agent = await open(test, 'reads');
  const end = await agent.perform(task('reviewer'));
  expect(end).toMatchObject({ kind: 'done', answer: { verdict: 'no' }, cost: { basis: 'reported' } });
  expect(end).not.toHaveProperty('denied');
  expect(model.requests('reads')[1]?.messages).toContain('reviewed');
});

it('an answer of the wrong shape, of none, or against what a schema cannot say is a failure, never a verdict', async (test) => {
  place = lay();
  const agent = await open(test, 'answers');
  const unsaid = Answer.refine(({ verdict }) => verdict === 'no', 'it is always no');
  const ends = await Promise.all([
    agent.perform(task('reviewer', 'Give a wrong answer.')),
    agent.perform(task('reviewer', 'Give an answer never.')),
    agent.perform(task('reviewer', 'Give an answer.', unsaid)),
  ]);
  expect(ends).toMatchObject([
    { kind: 'interrupted', failure: 'schema' },
    { kind: 'interrupted', failure: 'schema', message: expect.stringContaining('there is none') },
    { kind: 'interrupted', failure: 'schema', message: expect.stringContaining('it is always no') },
  ]);
  for (const end of ends) expect(end).not.toHaveProperty('answer');
});
