import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, askingRun, directory, emptyWorld, Receiver, StandInGh } from '../../../test/notify.fixture.ts';
import { eventually } from '../../../test/robust-project.ts';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { workMeter } from '../../../test/work-meter.ts';
import { systemClock } from '../../adapters/clock.ts';
import type { NewEvent } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { NotifySettings } from '../../domain/plan/notify-settings.ts';
import { Simulation } from '../../domain/run/simulation.fixture.ts';
import { Messenger } from './messenger.ts';

/** As long as it takes: what close waits for comes before. */
const PATIENCE_MS = 240_000;

/** How much faster the clock of a messenger goes than ours, so that answers are looked for all the time. */
const HASTE = 300;

/** A messenger that writes into a run in memory, and what it says to whoever is at the keyboard. */
async function messengerOf(run: Simulation, parts: Partial<ConstructorParameters<typeof Messenger>[0]> = {}) {
  const world = emptyWorld();
  const said: string[] = [];
  const messenger = new Messenger({
    notifier: await world.notifier(),
    clock: { ...world.clock, monotonic: () => HASTE * world.clock.monotonic() },
    record: async (think) => {
      const fact: NewEvent | undefined = think(run.state);
      if (fact !== undefined) run.add(fact);
    },
    redact: (text) => text,
    onNotice: (text) => said.push(text),
    ...parts,
  });
  return { messenger, said };
}

function sent(run: Simulation): object[] {
  return run.events.flatMap((event) => (event.type === 'notification_sent' ? [event.data] : []));
}

async function closedPort(): Promise<string> {
  const receiver = await new Receiver().up();
  await receiver.down();
  return receiver.url;
}

