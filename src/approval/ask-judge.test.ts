import { describe, expect, it } from 'vitest';
import { ApprovalRecord, ApprovalResult, JudgeAnswer } from '../domain/judge/approval.ts';
import type { AgentEnd } from '../ports/agent.ts';
import { sha256 } from '../text/digest.ts';
import {
  answerOf,
  done,
  EVIDENCE,
  judgeOf,
  MemoryAgent,
  memoryCache,
  memorySnapshot,
  questionOf,
} from './approval.fixture.ts';
import { askJudge, recallAnswer } from './ask-judge.ts';
import type { Asked, Judge } from './judge.ts';
import type { Question } from './question.ts';

type Answered = Extract<Asked, { kind: 'answered' }>;

async function ask(ends: readonly AgentEnd[], over: { question?: Partial<Question>; judge?: Partial<Judge> } = {}) {
  const agent = new MemoryAgent(ends);
  const asked = await askJudge(questionOf(over.question), judgeOf(agent, over.judge));
  return { agent, asked };
}

async function answered(...args: Parameters<typeof ask>): Promise<Answered & { agent: MemoryAgent }> {
  const { asked, agent } = await ask(...args);
  if (asked.kind === 'interrupted') throw new Error(asked.message);
  return { ...asked, agent };
}

const REJECTING = answerOf({
  result: 'rejected',
  findings: [{ severity: 'error', check: 'security', message: 'injection', evidence: EVIDENCE }],
});

it('a judge gets the question, can only read the copy, and its result fits the format', async () => {
  const { agent, result, record, brief, cost } = await answered([done(answerOf())], { judge: { turn: 3 } });
  expect(agent.tasks).toHaveLength(1);
  expect(agent.tasks[0]).toMatchObject({
    role: 'reviewer',
    brief,
    dir: '/neutral',
    readable: ['/pinned/a1'],
    model: 'big',
    wallMs: 300_000,
    spendUsd: 1,
    turn: 3,
    marker: 'm:1',
    subject: { type: 'code', checks: ['security', 'tests'], inputs: ['src/db.ts'] },
  });
  expect(agent.tasks[0]?.answer).toBe(JudgeAnswer);
  expect(ApprovalResult.parse(result)).toEqual(result);
  expect(result).toMatchObject({
    approval_id: 'a1b2',
    approval_type: 'code',
    result: 'approved',
    stage: 'agent',
    cached: false,
    inputs: questionOf().inputs,
    agent_context: {
      model: 'big-1',
      tokens_used: 9000,
      cost_usd: 0.12,
      cost_basis: 'reported',
      agent: 'default',
      agent_version: '2.0',
      simulated: false,
    },
  });
  expect(result.agent_context.duration_seconds).toBeGreaterThan(0);
  expect(JSON.stringify(result)).not.toContain('null');
  expect(cost).toEqual({ usd: 0.12, basis: 'reported', tokens: 9000 });
  expect(ApprovalRecord.parse(record)).toEqual(record);
  expect(record).toMatchObject({
    tools: ['Read', 'Grep', 'Glob'],
    files: memorySnapshot().files,
    brief_sha256: sha256(brief),
    driver: 'claude-code',
    sandbox: 'strict',
    denied: [],
  });
});

it('nothing of a result is invented where nothing is known', async () => {
  const { name, agent: _agent, ...rest } = judgeOf(new MemoryAgent([]));
  const { version: _version, model: _model, ...plain } = rest;
  const agent = new MemoryAgent([{ kind: 'done', cost: { basis: 'unknown' }, answer: answerOf() }]);
  const asked = await askJudge(questionOf(), { ...plain, name, agent });
  expect(asked).toMatchObject({ kind: 'answered' });
  if (asked.kind !== 'answered') return;
  expect(Object.keys(asked.result.agent_context).toSorted()).toEqual([
    'agent',
    'cost_basis',
    'duration_seconds',
    'simulated',
  ]);
  expect(agent.tasks[0]).not.toHaveProperty('model');
});

