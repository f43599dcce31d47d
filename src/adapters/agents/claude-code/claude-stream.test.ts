import { describe, expect, it } from 'vitest';
import type { Models } from '../../../domain/plan/models.ts';
import { ClaudeStream } from './claude-stream.ts';

const NO_PRICES: Models = { find: (id) => ({ id }) };
/** A dollar for a million tokens of input, ten for output; nobody knows what `odd` charges. */
const PRICES: Models = {
  find: (id) => (id === 'odd' ? { id } : { id, price: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 } }),
};

function read(events: readonly unknown[], models: Models = PRICES): ClaudeStream {
  const stream = new ClaudeStream(models);
  for (const event of events) stream.read(event);
  return stream;
}

function begun(id: string, usage: Record<string, number>, model = 'm') {
  return { type: 'stream_event', event: { type: 'message_start', message: { id, model, usage } } };
}

function ended(output: number, more: Record<string, number> = {}) {
  return { type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: output, ...more } } };
}

const MILLION = 1_000_000;
const used = (costUSD: number, inputTokens = 100, outputTokens = 20) => ({ m: { inputTokens, outputTokens, costUSD } });
const result = (fields: object) => ({ type: 'result', subtype: 'success', is_error: false, ...fields });

describe('what a turn costs', () => {
  it('is the part since the last result, not the total of the whole session', () => {
    const { cost } = read([
      result({ total_cost_usd: 0.015, modelUsage: used(0.015, 300, 60), model_usage_since_last_result: used(0.005) }),
    ]);
    expect(cost).toEqual({ usd: 0.005, basis: 'reported', tokens: 120 });
  });

  it('adds up over the results of one process, which goes on when what ran in the background has ended', () => {
    const events = [
      ...[begun('a', { input_tokens: 100 }), ended(20), result({ model_usage_since_last_result: used(0.25) })],
      ...[begun('b', { input_tokens: 100 }), ended(20), result({ model_usage_since_last_result: used(0.5) })],
      result({ model_usage_since_last_result: {}, total_cost_usd: 0.75 }),
    ];
    expect(read(events).cost).toEqual({ usd: 0.75, basis: 'reported', tokens: 240 });
  });

  it('is partly estimated where the process was ended after its last result', () => {
    const events = [result({ model_usage_since_last_result: used(0.25) }), begun('b', { input_tokens: MILLION })];
    expect(read(events).cost).toEqual({ usd: 1.25, basis: 'estimated', tokens: MILLION + 120 });
    expect(read(events).result).toBeUndefined();
  });

  it('is the sum over the models of the session where the part is not told', () => {
    const modelUsage = { ...used(0.25), small: { inputTokens: 10, cacheReadInputTokens: 5, costUSD: 0.5 } };
    expect(read([result({ total_cost_usd: 0.75, modelUsage })]).cost).toEqual({
      usd: 0.75,
      basis: 'reported',
      tokens: 135,
    });
  });

  it('counts every token, also those of the cache', () => {
    const modelUsage = {
      m: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 4, cacheCreationInputTokens: 8, costUSD: 1 },
    };
    expect(read([result({ modelUsage })]).cost.tokens).toBe(15);
  });

  it('is never taken from the usage of assistant events, which is that of a message just begun', () => {
    const said = { type: 'assistant', message: { usage: { input_tokens: MILLION, output_tokens: 1 } } };
    expect(read([said, said]).cost).toEqual({ basis: 'unknown' });
  });

  it('is estimated from our prices where the program charges nothing for tokens it has used', () => {
    const events = [begun('a', { input_tokens: 100 }), ended(20), result({ modelUsage: used(0), total_cost_usd: 0 })];
    expect(read(events).cost).toEqual({ usd: 0.0003, basis: 'estimated', tokens: 120 });
    expect(read(events, NO_PRICES).cost).toEqual({ basis: 'unknown', tokens: 120 });
  });

  it('is nothing where nothing was answered, because nothing is charged for that', () => {
    expect(read([result({ is_error: true, modelUsage: {}, total_cost_usd: 0 })]).cost).toMatchObject({
      usd: 0,
      basis: 'reported',
    });
  });

  it('is what was streamed where it broke off: what went in from the first event, what came out from the last', () => {
    const { cost } = read([
      begun('a', { input_tokens: MILLION, cache_read_input_tokens: MILLION, output_tokens: 1 }),
      ended(MILLION),
      begun('b', { input_tokens: MILLION, cache_creation_input_tokens: MILLION, output_tokens: 1 }),
    ]);
    expect(cost).toEqual({ usd: 1 + 0.1 + 10 + 1 + 2 + 0.00001, basis: 'estimated', tokens: 5 * MILLION + 1 });
  });

  it('takes the last word of a message on what went in', () => {
    expect(read([begun('a', { input_tokens: 5 }), ended(0, { input_tokens: 7 })]).cost.tokens).toBe(7);
  });

  it('is unknown where it broke off and the price is not known, and never 0', () => {
    expect(read([begun('a', { input_tokens: 10 }, 'odd'), ended(5)]).cost).toEqual({ basis: 'unknown', tokens: 15 });
    expect(read([]).cost).toEqual({ basis: 'unknown' });
  });

  it('is unknown where only some of its models have a price', () => {
    const { cost, spentUsd } = read([begun('a', { input_tokens: 10 }), begun('b', { input_tokens: 10 }, 'odd')]);
    expect(cost).toEqual({ basis: 'unknown', tokens: 20 });
    expect(spentUsd).toBeUndefined();
  });

  it('is an equivalent where a subscription pays', () => {
    const quota = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } };
    expect(read([quota, result({ modelUsage: used(0.5) })]).cost).toMatchObject({ usd: 0.5, equivalent: true });
    expect(read([quota, begun('a', { input_tokens: 1 })]).cost).toMatchObject({ basis: 'estimated', equivalent: true });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, '0.5', null, {}])('is not %j', (total_cost_usd) => {
    expect(read([result({ total_cost_usd })]).cost).toEqual({ basis: 'unknown' });
  });
});