describe.concurrent('telling', () => {
  it('every channel is told of every open question once, and that is recorded', async () => {
    const receiver = await new Receiver().up();
    const file = `${directory()}/told`;
    const run = askingRun(
      [{ webhook: receiver.url }, { name: 'mail', command: ['sh', '-c', `cat >> ${file}`] }],
      ['one', 'two'],
    );
    const { messenger } = await messengerOf(run);
    for (let n = 0; n < 20; n += 1) {
      await messenger.look(run.state);
      await pause(10);
    }
    await messenger.close(PATIENCE_MS);
    expect(receiver.requests).toEqual(['sim-q1', 'sim-q2']);
    expect(sent(run)).toHaveLength(4);
    expect(sent(run)).toEqual(
      expect.arrayContaining(
        ['webhook-1', 'mail'].flatMap((channel) =>
          ['sim-q1', 'sim-q2'].map((request) => ({ request, channel, tries: 1 })),
        ),
      ),
    );
  });

  it('a bell that nobody can hear counts neither as told nor as a failure', async () => {
    const run = askingRun([{ bell: true }], ['one', 'two']);
    const { messenger, said } = await messengerOf(run);
    for (let n = 0; n < 5; n += 1) {
      await messenger.look(run.state);
      await pause(10);
    }
    await messenger.close(3_600_000);
    expect(sent(run)).toEqual([]);
    expect(said).toEqual([]);
  });

  it('nobody is told of what was told before, was answered, or of a run that has ended', async () => {
    const receiver = await new Receiver().up();
    const run = askingRun([{ webhook: receiver.url }], ['one', 'two', 'three']);
    run.add({ type: 'notification_sent', data: { request: 'sim-q1', channel: 'webhook-1', tries: 1 } });
    const data = { request: 'sim-q2', option: 'A', decision: { action: 'proceed' as const }, actor: 'me' };
    run.add({ type: 'decision_taken', data });
    const { messenger } = await messengerOf(run);
    await messenger.look(run.state);
    await messenger.close(PATIENCE_MS);
    expect(receiver.requests).toEqual(['sim-q3']);
    run.add({ type: 'run_finished', data: { status: 'cancelled' } });
    const late = await messengerOf(run);
    await late.messenger.look({ ...run.state });
    await late.messenger.close(PATIENCE_MS);
    expect(receiver.received).toHaveLength(1);
  });

  it('a receiver that is down at first loses nothing, and its failure is said once', async () => {
    const receiver = await new Receiver().up();
    await receiver.down();
    const run = askingRun([{ webhook: receiver.url }], ['one', 'two']);
    const { messenger, said } = await messengerOf(run);
    await messenger.look(run.state);
    await eventually(() => said.length === 1);
    expect(sent(run)).toEqual([]);
    await receiver.up();
    await eventually(() => sent(run).length === 2);
    await messenger.close(0);
    expect(receiver.requests.toSorted()).toEqual(['sim-q1', 'sim-q2']);
    expect(said).toEqual([expect.stringMatching(/^webhook-1 could not be told of sim-q1 yet: .*ECONNREFUSED$/)]);
    expect(sent(run)).toContainEqual({ request: 'sim-q1', channel: 'webhook-1', tries: 2 });
  });

  it('a receiver that answers 500 is told again, under the same name', async () => {
    const receiver = await new Receiver((response, n) => response.writeHead(n === 1 ? 500 : 200).end('no\x1b[2J')).up();
    const run = askingRun([{ webhook: receiver.url }]);
    const { messenger, said } = await messengerOf(run);
    await messenger.look(run.state);
    await eventually(() => sent(run).length === 1);
    expect(receiver.received.map(({ headers }) => headers['x-helix-request'])).toEqual(['sim-q1', 'sim-q1']);
    expect(said[0]).toMatch(/answered 500: no$/);
  });

  it('one question that nobody takes does not hold up the others', async () => {
    const receiver = await new Receiver((response) =>
      response.writeHead(bodyOf(receiver).includes('q1') ? 400 : 200).end(),
    ).up();
    const run = askingRun([{ webhook: receiver.url }], ['one', 'two', 'three']);
    const { messenger } = await messengerOf(run);
    await messenger.look(run.state);
    await eventually(() => sent(run).length === 2);
    await messenger.close(0);
    expect(sent(run)).toMatchObject([{ request: 'sim-q2' }, { request: 'sim-q3' }]);
  });

  it('who cannot be told any more does not hold up the end for longer than it may', async () => {
    const hanging = await new Receiver(() => undefined).up();
    const run = askingRun([{ webhook: hanging.url }, { webhook: await closedPort() }, { command: ['sleep', '3600'] }]);
    const { messenger, said } = await messengerOf(run);
    await messenger.look(run.state);
    await eventually(() => said.length === 1 && hanging.received.length === 1);
    const since = performance.now();
    await messenger.close(700);
    expect(performance.now() - since).toBeGreaterThan(600);
    expect(sent(run)).toEqual([]);
    // The second webhook may be at another try when the end comes, and then says that, too.
    const first = said.filter((text) => !text.startsWith('webhook-2 could not be told of sim-q1: it did not'));
    expect(first.toSorted()).toEqual([
      expect.stringMatching(/^command-3 could not be told of sim-q1: it did not answer in time/),
      expect.stringMatching(/^webhook-1 could not be told of sim-q1: it did not answer in time/),
      expect.stringMatching(/^webhook-2 could not be told of sim-q1 yet/),
    ]);
    await messenger.look({ ...run.state });
    await pause(100);
    expect(hanging.received).toHaveLength(1);
  });

  it('what was told and could not be recorded is recorded later, not told again', async () => {
    const receiver = await new Receiver().up();
    const run = askingRun([{ webhook: receiver.url }]);
    let full = true;
    const record = async (think: (state: Simulation['state']) => NewEvent | undefined) => {
      const fact = think(run.state);
      if (full) throw new HelixError('disk_full', 'no space left');
      if (fact !== undefined) run.add(fact);
    };
    const { messenger, said } = await messengerOf(run, { record });
    await messenger.look(run.state);
    await eventually(() => said.length === 1);
    full = false;
    await eventually(() => sent(run).length === 1);
    expect(receiver.received).toHaveLength(1);
  });

  it('a channel that the plan has no more is told nothing more, a new one everything that is open', async () => {
    const receiver = await new Receiver().up();
    const run = askingRun([{ webhook: await closedPort() }]);
    const { messenger, said } = await messengerOf(run);
    await messenger.look(run.state);
    await eventually(() => said.length === 1);
    await messenger.look({ ...run.state, notify: [{ webhook: receiver.url }] });
    await eventually(() => sent(run).length === 1);
    await messenger.close(PATIENCE_MS);
    expect(receiver.received).toHaveLength(1);
  });

  it('what breaks inside is not kept silent', async () => {
    const run = askingRun([{ command: ['true'] }]);
    let isBroken = false;
    const record = async () => {
      isBroken = true;
      throw new TypeError('broken');
    };
    const { messenger } = await messengerOf(run, { record });
    await messenger.look(run.state);
    await eventually(() => isBroken);
    await expect(messenger.look(run.state)).rejects.toThrow('broken');
  });

  it('looking costs next to nothing while there is nothing new', async () => {
    const run = askingRun([{ bell: true }, { command: ['true'] }]);
    for (let n = 0; n < 500; n += 1) ask(run, 'one');
    const { messenger } = await messengerOf(run);
    const bells: NotifySettings[] = [];
    const state = { ...run.state, notify: bells };
    const work = workMeter();
    for (let n = 0; n < 1000; n += 1) await messenger.look(state);
    expect(work()).toBeLessThan(100);
  });
});

