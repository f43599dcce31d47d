import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest';
import { z } from 'zod';
import { openCodex } from '../../src/adapters/agents/codex/codex.ts';
import { systemClock } from '../../src/adapters/clock.ts';
import { openProject } from '../../src/adapters/disk/project-directory.ts';
import { createProcesses } from '../../src/adapters/programs/processes.ts';
import type { JudgeTask } from '../../src/ports/agent.ts';
import { Repository, type RepositoryRun } from '../repository.ts';
import { NO_MODELS, UNCONFINED } from '../sample-start.ts';
import { contents, scratch } from '../scratch.ts';
import { type Answer, fail, reset, say, use } from './loopback/answer.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const SERVER = fileURLToPath(new URL('./programs/greeting-server.ts', import.meta.url));
const MODEL = 'gpt-loopback';
const WORK = [use('exec_command', { cmd: 'echo made > out.txt; env' }), say('Done.')] as const;
const PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: notes.md\n+hello\n*** End Patch\nEOF";
const HOSTILE = 'HOSTILE-WORDS';

const FAILURES: Readonly<Record<string, { answer: Answer; expect: readonly [failure: string, exit: number] }>> = {
  unauthorised: { answer: fail(401, 'invalid_api_key', 'Incorrect API key provided'), expect: ['auth', 3] },
  limited: { answer: fail(429, 'rate_limit_exceeded', 'Rate limit reached'), expect: ['rate_limit', 5] },
  'used-up': {
    answer: fail(429, 'usage_limit_reached', 'The usage limit has been reached'),
    expect: ['rate_limit', 5],
  },
  unpaid: { answer: fail(429, 'insufficient_quota', 'You exceeded your quota'), expect: ['billing', 3] },
  broken: { answer: fail(500, 'server_error', 'oops'), expect: ['overloaded', 5] },
  unknown: { answer: fail(404, 'model_not_found', 'The model does not exist'), expect: ['model_unavailable', 3] },
  large: {
    answer: fail(400, 'context_length_exceeded', 'Your input exceeds the context window'),
    expect: ['context_too_long', 3],
  },
  wrong: { answer: fail(400, 'invalid_request_error', 'must be at most 512 characters'), expect: ['unknown', 3] },
};

let model: LoopbackModel;

beforeAll(async () => {
  model = await startLoopbackModel({
    works: [use('exec_command', { cmd: PATCH }), ...WORK],
    hostile: WORK,
    judges: [say(JSON.stringify({ approved: true, note: null }))],
    babbles: [say('looks fine to me')],
    trespasses: [use('exec_command', { cmd: 'echo x > here.txt; echo x > ../there.txt' }), say('{"approved":true}')],
    resets: [reset],
    serves: [
      use('mcp__greetings__greeting', {}),
      use('exec_command', { cmd: 'echo made > out.txt; env' }),
      say('Done.'),
    ],
    ...Object.fromEntries(Object.entries(FAILURES).map(([name, { answer }]) => [name, [answer]])),
  });
});
afterAll(() => model.close());

/** The program with a model on loopback, as a user names a provider of their own. */
function codex(test: TestContext, scenario: string): string[] {
  const provider = [
    ...['name="loopback"', `base_url="${model.url(scenario)}"`, 'env_key="CODEX_API_KEY"', 'wire_api="responses"'],
    ...['request_max_retries=1', 'stream_max_retries=1'],
  ];
  const settings = [`model_providers.loopback={${provider.join(', ')}}`, 'model_provider="loopback"'];
  return [requireAgent(test, 'codex'), ...settings.flatMap((setting) => ['-c', setting])];
}

