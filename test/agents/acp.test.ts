import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { Repository, type RepositoryRun } from '../repository.ts';
import { type Answer, fail, say, use } from './loopback/answer.ts';
import { creditTooLow, modelUnknown, overloaded, rateLimited, unauthorised } from './loopback/failures.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const FAILURES: Readonly<Record<string, { answer: Answer; expect: readonly [failure: string, exit: number] }>> = {
  unauthorised: { answer: unauthorised, expect: ['auth', 3] },
  limited: { answer: rateLimited(), expect: ['rate_limit', 5] },
  overloaded: { answer: overloaded, expect: ['overloaded', 5] },
  unpaid: { answer: creditTooLow, expect: ['billing', 3] },
  wrong: { answer: fail(400, 'invalid_request_error', 'must be at most 512 characters'), expect: ['unknown', 3] },
  unknown: { answer: modelUnknown, expect: ['model_unavailable', 3] },
};

let model: LoopbackModel;

beforeAll(async () => {
  model = await startLoopbackModel({
    works: [
      use('Write', { file_path: 'out.txt', content: 'made\n' }),
      use('Bash', { command: 'echo more > more.txt', description: 'writes' }),
      use('Write', { file_path: '/no-such-folder/helix-was-here', content: 'x\n' }),
      say('Done.'),
    ],
    ...Object.fromEntries(Object.entries(FAILURES).map(([name, { answer }]) => [name, [answer]])),
  });
});
afterAll(() => model.close());

async function run(test: TestContext, scenario: string): Promise<RepositoryRun & { repository: Repository }> {
  const command = [requireAgent(test, 'claude-agent-acp')];
  const env = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_MAX_RETRIES', 'DISABLE_TELEMETRY'];
  const quiet = ['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC', 'DISABLE_AUTOUPDATER'];
  const agents = { default: { driver: 'acp', command, env: [...env, ...quiet] } };
  const repository = new Repository({ settings: { sandbox: 'auto', agents } });
  const login = { ANTHROPIC_API_KEY: 'a-dummy-key', ANTHROPIC_BASE_URL: model.url(scenario) };
  const settings = Object.fromEntries([...env.slice(2), ...quiet].map((name) => [name, '1']));
  return { ...(await repository.run([], { env: { ...settings, ...login } })), repository };
}

describe('a plan with a real agent that speaks the Agent Client Protocol', () => {
  it('is worked on in its directory, accounted for and merged', async (test) => {
    const { code, said, events, repository, run: id } = await run(test, 'works');
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(await repository.changed()).toEqual(['A more.txt', 'A out.txt']);
    expect(events.find(({ type }) => type === 'attempt_finished')?.data).toMatchObject({
      ...{ version: expect.stringMatching(/claude-agent-acp \d+\.\d+\.\d+$/), simulated: false },
      cost: { usd: expect.any(Number), basis: 'reported', tokens: 4 * 1050 },
      denied: [expect.stringContaining('helix-was-here')],
    });
    expect(model.requests('works')[0]?.messages).toContain('out.txt');
    const { stdout: logs } = await repository.helix(['logs', id, 'work']);
    expect(logs).toContain('→ Write out.txt');
    expect(logs).toContain('Done.');
  });

  it.for(Object.entries(FAILURES))('that is %s is interrupted, not judged', async ([name, row], test) => {
    const { code, events } = await run(test, name);
    const [interruption] = events.flatMap((event) => (event.type === 'attempt_interrupted' ? [event.data] : []));
    expect([interruption?.failure, code]).toEqual(row.expect);
    expect(events.some(({ type }) => type === 'attempt_judged')).toBe(false);
  });
});
