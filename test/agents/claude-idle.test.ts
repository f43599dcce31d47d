import { afterEach, expect, it, type TestContext, vi } from 'vitest';
import { z } from 'zod';
import { scratch } from '../scratch.ts';
import { judgeTask, openJudge } from './claude-judge.ts';
import { hang, say, structured, together } from './loopback/answer.ts';
import { type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const IDLE_MS = 6000;
const PIECES = 8;
const PIECE = 'a word of it '.padEnd(16_384, 'a word of it ');

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Asks a reviewer that may be silent for some seconds. */
async function ask(test: TestContext, scenario: Scenario) {
  const model = await startLoopbackModel({ judge: scenario });
  const surroundings = { program: requireAgent(test, 'claude-code'), url: model.url('judge') };
  const agent = await openJudge({ ...surroundings, home: scratch(), project: scratch() });
  const answer = z.strictObject({ done: z.literal(true) });
  const task = judgeTask({ role: 'reviewer', brief: 'Wait.', dir: scratch(), readable: [], answer });
  const end = await agent.perform({ ...task, idleMs: IDLE_MS });
  await model.close();
  return { end, requests: model.requests('judge') };
}

it('a model that never answers is given up after the idle time, at a cost nobody knows', async (test) => {
  const { end, requests } = await ask(test, [hang]);
  expect(end).toMatchObject({ kind: 'interrupted', failure: 'timeout_idle', cost: { basis: 'unknown' } });
  expect(requests).toHaveLength(1);
});

it('an answer that takes longer than the idle time is no silence while it arrives', async (test) => {
  const slowly = { pieceMs: (IDLE_MS * 1.3) / PIECES };
  const { end } = await ask(test, [together([say(PIECE.repeat(PIECES)), structured({ done: true })], slowly)]);
  expect(end).toMatchObject({ kind: 'done', answer: { done: true } });
});
