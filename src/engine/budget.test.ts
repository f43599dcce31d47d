import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as aMoment } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Stage } from '../../test/run-scenario.ts';
import type { RunEvent } from '../domain/facts/run-event.ts';
import { GATES } from '../gates/registry.ts';
import type { Agent, AgentEnd, AgentTask, CreatorTask } from '../ports/agent.ts';
import type { World } from '../ports/world.ts';
import { resumeRun } from './run.ts';

type Work = (task: CreatorTask) => AgentEnd | Promise<AgentEnd>;

const DONE: AgentEnd = { kind: 'done', cost: { usd: 1, basis: 'reported' } };

function agentOf(work: Work, more: Partial<Agent> = {}): Agent {
  return {
    driver: 'claude-code',
    simulated: false,
    perform: async (task: AgentTask) => {
      if (task.role !== 'creator') throw new TypeError('only creators are asked here');
      writeFileSync(join(task.dir, 'made.txt'), 'x');
      return work(task);
    },
    ...more,
  };
}

type Phase = { id: string } & Record<string, unknown>;

/** A project whose agent is paid for, and who it is is up to the test. */
function project(phases: readonly Phase[], more: object = {}) {
  const stage = new Stage('parked');
  onTestFinished(() => stage.dispose());
  const all = phases.map((phase) => ({ type: 'development', output: ['made.txt'], ...phase }));
  const plan = { project: { name: 'x', description: 'A trial' }, workspace: 'phase-dirs', phases: all, ...more };
  writeFileSync(join(stage.dir, 'phases.yaml'), JSON.stringify(plan));
  writeFileSync(join(stage.dir, 'helix.yaml'), 'agents: { default: { driver: claude-code, model: opus } }\n');
  const open = (agent: Agent): World => {
    const world: World = { ...stage.world(), agent: async () => agent };
    onTestFinished(() => world.close());
    return world;
  };
  return { stage, open };
}

const COMPANY = { gates: GATES, stop: new AbortController().signal, wait: false };

function facts<T extends RunEvent['type']>(events: readonly RunEvent[], type: T) {
  return events.flatMap((event) => (event.type === type ? [event.data as Extract<RunEvent, { type: T }>['data']] : []));
}

test('every attempt is told what it may spend and by which model, and both are facts', async () => {
  const { stage, open } = project([{ id: 'a' }, { id: 'b', depends_on: [], config: { model: 'gpt-5' } }], {
    budget: { usd: 10 },
  });
  const tasks: CreatorTask[] = [];
  const world = open(
    agentOf(async (task) => {
      tasks.push(task);
      while (tasks.length < 2) await aMoment(1);
      return DONE;
    }),
  );
  const end = await stage.start(world);
  expect(end).toMatchObject({ ended: { status: 'passed' }, spent: { usd: 2 } });
  const started = facts(await stage.events(world, end.run), 'attempt_started');
  expect(started.map(({ phase, model, reserved }) => ({ phase, model, reserved }))).toEqual([
    { phase: 'a', model: 'claude-opus-5-5', reserved: 5 },
    { phase: 'b', model: 'gpt-5', reserved: 5 },
  ]);
  expect(tasks.map(({ model, spendUsd }) => ({ model, spendUsd }))).toEqual([
    { model: 'claude-opus-5-5', spendUsd: 5 },
    { model: 'gpt-5', spendUsd: 5 },
  ]);
});

test('attempts that begin at the same moment never reserve more than there is', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const phases = ids.map((id) => ({ id, depends_on: [], budget: { usd: 2 } }));
  const { stage, open } = project(phases, { budget: { usd: 5 }, concurrency: 5 });
  let held = 0;
  let most = 0;
  const { promise: allReserved, resolve } = Promise.withResolvers<void>();
  const world = open(
    agentOf(async ({ spendUsd = 0 }) => {
      held += spendUsd;
      most = Math.max(most, held);
      if (held === 5) resolve();
      await allReserved;
      held -= spendUsd;
      return { kind: 'done', cost: { usd: 0.5, basis: 'reported' } };
    }),
  );
  const end = await stage.start(world);
  expect(end).toMatchObject({ ended: { status: 'passed' }, spent: { usd: 2.5 } });
  expect(most).toBe(5);
});