describe('no judge is asked', () => {
  const reserve = async () => {
    throw new Error('nothing should be reserved');
  };

  it('after an error of the free checks, which rejects at no cost', async () => {
    const found = [
      {
        severity: 'error',
        check: 'syntax',
        message: 'unexpected }',
        location: { file: 'src/db.ts', line: 2, column: 1 },
      },
      { severity: 'warning', check: 'links', message: 'broken' },
    ] as const;
    const { result, cost, record, brief } = await answered([], { question: { found }, judge: { reserve } });
    expect(result).toMatchObject({ result: 'rejected', stage: 'pre_check', confidence: 1, cached: false });
    expect(result.findings).toMatchObject([{ severity: 'error', location: 'src/db.ts:2:1' }, { severity: 'warning' }]);
    expect(result.checks.map(({ outcome }) => outcome)).toEqual(['not_asked', 'not_asked']);
    expect(result.agent_context).toMatchObject({ cost_usd: 0, simulated: false });
    expect([cost.usd, record.tools, brief]).toEqual([0, [], '']);
    expect(ApprovalResult.parse(result)).toEqual(result);
  });

  it('without any check, and the warnings are kept', async () => {
    const found = [{ severity: 'warning', check: 'links', message: 'broken' }] as const;
    const { result } = await answered([], { question: { found, checks: [] }, judge: { reserve } });
    expect(result).toMatchObject({ result: 'approved', stage: 'pre_check', confidence: 1, checks: [] });
    expect(result.findings).toMatchObject([{ severity: 'warning', check: 'links' }]);
  });

  it('without a budget', async () => {
    const { asked } = await ask([], { judge: { reserve: async () => undefined } });
    expect(asked).toMatchObject({ kind: 'interrupted', failure: 'budget' });
  });
});

it('warnings of the free checks stand before what the judge found', async () => {
  const found = [{ severity: 'warning', check: 'links', message: 'broken' }] as const;
  const { result } = await answered([done(REJECTING)], { question: { found } });
  expect(result.findings.map(({ check }) => check)).toEqual(['links', 'security']);
});

it('time and money are the least of what the type and the run leave', async () => {
  const settings = { ...questionOf().settings, timeoutSeconds: 10, budgetUsd: 0.3 };
  const tasks = async (reserved: { spendUsd?: number; wallMs?: number }) =>
    (await answered([done(answerOf())], { question: { settings }, judge: { reserve: async () => reserved } })).agent
      .tasks[0];
  expect(await tasks({ spendUsd: 5, wallMs: 4000 })).toMatchObject({ spendUsd: 0.3, wallMs: 4000 });
  expect(await tasks({ spendUsd: 0.2, wallMs: 40_000 })).toMatchObject({ spendUsd: 0.2, wallMs: 10_000 });
  expect(await tasks({})).toMatchObject({ spendUsd: 0.3, wallMs: 10_000 });
});

describe('a judge that cannot be had', () => {
  const gone: AgentEnd = {
    kind: 'interrupted',
    failure: 'model_unavailable',
    message: 'no such model',
    cost: { usd: 0.01, basis: 'estimated' },
  };

  it('is replaced once by the fallback model, under its own key', async () => {
    const cache = memoryCache();
    const { agent, result, cost, record } = await answered([gone, done(answerOf())], {
      judge: { fallbackModel: 'small', cache },
    });
    expect(agent.tasks.map(({ model }) => model)).toEqual(['big', 'small']);
    expect(agent.tasks[1]).toMatchObject({ spendUsd: 0.99 });
    expect(result.result).toBe('approved');
    expect(cost).toEqual({ usd: 0.13, basis: 'estimated', tokens: 9000 });
    expect([...cache.entries.keys()]).toEqual([record.key]);
    const first = await answered([done(answerOf())], { judge: { cache: memoryCache() } });
    expect(first.record.key).not.toBe(record.key);
  });

  it('is an interruption when there is no other, or that one is gone too', async () => {
    const alone = await ask([gone]);
    expect(alone.asked).toMatchObject({ kind: 'interrupted', failure: 'model_unavailable', cost: { usd: 0.01 } });
    const both = await ask([gone, { ...gone, until: '2026-01-02T04:00:00Z' }], { judge: { fallbackModel: 'small' } });
    expect(both.asked).toMatchObject({ kind: 'interrupted', cost: { usd: 0.02 }, until: '2026-01-02T04:00:00Z' });
  });

  it('for any other reason is not asked with another model', async () => {
    const { asked, agent } = await ask([{ ...gone, failure: 'overloaded' }], { judge: { fallbackModel: 'small' } });
    expect(asked).toMatchObject({ failure: 'overloaded' });
    expect(agent.tasks).toHaveLength(1);
  });
});

