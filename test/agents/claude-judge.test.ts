import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, type TestContext, vi } from 'vitest';
import { z } from 'zod';
import { openProject } from '../../src/adapters/project-directory.ts';
import { openWorld } from '../../src/adapters/world.ts';
import type { JudgeTask } from '../../src/ports.ts';
import { UNCONFINED } from '../sample-start.ts';
import { scratch } from '../scratch.ts';
import { hang, say, structured, use } from './loopback/answer.ts';
import { type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const STAND_IN = fileURLToPath(new URL('programs/stand-in-claude.ts', import.meta.url));
const Even = z.strictObject({ count: z.int().refine((count) => count % 2 === 0, 'must be even') });

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Asks a reviewer, whose model plays the scenario, for an even number. */
async function ask(command: readonly string[], scenario: Scenario, change: Partial<JudgeTask> = {}) {
  const model = await startLoopbackModel({ judge: scenario });
  const env = { HOME: scratch(), ANTHROPIC_BASE_URL: model.url('judge'), ANTHROPIC_API_KEY: 'a-dummy-key' };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const agent = await openWorld(openProject(scratch())).agent({ driver: 'claude-code', command: [...command] });
  const end = await agent.perform({
    ...{ role: 'reviewer', sandbox: UNCONFINED.sandbox, brief: 'Count.', instructions: 'You count.', readable: [] },
    ...{ dir: scratch(), marker: `judge-${randomUUID()}`, wallMs: 40_000, answer: Even },
    signal: new AbortController().signal,
    onLine: () => undefined,
    ...change,
  });
  await model.close();
  return { end, requests: model.requests('judge') };
}

const real = (test: TestContext) => [requireAgent(test, 'claude-code')];

it('a judge gives an answer of the shape it was asked for, and has nothing but eyes', async (test) => {
  const { end, requests } = await ask(real(test), [structured({ count: 2 })]);
  expect(end).toMatchObject({ kind: 'done', answer: { count: 2 }, version: expect.any(String) });
  const tools = requests[0]?.tools.filter((name) => name !== 'DeferredToolPlaceholder');
  expect(tools?.toSorted()).toEqual(['Glob', 'Grep', 'Read', 'StructuredOutput']);
});

it.for([
  { what: 'of another shape again and again', scenario: [structured({ count: 'two' })] },
  { what: 'missing', scenario: [say('I do not count.')] },
  { what: 'of the right shape and still not what was asked for', scenario: [structured({ count: 3 })] },
] as const)('an answer $what is no answer', async ({ scenario }, test) => {
  expect((await ask(real(test), scenario)).end).toMatchObject({ kind: 'interrupted', failure: 'schema' });
});

it('a model that never answers is given up after the idle time', async (test) => {
  const { end, requests } = await ask(real(test), [hang], { idleMs: 6000 });
  expect(end).toMatchObject({ kind: 'interrupted', failure: 'timeout_idle', cost: { basis: 'unknown' } });
  expect(requests).toHaveLength(1);
});

it('a program that says nothing is given up after the idle time', async () => {
  const { end } = await ask([process.execPath, STAND_IN, 'silent'], [say('')], { idleMs: 1000 });
  expect(end).toMatchObject({ kind: 'interrupted', failure: 'timeout_idle' });
});

it('more than what is left is not spent twice', async (test) => {
  const reads = use('Read', { file_path: 'nothing.md' }, { usage: { input: 100_000, output: 100_000 } });
  const { end, requests } = await ask(real(test), [reads], { spendUsd: 1 });
  expect(end).toMatchObject({ kind: 'interrupted', failure: 'budget', cost: { usd: expect.any(Number) } });
  expect(requests).toHaveLength(1);
});