test('a limit of time ends an attempt as a matter of the budget, and more of it goes on', async () => {
  const { stage, open } = project([{ id: 'a' }], { budget: { minutes: 1 } });
  let patience: number | undefined;
  const late: AgentEnd = { kind: 'interrupted', failure: 'timeout_wall', message: 'too late' };
  const world = open(
    agentOf(({ wallMs }) => {
      patience = wallMs;
      return late;
    }),
  );
  const { run, parked, phases } = await stage.start(world);
  expect(patience).toBe(60_000);
  expect(parked).toEqual({ reason: 'budget', message: 'its share of the agent minutes of the budget is used up' });
  expect(phases.get('a')).toMatchObject({ status: 'parked', history: { judged: 0 }, rung: { interruptions: 0 } });
  const [cut] = facts(await stage.events(world, run), 'attempt_interrupted');
  expect(cut).toMatchObject({ failure: 'budget' });
  const end = await resumeRun(open(agentOf(() => DONE)), run, { ...COMPANY, budget: { minutes: 600 } });
  expect(end.ended?.status).toBe('passed');
});

test("a phase's own limit of time counts, and its own timeout stays what it is", async () => {
  const { stage, open } = project(
    [
      { id: 'a', budget: { minutes: 2 } },
      { id: 'b', timeout: 30 },
    ],
    {
      budget: { minutes: 5 },
    },
  );
  const limits: number[] = [];
  const late: AgentEnd = { kind: 'interrupted', failure: 'timeout_wall', message: 'too late' };
  const world = open(
    agentOf(({ wallMs, phase }) => {
      limits.push(wallMs);
      return phase.id === 'a' ? DONE : late;
    }),
  );
  const end = await stage.start(world);
  expect(limits.slice(0, 2)).toEqual([120_000, 30_000]);
  expect(end.phases.get('b')?.current?.failure).toBe('timeout_wall');
});

test('what an attempt had spent when HELIX was killed is read from what it said', async () => {
  const { stage, open } = project([{ id: 'a' }], { budget: { usd: 10 } });
  const killed = new Error('killed');
  const world = open(
    agentOf(async ({ onLine }) => {
      onLine('{"usd":0.75}');
      await aMoment(20);
      throw killed;
    }),
  );
  let run = '';
  const company = { onEvent: (_event: RunEvent, state: { run: string }) => (run = state.run) };
  await expect(stage.start(world, company)).rejects.toBe(killed);
  const spoken: string[] = [];
  const agent = agentOf(() => DONE, {
    costOf: (lines) => {
      spoken.push(...lines);
      return { usd: 0.75, basis: 'estimated' };
    },
  });
  const end = await resumeRun(open(agent), run, COMPANY);
  expect(spoken).toContain('{"usd":0.75}');
  expect(end).toMatchObject({ ended: { status: 'passed' }, spent: { usd: 1.75, estimated: 1, unknown: 0 } });
});

test('where nobody can tell what a killed attempt has spent, that is unknown and binds nobody', async () => {
  const { stage, open } = project([{ id: 'a' }], { budget: { usd: 10 } });
  const killed = new Error('killed');
  let run = '';
  const company = { onEvent: (_event: RunEvent, state: { run: string }) => (run = state.run) };
  const dying = agentOf(() => {
    throw killed;
  });
  await expect(stage.start(open(dying), company)).rejects.toBe(killed);
  const end = await resumeRun(open(agentOf(() => DONE)), run, COMPANY);
  expect(end).toMatchObject({ ended: { status: 'passed' }, spent: { usd: 1, unknown: 1 } });
});

test.each<[budget: object, most: number]>([
  [{ attempts: 1 }, 1],
  [{ attempts: 3 }, 3],
])('attempts side by side are never more than the budget %j', async (budget, most) => {
  const phases = ['a', 'b', 'c', 'd'].map((id) => ({ id, depends_on: [] }));
  const { stage, open } = project(phases, { budget, concurrency: 4 });
  const world = open(
    agentOf(async () => {
      await aMoment(20);
      return DONE;
    }),
  );
  const end = await stage.start(world);
  expect(end.parked).toEqual({ reason: 'budget', message: `${most} attempts are used up` });
  expect(facts(await stage.events(world, end.run), 'attempt_started')).toHaveLength(most);
});

