import { afterEach, expect, it, type TestContext, vi } from 'vitest';
import { z } from 'zod';
import { scratch } from '../scratch.ts';
import { judgeTask, openJudge } from './claude-judge.ts';
import { hang, say, structured, together } from './loopback/answer.ts';
import { type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const IDLE_MS = 3000;
const MOST_IDLE_MS = 24_000;
const PIECES = 8;
const PIECE = 'a word of it '.padEnd(16_384, 'a word of it ');

afterEach(() => {
  vi.unstubAllEnvs();
});

type Asked = Awaited<ReturnType<typeof ask>>;

/** Asks a reviewer that may be silent for some seconds; for more of them where the machine is too busy to get that far. */
async function patiently(test: TestContext, scenario: (idleMs: number) => Scenario, isFar: (asked: Asked) => boolean) {
  for (let idleMs = IDLE_MS; ; idleMs *= 2) {
    const asked = await ask(test, scenario(idleMs), idleMs);
    if (isFar(asked) || idleMs >= MOST_IDLE_MS) return asked;
  }
}

async function ask(test: TestContext, scenario: Scenario, idleMs: number) {
  const model = await startLoopbackModel({ judge: scenario });
  const surroundings = { program: requireAgent(test, 'claude-code'), url: model.url('judge') };
  const agent = await openJudge({ ...surroundings, home: scratch(), project: scratch() });
  const answer = z.strictObject({ done: z.literal(true) });
  const task = judgeTask({ role: 'reviewer', brief: 'Wait.', dir: scratch(), readable: [], answer });
  const end = await agent.perform({ ...task, idleMs });
  await model.close();
  return { end, requests: model.requests('judge') };
}

it('a model that never answers is given up after the idle time, at a cost nobody knows', async (test) => {
  const { end, requests } = await patiently(
    test,
    () => [hang],
    ({ requests: { length } }) => length > 0,
  );
  expect(end).toMatchObject({ kind: 'interrupted', failure: 'timeout_idle', cost: { basis: 'unknown' } });
  expect(requests).toHaveLength(1);
});

it('an answer that takes longer than the idle time is no silence while it arrives', async (test) => {
  const slowly = (idleMs: number): Scenario => {
    const answer = [say(PIECE.repeat(PIECES)), structured({ done: true })];
    return [together(answer, { pieceMs: (idleMs * 1.3) / PIECES })];
  };
  const { end } = await patiently(test, slowly, ({ end: { kind } }) => kind === 'done');
  expect(end).toMatchObject({ kind: 'done', answer: { done: true } });
});
