import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { contents, put, scratch } from '../scratch.ts';
import { bareClaude, type ClaudeEvent } from './bare-claude.ts';
import { hang, inTurn, refuse, reset, say, structured, together, use } from './loopback/answer.ts';
import {
  creditTooLow,
  modelUnknown,
  overloaded,
  promptTooLong,
  rateLimited,
  unauthorised,
} from './loopback/failures.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const SCHEMA = { type: 'object', properties: { verdict: { enum: ['yes', 'no'] } }, required: ['verdict'] };

let model: LoopbackModel;

beforeAll(async () => {
  model = await startLoopbackModel({
    writes: [
      together([say('I write it down.'), use('Write', { file_path: 'sub/note.txt', content: 'remembered\n' })], {
        usage: { input: 2000, output: 100 },
      }),
      say('Written.', { usage: { input: 3000, output: 10 } }),
    ],
    echoes: ({ messages }) => say(messages.includes('the word is swordfish') ? 'I know the word' : 'what word?'),
    judges: [structured({ verdict: 'yes' })],
    misjudges: [structured({ verdict: 'perhaps' })],
    neverJudges: [say('I would rather not say.')],
    busyTwice: [inTurn(overloaded, overloaded, say('now I have time'))],
    unauthorised: [unauthorised],
    cut: [say('this is cut', { cutAfter: 0 })],
    cutOnce: [inTurn(together([say('one'), say('two')], { cutAfter: 1 }), say('whole'))],
    reset: [reset],
    hangs: [hang],
    limited: [rateLimited({ 'retry-after': '3600' })],
    credit: [creditTooLow],
    long: [promptTooLong],
    gone: [modelUnknown],
    refuses: [refuse('no')],
    slow: [say('late', { afterMs: 400, pieceMs: 50 })],
    large: [say(`${'word '.repeat(60_000)}end`)],
  });
});
afterAll(() => model.close());

async function ask(test: TestContext, scenario: string, more: { flags?: string[]; prompt?: string } = {}) {
  const dir = scratch();
  put(dir, { 'home/.keep': '', 'work/.keep': '' });
  const program = requireAgent(test, 'claude-code');
  const end = await bareClaude({ program, url: model.url(scenario), cwd: `${dir}/work`, home: `${dir}/home`, ...more });
  return { ...end, files: contents(`${dir}/work`) };
}

function retries(events: readonly ClaudeEvent[]) {
  return events
    .filter(({ subtype }) => subtype === 'api_retry')
    .map(({ attempt, error, error_status }) => ({ attempt, error, error_status }));
}

describe('the scripted model alone', () => {
  const post = (url: string, body: object, signal?: AbortSignal) =>
    fetch(url, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });

  it('answers in one piece where no stream is asked for, and counts tokens', async () => {
    const url = `${model.url('judges')}/v1/messages`;
    expect(await (await post(url, { model: 'm', messages: [] })).json()).toMatchObject({
      model: 'm',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'StructuredOutput', input: { verdict: 'yes' } }],
    });
    expect(await (await post(`${url}/count_tokens`, {})).json()).toEqual({ input_tokens: 1000 });
  });

  it('sends errors with their headers', async () => {
    const answer = await post(`${model.url('limited')}/v1/messages`, {});
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
  });

  it('never answers where it hangs', async () => {
    await expect(post(`${model.url('hangs')}/v1/messages`, {}, AbortSignal.timeout(300))).rejects.toThrow('timeout');
    expect(model.requests('hangs')).toHaveLength(1);
  });

  it('speaks another dialect of the same scenario', async () => {
    const said = { type: 'message', role: 'assistant', content: [] };
    const stream = await (await post(`${model.url('writes')}/v1/responses`, { stream: true, input: [said] })).text();
    expect(stream).toContain('"type":"response.output_text.delta"');
    expect(stream).toContain('Written.');
    expect(stream.trim().split('\n').at(-1)).toContain('"input_tokens":3000');
  });

  it('keeps a note of requests it has no answer for', async () => {
    const own = await startLoopbackModel({ any: [say('x')] });
    expect((await fetch(`${own.url('other')}/v1/messages`)).status).toBe(404);
    expect(own.strays()).toEqual(['GET /s/other/v1/messages']);
    await own.close();
  });
});

