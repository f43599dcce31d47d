import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Stage } from '../../../test/run-scenario.ts';
import { systemClock } from '../../adapters/clock.ts';
import type { NewEvent, RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Move } from '../../domain/plan/script.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { World } from '../../ports/world.ts';
import type { Company } from '../run.ts';

const MINUTE = 60_000;
const LIMITED: Move = { result: 'rate_limit' };
const DONE: Move = { writes: { 'output/a.txt': 'a' } };

/** A clock on which a quarter of an hour is soon over. */
function fastClock(speed: number): Clock {
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() * speed,
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}

type Phase = { id: string } & Record<string, unknown>;

/** A run of these phases; it is told when it parks and for how long, and what happened when by its clock. */
async function play(
  phases: readonly Phase[],
  script: Record<string, Move[]>,
  more: Partial<Company> & {
    onWait?: (world: World, run: string) => void;
    budget?: object;
    speed?: number;
    /** When the agent says that it is worth another try. */
    until?: string;
  } = {},
) {
  const stage = new Stage('parked');
  onTestFinished(() => stage.dispose());
  const plan = {
    project: { name: 'x' },
    workspace: 'phase-dirs',
    phases: phases.map((phase) => ({ type: 'development', ...phase })),
  };
  // On this clock an agent seems to work for hours.
  const budget = { minutes: 1_000_000, ...more.budget };
  writeFileSync(join(stage.dir, 'phases.yaml'), JSON.stringify({ ...plan, budget }));
  writeFileSync(join(stage.dir, 'scripted.yaml'), JSON.stringify({ phases: script }));
  const clock = fastClock(more.speed ?? 10_000);
  const world = saying(more.until, { ...stage.world(), clock });
  onTestFinished(() => world.close());
  const delays: number[] = [];
  const lasted: number[] = [];
  let parkedAt = 0;
  let run = '';
  const end = await stage.start(world, {
    wait: true,
    ...more,
    onEvent: (event: RunEvent, state: RunState) => {
      run = state.run;
      if (event.type === 'run_resumed') lasted.push(clock.monotonic() - parkedAt);
    },
    onParked: (message, delay) => {
      expect(message).toBe('as the script says');
      parkedAt = clock.monotonic();
      delays.push(delay / MINUTE);
      more.onWait?.(world, run);
    },
  });
  const events = await stage.events(world, end.run);
  expect(end).toEqual(replay(events));
  return { end, delays, lasted, types: events.map(({ type }) => type) };
}

/** A world whose agents say when they are worth another try, if they are told to. */
function saying(until: string | undefined, world: World): World {
  if (until === undefined) return world;
  const agent: World['agent'] = async (settings) => {
    const scripted = await world.agent(settings);
    const perform: Agent['perform'] = async (task) => {
      const end = await scripted.perform(task);
      return end.kind === 'interrupted' ? { ...end, until } : end;
    };
    return { driver: 'scripted', simulated: true, perform };
  };
  return { ...world, agent };
}

function tell(world: World, run: string, event: NewEvent): void {
  void world
    .journal()
    .then(async (journal) => journal.append(run, { expectedSeq: await journal.headSeq(run) }, [event]));
}

test('a run that is parked for a quota goes on by itself, later and later up to a quarter of an hour', async () => {
  const script = { one: [...Array.from({ length: 6 }, () => LIMITED), DONE] };
  const { end, delays, lasted } = await play([{ id: 'one' }], script);
  expect(end.ended?.status).toBe('passed');
  expect(delays).toEqual([1, 2, 4, 8, 15, 15]);
  for (const [index, delay] of delays.entries()) expect(lasted[index]).toBeGreaterThanOrEqual(delay * MINUTE);
});

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE).toISOString();
}

test.each<[what: string, minutes: number, least: number, most: number]>([
  ['until then and a little longer', 30, 29, 30.1],
  ['a day at most', 48 * 60, 24 * 60, 24 * 60],
  ['as if nothing had been said when that has passed', -10, 1, 1],
])('a run that is told when it is worth another try waits %s', async (_what, minutes, least, most) => {
  const until = inMinutes(minutes);
  const { end, delays } = await play([{ id: 'one' }], { one: [LIMITED, DONE] }, { until, speed: 1_000_000 });
  expect(end.ended?.status).toBe('passed');
  expect(delays).toHaveLength(1);
  expect(delays[0]).toBeGreaterThanOrEqual(least);
  expect(delays[0]).toBeLessThanOrEqual(most);
});

test('who does not wait is told the time', async () => {
  const until = inMinutes(30);
  const { end } = await play([{ id: 'one' }], { one: [LIMITED] }, { until, wait: false });
  expect(end.parked).toEqual({ reason: 'quota', message: 'as the script says', until });
});

test('once it has got on it starts with the shortest wait again', async () => {
  const script = { one: [LIMITED, LIMITED, DONE], two: [LIMITED, DONE] };
  const { end, delays } = await play([{ id: 'one' }, { id: 'two' }], script);
  expect(end.ended?.status).toBe('passed');
  expect(delays).toEqual([1, 2, 1]);
});

test('it gives up after about a day and stays parked', async () => {
  const { end, delays } = await play([{ id: 'one' }], { one: [LIMITED] }, { speed: 200_000 });
  expect(end).toMatchObject({ parked: { reason: 'quota' }, interrupted: false });
  expect(delays).toHaveLength(100);
});

test('it is cancelled while it waits', async () => {
  const onWait = (world: World, run: string) => tell(world, run, { type: 'cancel_requested', data: { actor: 'me' } });
  const { end, types } = await play([{ id: 'one' }], { one: [LIMITED] }, { onWait });
  expect(end.ended?.status).toBe('cancelled');
  expect(types.slice(-2)).toEqual(['cancel_requested', 'run_finished']);
});

test('it is interrupted while it waits, and is still parked for whoever takes it up', async () => {
  const stop = new AbortController();
  const options = { stop: stop.signal, onWait: () => stop.abort('SIGINT') };
  const { end, delays, types } = await play([{ id: 'one' }], { one: [LIMITED] }, options);
  expect(end).toMatchObject({ interrupted: true, parked: { reason: 'quota' } });
  expect(delays).toEqual([1]);
  expect(types).not.toContain('run_resumed');
});

test('other phases are worked on meanwhile, and an answer to a question is taken up', async () => {
  const phases = [{ id: 'one' }, { id: 'two', depends_on: [], requires_approval: true }];
  const onWait = async (world: World, run: string) => {
    const [{ request } = { request: '' }] = await (await world.journal()).waiting();
    const decision = { request, option: 'A', decision: { action: 'proceed' as const }, actor: 'me' };
    tell(world, run, { type: 'decision_taken', data: decision });
  };
  const { end, types } = await play(phases, { one: [LIMITED, DONE], two: [DONE] }, { onWait });
  expect(end.ended?.status).toBe('passed');
  expect(types.indexOf('decision_taken')).toBeLessThan(types.indexOf('run_resumed'));
});

test('it does not wait for a budget: time does not fill that up', async () => {
  const { end, delays } = await play(
    [{ id: 'one' }, { id: 'two' }],
    { one: [DONE], two: [DONE] },
    { budget: { attempts: 1 } },
  );
  expect(end.parked?.reason).toBe('budget');
  expect(delays).toEqual([]);
});

test('it does not wait unless it is told to', async () => {
  const { end, delays } = await play([{ id: 'one' }], { one: [LIMITED, DONE] }, { wait: false });
  expect(end.parked?.reason).toBe('quota');
  expect(delays).toEqual([]);
});