describe('what the program tells of itself', () => {
  it('is who it is, and which tools and servers it has', () => {
    const init = { type: 'system', subtype: 'init', model: 'opus', claude_code_version: '2.1.325', tools: ['Read'] };
    expect(read([{ ...init, mcp_servers: [{ name: 'docs', status: 'connected' }] }])).toMatchObject({
      ...{ model: 'opus', version: '2.1.325', tools: ['Read'], servers: ['docs'] },
    });
  });

  it('is what it was not allowed to do, each call once', () => {
    const call = { tool_name: 'Write', tool_use_id: 't1' };
    const { denied } = read([
      { type: 'system', subtype: 'permission_denied', ...call },
      { type: 'system', subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: 't2' },
      result({ permission_denials: [{ ...call, tool_input: { file_path: '/etc/passwd' } }] }),
    ]);
    expect(denied).toEqual(['Write {"file_path":"/etc/passwd"}', 'Bash']);
  });

  it('is also what it tried with tools it does not have, unless they answered all the same', () => {
    const init = { type: 'system', subtype: 'init', tools: ['Read'] };
    const call = (id: string, name: string) => ({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id, name, input: { path: 'x' } }] },
    });
    const answer = (tool_use_id: string, is_error?: true) => ({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id, ...(is_error && { is_error }) }] },
    });
    const late = [call('t3', 'mcp__late__one'), answer('t3')];
    const { denied } = read([
      init,
      call('t1', 'Read'),
      answer('t1', true),
      call('t2', 'Write'),
      answer('t2', true),
      ...late,
    ]);
    expect(denied).toEqual(['Write {"path":"x"}']);
  });

  it('is bounded, however often it is refused', () => {
    const permission_denials = Array.from({ length: 5000 }, (_, n) => ({ tool_name: 'Write', tool_use_id: `t${n}` }));
    expect(read([result({ permission_denials })]).denied).toHaveLength(100);
  });

  it('is how often in a row its login was refused', () => {
    const refused = { type: 'system', subtype: 'api_retry', error: 'authentication_failed', error_status: 401 };
    expect(read([refused, refused]).refusedLogins).toBe(2);
    expect(read([refused, begun('a', {}), refused]).refusedLogins).toBe(1);
    expect(read([refused, { ...refused, error: 'overloaded' }]).refusedLogins).toBe(0);
  });

  it('is when its quota is filled again', () => {
    const info = { status: 'rejected', resetsAt: 1_794_800_984, rateLimitType: 'five_hour' };
    expect(read([{ type: 'rate_limit_event', rate_limit_info: info }]).until).toBe('2026-11-16T03:49:44.000Z');
    expect(read([{ type: 'rate_limit_event', rate_limit_info: { status: 'rejected' } }]).until).toBeUndefined();
    expect(read([{ type: 'rate_limit_event', rate_limit_info: { ...info, status: 'allowed' } }]).until).toBeUndefined();
  });
});

describe('what nobody expects', () => {
  it.each<[string, unknown]>([
    ['an event of a kind nobody knows', { type: 'novelty', subtype: 'init', model: 7 }],
    ['a system event nobody knows', { type: 'system', subtype: 'ui_invalidate' }],
    ['an event without a type', { subtype: 'init' }],
    ['no object', 'garbage'],
    ['nothing', null],
    ['a list', [1, 2, 3]],
    ['an init without anything', { type: 'system', subtype: 'init' }],
    ['an init of other types', { type: 'system', subtype: 'init', model: {}, tools: 'Read', mcp_servers: 3 }],
    ['a delta of a message that never began', ended(50)],
    ['a stream event without an event', { type: 'stream_event' }],
    ['a quota without anything', { type: 'rate_limit_event' }],
    ['a quota beyond all time', { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1e300 } }],
  ])('%s is let pass', (_, event) => {
    const { cost, result: last, error } = read([event]);
    expect({ cost, last, error }).toEqual({ cost: { basis: 'unknown' }, last: undefined, error: undefined });
  });

  it('a result without anything is still the last word', () => {
    const stream = read([{ type: 'result' }]);
    expect(stream.result).toEqual({ type: 'result' });
    expect(stream.cost).toEqual({ basis: 'unknown' });
  });
});

it('what an answer had said when it was cut off is known', () => {
  const piece = (text: string) => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
  });
  expect(read([begun('a', {}), piece('half '), piece('an answer')]).unfinished).toBe('half an answer');
  expect(read([begun('a', {}), piece('all'), { type: 'assistant', message: {} }]).unfinished).toBe('');
});