/** Neither in memory nor below the system's temporary directory, where the program has no sandbox for its commands. */
function codexHome(): string {
  const cache = join(homedir(), '.cache');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'helix-test-codex-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

type Parts = {
  readonly files?: Readonly<Record<string, string>>;
  readonly mcp?: readonly object[];
  readonly env?: Readonly<Record<string, string>>;
};
type Codexed = RepositoryRun & { readonly repository: Repository };

async function run(
  test: TestContext,
  scenario: string,
  { files = {}, mcp = [], env: more }: Parts = {},
): Promise<Codexed> {
  const agent = { driver: 'codex', command: codex(test, scenario), model: MODEL, mcp };
  const repository = new Repository({ files, settings: { sandbox: 'auto', agents: { default: agent } } });
  const login = { CODEX_HOME: codexHome(), CODEX_API_KEY: 'a-dummy-key', OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };
  const env = { ...login, ...more };
  return { ...(await repository.run([], { env })), repository };
}

describe('a plan with the real codex', () => {
  it('is worked on with its tools, accounted for and merged', async (test) => {
    const { code, said, events, repository, run: repositoryRun } = await run(test, 'works');
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(await repository.changed()).toEqual(['A notes.md', 'A out.txt']);
    expect(events.find(({ type }) => type === 'attempt_finished')?.data).toMatchObject({
      ...{ model: MODEL, version: expect.stringMatching(/^\d+\.\d+\.\d+$/), simulated: false },
      cost: { basis: 'unknown', tokens: 3 * 1050 },
    });
    const [first, , last] = model.requests('works');
    expect(first).toMatchObject({ login: 'authorization', model: MODEL, turn: 0 });
    expect(first?.messages).toContain('out.txt');
    expect(last?.messages).not.toContain('a-dummy-key');
    const { stdout: logs } = await repository.helix(['logs', repositoryRun, 'work']);
    expect(logs).toContain('→ edit');
    expect(logs).toContain('→ shell');
  });

  it('hears nothing of what lies in the repository, and starts nothing of it', async (test) => {
    const mark = join(scratch(), 'mark');
    const { code, said } = await run(test, 'hostile', {
      files: {
        'AGENTS.override.md': HOSTILE,
        '.env': 'CODEX_HOME=.codex\n',
        '.codex/config.toml': `developer_instructions = "${HOSTILE}"\n[mcp_servers.evil]\ncommand = "touch"\nargs = ["${mark}"]\n`,
        '.codex/hooks.json': JSON.stringify({
          hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${mark}` }] }] },
        }),
        '.agents/skills/evil/SKILL.md': `---\nname: evil\ndescription: OF-A-SKILL\n---\n${HOSTILE}\n`,
      },
    });
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    for (const { system, messages } of model.requests('hostile')) {
      expect(system + messages).not.toContain(HOSTILE);
      // Its brief names the skills there are, as it does for every agent; codex does not add what it finds itself.
      expect((system + messages).split('OF-A-SKILL')).toHaveLength(2);
    }
    expect(contents(join(mark, '..'))).toEqual({});
  });

  it('uses the servers of its settings, and only they see what is theirs', async (test) => {
    const greetings = { name: 'greetings', command: [process.execPath, SERVER], env: ['GREETING'] };
    const { code, said } = await run(test, 'serves', { mcp: [greetings], env: { GREETING: 'moin' } });
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    const [, second, third] = model.requests('serves');
    expect(second?.messages).toContain('The greeting is moin.');
    expect(third?.messages).not.toContain('GREETING=');
  });

  it.for(Object.entries(FAILURES))('that is %s is interrupted, not judged', async ([name, row], test) => {
    const { code, events } = await run(test, name);
    const [interruption] = events.flatMap((event) => (event.type === 'attempt_interrupted' ? [event.data] : []));
    expect([interruption?.failure, code]).toEqual(row.expect);
    expect(events.some(({ type }) => type === 'attempt_judged')).toBe(false);
  });

  it('is interrupted when nobody is heard', async (test) => {
    const { events } = await run(test, 'resets');
    const [interruption] = events.flatMap((event) => (event.type === 'attempt_interrupted' ? [event.data] : []));
    expect(interruption).toMatchObject({ failure: 'network' });
  });
});

describe('the real codex as a judge', () => {
  const answer = z.strictObject({ approved: z.boolean(), note: z.string().optional() });

  async function judge(test: TestContext, scenario: string) {
    const command = codex(test, scenario);
    vi.stubEnv('CODEX_HOME', codexHome());
    vi.stubEnv('CODEX_API_KEY', 'a-dummy-key');
    onTestFinished(() => void vi.unstubAllEnvs());
    const dir = scratch();
    const world = {
      project: openProject(scratch()),
      processes: createProcesses(),
      clock: systemClock,
      models: NO_MODELS,
    };
    const task: JudgeTask = {
      ...{
        role: 'reviewer',
        instructions: 'You are a judge.',
        subject: { type: 'adr', checks: [], inputs: [] },
        turn: 0,
        brief: 'Judge it.',
        readable: [],
        answer,
        dir,
        model: MODEL,
      },
      ...{ marker: `judge-${scenario}`, wallMs: 30_000, sandbox: UNCONFINED.sandbox },
      ...{ signal: new AbortController().signal, onLine: () => undefined },
    };
    return { end: await (await openCodex({ driver: 'codex', command }, world)).perform(task), dir };
  }

  it('is told what it is and answers in the form that was asked for', async (test) => {
    const { end } = await judge(test, 'judges');
    expect(end).toMatchObject({ kind: 'done', answer: { approved: true } });
    expect(model.requests('judges')[0]?.messages).toContain('You are a judge.');
  });

  it('has no verdict when it only talks', async (test) => {
    const { end } = await judge(test, 'babbles');
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'schema' });
  });

  it('writes nowhere, whatever it tries', async (test) => {
    const { end, dir } = await judge(test, 'trespasses');
    expect(end).toMatchObject({ kind: 'done', answer: { approved: true } });
    expect(contents(dir)).toEqual({});
    expect(existsSync(join(dir, '../there.txt'))).toBe(false);
    expect(model.requests('trespasses')[1]?.messages).toContain('Read-only file system');
  });
});