describe('the real claude and the scripted model', () => {
  it('a tool call writes the file, and the next answer comes with its result in the conversation', async (test) => {
    const { code, result, files } = await ask(test, 'writes');
    expect([code, result?.is_error, result?.result]).toEqual([0, false, 'Written.']);
    expect(files['sub/note.txt']).toBe('remembered\n');
    const requests = model.requests('writes').filter(({ path }) => path === '/v1/messages');
    expect(requests.map(({ turn, login, stream }) => ({ turn, login, stream }))).toEqual([
      { turn: 0, login: 'x-api-key', stream: true },
      { turn: 1, login: 'x-api-key', stream: true },
    ]);
    expect(requests[0]?.tools).toEqual(expect.arrayContaining(['Read', 'Write', 'Edit']));
    expect(requests[0]?.tools).not.toContain('Bash');
    expect(requests[1]?.messages).toContain('File created successfully');
    expect(model.strays()).toEqual([]);
  });

  it('an answer can depend on what was asked', async (test) => {
    expect((await ask(test, 'echoes', { prompt: 'the word is swordfish' })).result?.result).toBe('I know the word');
    expect((await ask(test, 'echoes', { prompt: 'hello' })).result?.result).toBe('what word?');
  });

  it('structured output is given, wrong, or missing', async (test) => {
    const flags = ['--tools', 'Read', '--json-schema', JSON.stringify(SCHEMA)];
    const [right, wrong, never] = await Promise.all(
      ['judges', 'misjudges', 'neverJudges'].map((scenario) => ask(test, scenario, { flags })),
    );
    expect(right?.result).toMatchObject({ is_error: false, structured_output: { verdict: 'yes' } });
    expect(wrong?.result).toMatchObject({ is_error: true, subtype: 'error_max_structured_output_retries' });
    expect([never?.code, never?.result?.is_error, never?.result?.structured_output]).toEqual([0, false, undefined]);
  });

  it('an overloaded server is asked again until it answers, by each session for itself', async (test) => {
    for (const end of await Promise.all([ask(test, 'busyTwice'), ask(test, 'busyTwice')])) {
      expect(end.result?.result).toBe('now I have time');
      expect(retries(end.events)).toEqual([
        { attempt: 1, error: 'overloaded', error_status: 529 },
        { attempt: 2, error: 'overloaded', error_status: 529 },
      ]);
    }
    expect(model.requests('busyTwice')).toHaveLength(6);
  });

  it('a wrong key is an error with its status', async (test) => {
    const { code, events, result } = await ask(test, 'unauthorised');
    expect(code).toBe(1);
    expect(retries(events)[0]).toEqual({ attempt: 1, error: 'authentication_failed', error_status: 401 });
    expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error', api_error_status: 401 });
  });

  it('a stream that is cut for good, or a connection that breaks, is a failed connection', async (test) => {
    for (const { code, result } of await Promise.all([ask(test, 'cut'), ask(test, 'reset')])) {
      expect(code).toBe(1);
      expect(result).toMatchObject({ is_error: true, api_error: 'connection_failed' });
    }
  });

  it('a stream that is cut once is asked for again', async (test) => {
    expect((await ask(test, 'cutOnce')).result).toMatchObject({ is_error: false, result: 'whole' });
  });

  it.for([
    { scenario: 'limited', error: 'rate_limit', result: { api_error_status: 429 } },
    { scenario: 'credit', error: 'billing_error', result: { api_error_status: 400 } },
    { scenario: 'long', error: 'invalid_request', result: { terminal_reason: 'prompt_too_long' } },
    { scenario: 'gone', error: 'model_not_found', result: { api_error_status: 404 } },
    { scenario: 'refuses', error: 'invalid_request', result: { stop_reason: 'refusal' } },
  ])('the failure "$scenario" is told as $error', async ({ scenario, error, result }, test) => {
    const end = await ask(test, scenario);
    expect(end.events.filter(({ type }) => type === 'assistant').at(-1)?.error).toBe(error);
    expect(end.result).toMatchObject({ is_error: true, ...result });
  });

  it('slow and large answers arrive whole', async (test) => {
    const [slow, large] = await Promise.all([ask(test, 'slow'), ask(test, 'large')]);
    expect(slow?.result?.result).toBe('late');
    expect(large?.result?.result).toHaveLength(300_003);
  });
});