test('attempts side by side share the time, and who cannot have any waits for what is left over', async () => {
  const phases = ['a', 'b', 'c', 'd'].map((id) => ({ id, depends_on: [] }));
  const { stage, open } = project(phases, { budget: { minutes: 2.5 }, concurrency: 4 });
  let held = 0;
  const seen: number[] = [];
  const { promise: bothWork, resolve } = Promise.withResolvers<void>();
  const world = open(
    agentOf(async ({ wallMs }) => {
      held += wallMs;
      if (seen.push(held) === 2) resolve();
      await bothWork;
      held -= wallMs;
      return DONE;
    }),
  );
  const end = await stage.start(world);
  expect(end.ended?.status).toBe('passed');
  expect(seen.slice(0, 2)).toEqual([60_000, 120_000]);
  expect(Math.max(...seen)).toBeLessThanOrEqual(150_000);
  expect(facts(await stage.events(world, end.run), 'attempt_started')[0]?.reservedMs).toBe(60_000);
});

test.each<[what: string, minutesLater: number, ms: number]>([
  ['until it last said something', 7, 420_000],
  ['at most the time it had', 90, 600_000],
])('an attempt HELIX was killed in has worked %s', async (_, minutesLater, ms) => {
  const { stage, open } = project([{ id: 'a', timeout: 600 }], { budget: { minutes: 60 } });
  const killed = new Error('killed');
  const world = open(
    agentOf(async ({ onLine }) => {
      onLine('{"said":1}');
      await aMoment(20);
      throw killed;
    }),
  );
  let run = '';
  const company = { onEvent: (_event: RunEvent, state: { run: string }) => (run = state.run) };
  await expect(stage.start(world, company)).rejects.toBe(killed);
  const started = (await stage.events(world, run)).find(({ type }) => type === 'attempt_started');
  const said = new Date(Date.parse(started?.at ?? '') + minutesLater * 60_000);
  utimesSync(join(stage.dir, '.helix/runs', run, 'phases/a/logs/attempt-1/transcript.jsonl'), said, said);
  const end = await resumeRun(open(agentOf(() => DONE)), run, COMPANY);
  const [cut] = facts(await stage.events(world, run), 'attempt_interrupted');
  expect(cut).toMatchObject({ failure: 'orchestrator', durationMs: ms });
  expect(end.spent.ms).toBeGreaterThanOrEqual(ms);
});

test('an attempt that said nothing has worked until the last fact HELIX wrote, whatever people added later', async () => {
  const { stage, open } = project([{ id: 'a' }, { id: 'b', depends_on: [] }], { budget: { minutes: 60 } });
  const killed = new Error('killed');
  const { promise: accepted, resolve } = Promise.withResolvers<void>();
  const world = open(
    agentOf(async ({ phase }) => {
      if (phase.id === 'a') {
        await accepted;
        throw killed;
      }
      await aMoment(50);
      return DONE;
    }),
  );
  let run = '';
  const company = {
    onEvent: ({ type }: RunEvent, state: { run: string }) => {
      run = state.run;
      if (type === 'phase_accepted') resolve();
    },
  };
  await expect(stage.start(world, company)).rejects.toBe(killed);
  const before = await stage.events(world, run);
  const began = before.find(({ type, data }) => type === 'attempt_started' && 'phase' in data && data.phase === 'a');
  const ms = Date.parse(before.at(-1)?.at ?? '') - Date.parse(began?.at ?? '');
  await aMoment(30);
  const journal = await world.journal();
  await journal.append(run, { expectedSeq: before.length }, [{ type: 'cancel_requested', data: { actor: 'me' } }]);
  await resumeRun(open(agentOf(() => DONE)), run, COMPANY);
  const [cut] = facts(await stage.events(world, run), 'attempt_interrupted');
  expect(ms).toBeGreaterThan(0);
  expect(cut).toMatchObject({ phase: 'a', failure: 'orchestrator', durationMs: ms });
});
