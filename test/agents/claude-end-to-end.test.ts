import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { RunEvent } from '../../src/domain/facts/run-event.ts';
import { scratch } from '../scratch.ts';
import { type ClaudeParts, claudeRepository } from './claude-repository.ts';
import { say, together, use } from './loopback/answer.ts';
import { rateLimited } from './loopback/failures.ts';
import { type LoopbackModel, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const SERVER = fileURLToPath(new URL('./programs/greeting-server.ts', import.meta.url));
const COMPLAINT = 'greet() has to end with an exclamation mark';
const RESETS_AT = 1_900_000_000;

/** Fails as long as nothing is exclaimed. */
const CHECK = `import { greet } from './src/greet.mjs';
if (greet('Ada').endsWith('!')) process.exit(0);
console.error(${JSON.stringify(COMPLAINT)});
process.exit(1);
`;

const PHASES = [
  {
    id: 'code',
    type: 'development',
    output: ['src/greet.mjs'],
    quality_gate: [{ type: 'files_exist' }, { type: 'custom', command: ['node', 'check.mjs'] }],
  },
  { id: 'document', type: 'documentation', input: ['src/greet.mjs'], output: ['docs/guide.md'] },
];

const FIRST = [
  together([
    say('I write the module.'),
    use('Write', { file_path: 'src/greet.mjs', content: "export const greet = (name) => 'Hello, ' + name + '.';\n" }),
  ]),
];
const SECOND = [
  use('Read', { file_path: 'src/greet.mjs' }),
  use('Edit', { file_path: 'src/greet.mjs', old_string: "'.'", new_string: "'!'" }),
];
const DOCUMENT = [
  use('Bash', { command: 'mkdir -p docs && for word in How to greet; do echo "$word"; done > docs/guide.md' }),
  use('Read', { file_path: 'readme.md' }),
  use('Edit', { file_path: 'readme.md', old_string: 'hello', new_string: 'See docs/guide.md.' }),
];

/** Does what each prompt of the plan asks for; the first try is not good enough. */
const works: Scenario = ({ messages, turn }) => {
  const asked = messages.includes('docs/guide.md') ? DOCUMENT : messages.includes(COMPLAINT) ? SECOND : FIRST;
  return asked[turn] ?? say('Done.');
};

/** What went in is dear, and what comes out takes longer than a test may: only who watches the stream can stop in time. */
const DEAR = [say('word '.repeat(200_000), { usage: { input: 190_000, output: 10 }, pieceMs: 10_000 })];
const CHEAP = [use('Write', { file_path: 'out.txt', content: 'x\n' })];

let model: LoopbackModel;
/** The session that throws money away. */
let spender: string | undefined;

beforeAll(async () => {
  model = await startLoopbackModel({
    works,
    background: [
      use('Write', { file_path: 'out.txt', content: 'x\n' }),
      use('Bash', { command: 'python3 -c "import time; time.sleep(1)"', description: 'x', run_in_background: true }),
      say('Done.'),
      say('Really done.'),
    ],
    helped: [use('Write', { file_path: 'out.txt', content: 'x\n' }), say('Done.')],
    serves: [use('mcp__greetings__greeting', {}), use('Write', { file_path: 'out.txt', content: 'x\n' }), say('Done.')],
    limits: [
      rateLimited({
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(RESETS_AT),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      }),
    ],
    spends: ({ session, turn }) => {
      spender ??= session;
      return (session === spender ? DEAR : CHEAP)[turn] ?? say('Done.');
    },
  });
});
afterAll(() => model.close());

function dataOf<T extends RunEvent['type']>(events: readonly RunEvent[], type: T) {
  return events
    .filter((event) => event.type === type)
    .map(({ data }) => data as Extract<RunEvent, { type: T }>['data']);
}

describe('a plan with the real claude', () => {
  it('is worked on with its tools, mended by what a gate found, accounted for and merged', async (test) => {
    const { repository, ...helix } = claude(test, 'works', {
      phases: PHASES,
      files: {
        'check.mjs': CHECK,
        'CLAUDE.md': 'Use tabs in this house.\n',
        'AGENTS.md': 'Write British English here.\n',
        'readme.md': 'hello\n',
      },
    });
    const before = repository.digest();
    const { code, said, run, events } = await helix.run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(repository.digest()).toEqual(before);

    const prompts = model.requests('works').filter(({ turn }) => turn === 0);
    expect(prompts.map(({ messages }) => messages.includes(COMPLAINT))).toEqual([false, true, false]);
    for (const { messages } of prompts) {
      expect(messages).toContain('Use tabs in this house.');
      expect(messages).toContain('Write British English here.');
    }

    const version = expect.stringMatching(/^\d+\.\d+\.\d+$/);
    const worker = { model: expect.stringMatching(/^claude-/), version };
    const cost = { usd: expect.any(Number), basis: 'reported' };
    expect(dataOf(events, 'attempt_finished')).toMatchObject([
      { phase: 'code', attempt: 1, ...worker, simulated: false, cost: { ...cost, tokens: 2 * 1050 } },
      { phase: 'code', attempt: 2, ...worker, simulated: false, cost: { ...cost, tokens: 3 * 1050 } },
      { phase: 'document', attempt: 1, ...worker, simulated: false, cost: { ...cost, tokens: 4 * 1050 } },
    ]);
    for (const { cost } of dataOf(events, 'attempt_finished')) expect(cost.usd).toBeGreaterThan(0);

    const status = JSON.parse((await repository.helix(['status', '--json'])).stdout);
    expect(status.cost).toMatchObject({ basis: 'reported', tokens: 9 * 1050 });
    expect(status.cost.usd).toBeGreaterThan(0);

    const logs = await repository.helix(['logs', run, 'code']);
    expect(logs.stdout).toMatch(/I write the module\.\n→ Write src\/greet\.mjs[\s\S]*→ Read [\s\S]*→ Edit /);
    expect(logs.stdout).not.toContain('{"type"');

    repository.git('merge', '-q', `helix/${run}`);
    expect(repository.read('src/greet.mjs')).toBe("export const greet = (name) => 'Hello, ' + name + '!';\n");
    expect(repository.read('docs/guide.md')).toBe('How\nto\ngreet\n');
    expect(repository.read('readme.md')).toBe('See docs/guide.md.\n');
    expect(repository.worktrees()).toEqual([]);
  });

  it('has the servers its user listed, with the variables they may see', async (test) => {
    const agents = {
      default: {
        driver: 'claude-code',
        command: [requireAgent(test, 'claude-code')],
        mcp: [{ name: 'greetings', command: [process.execPath, SERVER], env: ['GREETING'] }],
      },
    };
    const login = { ANTHROPIC_API_KEY: 'a-dummy-key', GREETING: 'Ahoy' };
    const { code, said } = await claude(test, 'serves', { settings: { agents }, login }).run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    const [first, second] = model.requests('serves');
    expect(first?.tools).toContain('mcp__greetings__greeting');
    expect(second?.messages).toContain('The greeting is Ahoy.');
  });

  it('is not over while what it left running makes it go on, and costs what all of it cost', async (test) => {
    const { code, said, events } = await claude(test, 'background').run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(model.requests('background')).toHaveLength(4);
    expect(dataOf(events, 'attempt_finished')).toMatchObject([{ cost: { basis: 'reported', tokens: 4 * 1050 } }]);
  });

  it('logs in as its user has it, also by a program that fetches the key', async (test) => {
    const config = scratch({ 'settings.json': JSON.stringify({ apiKeyHelper: 'echo a-fetched-key' }) });
    const { code, said } = await claude(test, 'helped', { login: { CLAUDE_CONFIG_DIR: config } }).run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(model.requests('helped').map(({ login }) => login)).toEqual(['x-api-key', 'x-api-key']);
  });

  it('waits for the quota of a subscription, and says until when', async (test) => {
    const login = { CLAUDE_CODE_OAUTH_TOKEN: 'a-dummy-token' };
    const { code, events, said } = await claude(test, 'limits', { login }).run();
    expect({ code, said: code === 5 ? '' : said }).toEqual({ code: 5, said: '' });
    const until = new Date(RESETS_AT * 1000).toISOString();
    expect(dataOf(events, 'attempt_interrupted')).toMatchObject([{ failure: 'rate_limit', until }]);
    expect(model.requests('limits')).toHaveLength(1);
    expect(dataOf(events, 'attempt_judged')).toEqual([]);
  });

  it('stops as soon as its money is spent, and goes on with more', async (test) => {
    const helix = claude(test, 'spends');
    const { code, said, events } = await helix.run(['--budget', '0.5']);
    expect({ code, said: code === 4 ? '' : said }).toEqual({ code: 4, said: '' });
    const [cut] = dataOf(events, 'attempt_interrupted');
    expect(cut).toMatchObject({ failure: 'budget', cost: { usd: expect.any(Number), basis: 'estimated' } });
    expect(cut?.message).toMatch(/^about 0\.\d\d USD are spent, and 0\.50 USD were left/);
    expect(cut?.cost?.usd).toBeGreaterThan(0.5);
    const more = await helix.resume(['--budget', '500']);
    expect({ code: more.code, said: more.code === 0 ? '' : more.said }).toEqual({ code: 0, said: '' });
    expect(more.state?.spent.usd).toBeGreaterThan(cut?.cost?.usd ?? 0);
  });
});

function claude(test: TestContext, scenario: string, parts: Partial<ClaudeParts> = {}) {
  // Behind the walls of the program's own shell there is nothing in /dev/shm.
  const root = scratch({}, tmpdir());
  return claudeRepository({ command: [requireAgent(test, 'claude-code')], url: model.url(scenario), root, ...parts });
}
