import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NO_MODELS, samplePhase, UNCONFINED } from '../../../../test/sample-start.ts';
import { contents, scratch } from '../../../../test/scratch.ts';
import type { Models } from '../../../domain/plan/models.ts';
import type { Agent, CreatorTask } from '../../../ports/agent.ts';
import { acpWords } from '../../../text/agent-words/acp-words.ts';
import { systemClock } from '../../clock.ts';
import { openProject } from '../../disk/project-directory.ts';
import { createProcesses } from '../../programs/processes.ts';
import { agentContract } from '../agent.contract.ts';
import { openAcp } from './acp.ts';
import { acpServers } from './acp-servers.ts';

const STAND_IN = fileURLToPath(new URL('../../../../test/agents/programs/stand-in-acp.ts', import.meta.url));

function open(argument: string, models: Models = NO_MODELS): Promise<Agent> {
  const world = { project: openProject(scratch()), processes: createProcesses(), clock: systemClock, models };
  return openAcp({ driver: 'acp', command: [process.execPath, STAND_IN, argument] }, world);
}

agentContract('the acp agent', (deeds) => open(join(scratch({ 'deeds.json': JSON.stringify(deeds) }), 'deeds.json')));

function task(change: Partial<CreatorTask> = {}): CreatorTask {
  return {
    ...{ role: 'creator', ...UNCONFINED, phase: samplePhase('one'), attempt: 1, turn: 0, brief: 'Do it.' },
    ...{ dir: scratch(), marker: `acp-${randomUUID()}`, wallMs: 240_000, idleMs: 120_000 },
    ...{ signal: new AbortController().signal, onLine: () => undefined },
    ...change,
  };
}

describe('an agent that speaks the protocol', () => {
  it.each([
    ['exit', 'protocol'],
    ['refuses', 'spawn'],
    ['killed', 'crash'],
    ['giant', 'protocol'],
    ['newer', 'protocol'],
    ['locked', 'auth'],
    ['limited', 'rate_limit'],
    ['stops:max_tokens', 'output_limit'],
    ['stops:max_turn_requests', 'max_turns'],
    ['stops:refusal', 'refusal'],
    ['stops:cancelled', 'crash'],
    ['stops:whatever', 'protocol'],
    ['stops:constructor', 'protocol'],
    ['unpaid', 'billing'],
  ])('and shows %s is interrupted as %s', async (behaviour, failure) => {
    const end = await (await open(`behave:${behaviour}`)).perform(task());
    expect(end).toMatchObject({ kind: 'interrupted', failure, message: expect.stringMatching(/./) });
  });

  it('may be silent only for a while', async () => {
    const end = await (await open('behave:silence')).perform(task({ idleMs: 1500 }));
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'timeout_idle' });
  });

  it.each(['garbage', 'stays', 'both'])('is done in spite of what makes no sense: %s', async (behaviour) => {
    const end = await (await open(`behave:${behaviour}`)).perform(task());
    expect(end).toMatchObject({ kind: 'done', version: 'a stand-in 1.2.3', model: 'm-1' });
  });

  it('is told what it may do, and what it was refused is reported', async () => {
    const asked = task();
    const end = await (await open('behave:asks')).perform(asked);
    expect(end).toMatchObject({ kind: 'done', denied: ['Write there'] });
    const heard = JSON.parse(contents(asked.dir)['heard.json'] ?? '[]');
    expect(heard).toMatchObject([
      { result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } },
      { result: { outcome: { outcome: 'selected', optionId: 'reject_once' } } },
      { id: 'read', error: { code: -32_601 } },
    ]);
  });

  it('costs what it reports', async () => {
    const end = await (await open('behave:reports')).perform(task());
    expect(end).toMatchObject({ cost: { usd: 0.25, basis: 'reported', tokens: 1050 } });
  });

  it('costs what its tokens do where it reports none, and nobody knows what where the model has no price', async () => {
    const models = { find: (id: string) => ({ id, price: { input: 2, output: 10 } }) };
    const priced = await (await open('behave:', models)).perform(task());
    expect(priced).toMatchObject({ cost: { usd: (1000 * 2 + 50 * 10) / 1e6, basis: 'estimated', tokens: 1050 } });
    const unpriced = await (await open('behave:')).perform(task());
    expect(unpriced).toMatchObject({ cost: { basis: 'unknown', tokens: 1050 } });
  });

  it('is stopped when it has spent too much', async () => {
    const spent: number[] = [];
    const asked = task({ spendUsd: 2, onSpent: (usd) => void spent.push(usd) });
    const end = await (await open('behave:dear')).perform(asked);
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'budget', cost: { usd: 3, basis: 'reported' } });
    expect(spent).toEqual([3]);
  });

  it('is no judge', async () => {
    const judge = { ...task(), role: 'reviewer', instructions: '', readable: [] } as never;
    expect(await (await open('behave:')).perform(judge)).toMatchObject({ kind: 'interrupted', failure: 'spawn' });
  });

  it('is refused where nobody says which program it is, and where there is none', async () => {
    const world = {
      project: openProject(scratch()),
      processes: createProcesses(),
      clock: systemClock,
      models: NO_MODELS,
    };
    await expect(openAcp({ driver: 'acp' }, world)).rejects.toThrow('has no command');
    await expect(openAcp({ driver: 'acp', command: 'no-such-agent' }, world)).rejects.toThrow(
      'no no-such-agent in PATH',
    );
  });
});

describe('MCP servers', () => {
  it('are named as the protocol wants them, with the values of the variables they may see', () => {
    const servers = [
      { name: 'one', command: ['program', '-x'], env: ['SEEN', 'ABSENT', 'constructor'] },
      { name: 'two', url: 'https://example.org/mcp' },
    ];
    expect(acpServers(servers, { SEEN: '1', OTHER: '2' })).toEqual([
      { name: 'one', command: 'program', args: ['-x'], env: [{ name: 'SEEN', value: '1' }] },
      { type: 'http', name: 'two', url: 'https://example.org/mcp', headers: [] },
    ]);
  });
});

describe('the words of the protocol', () => {
  const update = (fields: object) => ({ jsonrpc: '2.0', method: 'session/update', params: { update: fields } });

  it.each([
    [update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } }), 'Hello'],
    [update({ sessionUpdate: 'tool_call', title: 'Write\nout.txt' }), '→ Write out.txt'],
    [update({ sessionUpdate: 'tool_call_update', status: 'completed' }), undefined],
    [update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm' } }), undefined],
    [{ jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } }, undefined],
    [{ jsonrpc: '2.0', id: 2, result: { stopReason: 'refusal' } }, 'stopped: refusal'],
    [{ jsonrpc: '2.0', id: 2, error: { message: 'no' } }, 'no'],
    [null, undefined],
  ])('%j', (message, words) => {
    expect(acpWords(message)).toBe(words);
  });
});