function bodyOf({ received }: Receiver): string {
  return received.at(-1)?.headers['x-helix-request']?.toString() ?? '';
}

describe('hearing', () => {
  const GITHUB = { github: { repo: 'acme/shop', issue: 7, users: ['octocat'] } };

  async function withGh(work: (gh: StandInGh) => Promise<void>): Promise<void> {
    const gh = new StandInGh();
    const before = process.env.PATH;
    process.env.PATH = `${gh.dir}:${before}`;
    try {
      await work(gh);
    } finally {
      process.env.PATH = before;
    }
  }

  it('answers are asked for only every so often', async () => {
    await withGh(async (gh) => {
      const run = askingRun([GITHUB]);
      const { messenger } = await messengerOf(run, { clock: { ...systemClock, monotonic: () => 0 } });
      await messenger.look(run.state);
      await eventually(() => sent(run).length === 1);
      for (let n = 0; n < 4; n += 1) {
        await messenger.look({ ...run.state });
        await eventually(() => gh.calls.length === 2);
        await pause(150);
      }
      await messenger.close(PATIENCE_MS);
      expect(gh.calls).toHaveLength(2);
    });
  });

  it('a reply on GitHub is heard', async () => {
    await withGh(async (gh) => {
      const run = askingRun([GITHUB]);
      const { messenger, said } = await messengerOf(run);
      await messenger.look(run.state);
      await eventually(() => sent(run).length === 1);
      gh.says('mallory', '/helix B');
      gh.says('octocat', '/helix C');
      gh.says('octocat', '/helix A go on');
      const heard: unknown[] = [];
      await eventually(async () => heard.push(...(await messenger.look(run.state))) > 0);
      await messenger.close(PATIENCE_MS);
      expect(heard[0]).toEqual({ request: 'sim-q1', option: 'A', comment: 'go on', actor: 'github:octocat' });
      expect(said).toEqual(['comment 3 of octocat on acme/shop#7 does not count: sim-q1 has no option C']);
    });
  });

  it('a reply that cannot be taken is said once, and the next one is heard', async () => {
    await withGh(async (gh) => {
      const run = new Simulation(samplePlan([samplePhase('one')]), { notify: [GITHUB] });
      const more = { effort: 'none', recommended: false };
      const options = [
        { id: 'A', description: 'Try again', ...more, decision: { action: 'retry' as const } },
        { id: 'E', description: 'Accept it', ...more, decision: { action: 'accept' as const } },
      ];
      const about = {
        request: 'sim-q1',
        phase: 'one',
        level: 'stufe-2',
        reason: 'rejected',
        question: 'How?',
      } as const;
      run.add({ type: 'human_asked', data: { ...about, options } });
      const { messenger, said } = await messengerOf(run);
      await messenger.look(run.state);
      await eventually(() => sent(run).length === 1);
      gh.says('octocat', '/helix E');
      await eventually(async () => (await messenger.look(run.state)).length > 0 || said.length > 0);
      gh.says('octocat', '/helix A go on');
      const heard: unknown[] = [];
      await eventually(async () => heard.push(...(await messenger.look(run.state))) > 0);
      await messenger.close(PATIENCE_MS);
      expect(heard[0]).toEqual({ request: 'sim-q1', option: 'A', comment: 'go on', actor: 'github:octocat' });
      expect(said).toEqual([expect.stringContaining('comment 2 of octocat on acme/shop#7 does not count: option E')]);
    });
  });

  it('what was heard while the end came is not lost', async () => {
    await withGh(async (gh) => {
      const run = askingRun([GITHUB]);
      const first = (await messengerOf(run)).messenger;
      await first.look(run.state);
      await first.close(PATIENCE_MS);
      gh.says('octocat', '/helix B');
      const { messenger } = await messengerOf(run);
      expect(await messenger.look(run.state)).toEqual([]);
      expect(await messenger.close(PATIENCE_MS)).toMatchObject([{ request: 'sim-q1', option: 'B' }]);
      expect(gh.comments).toHaveLength(2);
    });
  });
});