describe('the cache', () => {
  it('answers the same question again at no cost, with a name and time of its own', async () => {
    const cache = memoryCache();
    const before = [{ severity: 'warning', check: 'mended', message: 'gone by now' }] as const;
    const first = await answered([done(answerOf())], { question: { found: before }, judge: { cache } });
    const reserve = async () => {
      throw new Error('nothing should be reserved');
    };
    const found = [{ severity: 'warning', check: 'links', message: 'broken' }] as const;
    const again = await answered([], { question: { found }, judge: { cache, reserve, id: 'c3d4' } });
    expect(again.agent.tasks).toEqual([]);
    expect(again.result).toMatchObject({
      approval_id: 'c3d4',
      cached: true,
      result: 'approved',
      checks: first.result.checks,
    });
    expect(again.result.findings.map(({ check }) => check)).toEqual(['links']);
    expect(again.result.agent_context).toMatchObject({ model: 'big-1', agent: 'default', cost_usd: 0 });
    expect(again.result.agent_context).not.toHaveProperty('tokens_used');
    expect(again.cost.usd).toBe(0);
    expect(again.record.key).toBe(first.record.key);
    expect(ApprovalResult.parse(again.result)).toEqual(again.result);
  });

  it('tells before any wall is tried what was said behind the best ones, and that alone', async () => {
    const cache = memoryCache();
    const basic = { level: 'basic', why: 'no bubblewrap' } as const;
    const recall = (found: Question['found'] = []) =>
      recallAnswer(questionOf({ found }), judgeOf(new MemoryAgent([]), { cache, id: 'e5f6' }));
    await answered([done(answerOf())], { judge: { cache, sandbox: basic } });
    expect(await recall()).toBeUndefined();
    await answered([done(answerOf())], { judge: { cache } });
    expect(await recall()).toMatchObject({
      result: { approval_id: 'e5f6', cached: true },
      record: { sandbox: 'strict' },
    });
    expect(await recall([{ severity: 'error', check: 'syntax', message: 'broken' }])).toBeUndefined();
    await answered([done(REJECTING)], { judge: { cache: { ...cache, get: async () => undefined }, sandbox: basic } });
    expect(await recall()).toBeUndefined();
  });

  it.each([
    ['rejected', REJECTING],
    ['in need of revision', answerOf({ result: 'needs_revision' })],
    ['unsure', answerOf({ confidence: 0.2 })],
    ['no answer', 'fine'],
  ])('keeps nothing that is %s', async (_, answer) => {
    const cache = memoryCache();
    await ask([done(answer)], { judge: { cache } });
    expect(cache.entries.size).toBe(0);
  });

  it('does not hand what a simulated judge said to a real one', async () => {
    const cache = memoryCache();
    const scripted = new MemoryAgent([done(answerOf())], { driver: 'scripted', simulated: true });
    const simulated = await askJudge(questionOf(), judgeOf(scripted, { cache }));
    expect(simulated).toMatchObject({ result: { agent_context: { simulated: true } } });
    const { agent } = await answered([done(answerOf())], { judge: { cache } });
    expect(agent.tasks).toHaveLength(1);
    const again = await askJudge(questionOf(), judgeOf(scripted, { cache }));
    expect(again).toMatchObject({
      result: { cached: true, agent_context: { simulated: true, cost_basis: 'simulated' } },
    });
  });
});

it('what is no answer is an interruption, never an opinion', async () => {
  const { asked } = await ask([done({ ...answerOf(), confidence: 'high' })]);
  expect(asked).toMatchObject({ kind: 'interrupted', failure: 'schema', cost: { usd: 0.12 } });
  expect(asked).toMatchObject({ message: expect.stringContaining('confidence') });
});

it('content that changed while it was judged is an interruption that names it', async () => {
  const snapshot = memorySnapshot(undefined, ['src/db.ts', 'new.txt']);
  const { asked } = await ask([done(answerOf())], { question: { snapshot } });
  expect(asked).toMatchObject({
    kind: 'interrupted',
    failure: 'workspace',
    message: expect.stringContaining('src/db.ts, new.txt'),
  });
});

it('a rejection removes the approval that the same question was given before', async () => {
  const cache = memoryCache();
  await ask([done(answerOf())], { judge: { cache } });
  expect(cache.entries.size).toBe(1);
  const unread = { ...cache, get: async () => undefined };
  await ask([done(REJECTING)], { judge: { cache: unread } });
  expect(cache.entries.size).toBe(0);
});
