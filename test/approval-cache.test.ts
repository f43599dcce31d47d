import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOlderThan } from '../src/adapters/disk/older-than.ts';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import type { Agent, AgentTask } from '../src/ports/agent.ts';
import type { Journal } from '../src/ports/journal.ts';
import type { World } from '../src/ports/world.ts';
import { helix } from './helix-process.ts';
import { FAST, Stage } from './run-scenario.ts';

/** The scripted agent, which counts how often it judges and says that it is real: what is simulated is never remembered. */
class Counting {
  asked = 0;
  readonly #version: string;

  constructor(version = '1.0.0') {
    this.#version = version;
  }

  world(world: World): World {
    return { ...world, agent: async (settings) => this.#wrap(await world.agent(settings)) };
  }

  #wrap(agent: Agent): Agent {
    const perform = (task: AgentTask) => {
      if (task.role !== 'creator') this.asked += 1;
      return agent.perform(task);
    };
    return { driver: agent.driver, simulated: false, version: this.#version, perform };
  }
}

let stage: Stage;
let cache = '';
const before = process.env.XDG_CACHE_HOME;
const beforeState = process.env.XDG_STATE_HOME;
beforeEach(() => {
  cache = mkdtempSync(join(FAST, 'helix-cache-'));
  process.env.XDG_CACHE_HOME = cache;
  process.env.XDG_STATE_HOME = join(cache, 'state');
  stage = new Stage('approval-remembered');
});
afterEach(() => {
  stage.dispose();
  process.env.XDG_CACHE_HOME = before;
  if (beforeState === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = beforeState;
  rmSync(cache, { recursive: true, force: true });
});

/** Plays the scenario to its end and tells how often a judge was asked, and what came of it. */
async function play(agent = new Counting(), wrap?: (journal: Journal) => Journal) {
  const world = agent.world(stage.world(wrap));
  const { run } = await stage.play(world);
  const events = await stage.events(world, run);
  world.close();
  await sealed();
  return { asked: agent.asked, cached: cachedIn(events), ids: idsIn(events), run, status: events.at(-1)?.data };
}

/** Resolves once what is remembered is older than any run that begins: files are stamped with the time of the last tick. */
async function sealed(): Promise<void> {
  const dir = join(cache, 'helix/approvals');
  const stamps = existsSync(dir) ? readdirSync(dir).map((name) => statSync(join(dir, name)).ctimeMs) : [];
  while (stamps.some((stamp) => !isOlderThan(stamp, Date.now()))) await pause(1);
}

function cachedIn(events: readonly RunEvent[]): boolean[] {
  return events.flatMap((event) => (event.type === 'approval_finished' ? [event.data.result.cached] : []));
}

function idsIn(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'approval_finished' ? [event.data.approval] : []));
}

function edit(path: string, change: (text: string) => string): void {
  const file = join(stage.dir, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

describe('an unchanged question', () => {
  it('is asked once: the next run has the answer from the cache, and no judge starts', async () => {
    expect(await play()).toMatchObject({ asked: 1, cached: [false], status: { status: 'passed' } });
    expect(await play()).toMatchObject({ asked: 0, cached: [true], status: { status: 'passed' } });
  });

  it.each([
    'the approval',
    'one that was given again from the cache',
  ])('is asked anew once %s was marked as having missed something', async (which) => {
    const first = await play();
    const again = await play();
    expect(again).toMatchObject({ asked: 0, cached: [true] });
    const [id = ''] = which === 'the approval' ? first.ids : again.ids;
    expect(
      await helix(['approve', 'mark', id, 'missed'], { cwd: stage.dir, env: { XDG_STATE_HOME: join(cache, 'state') } }),
    ).toMatchObject({
      code: 0,
    });
    expect(await play()).toMatchObject({ asked: 1, cached: [false] });
  });

  it('says so when nobody knows any more what a marked approval was an answer to', async () => {
    const { ids, run } = await play();
    writeFileSync(join(stage.dir, `.helix/runs/${run}/approvals/${ids[0]}/record.json`), '{"key": "../../x"}');
    const env = { XDG_STATE_HOME: join(cache, 'state') };
    const { code, stderr } = await helix(['approve', 'mark', ids[0] ?? '', 'missed'], { cwd: stage.dir, env });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('--no-cache asks anew') });
  });

  it('is not asked again wherever a run is cut', async () => {
    await play();
    const agent = new Counting();
    for (let at = 1; at <= 8; at += 1) {
      const doomed = agent.world(stage.world((journal) => cutting(journal, at)));
      await stage.play(doomed).catch(() => undefined);
      doomed.close();
      const world = agent.world(stage.world());
      const [row] = await (await world.journal()).list();
      if (row !== undefined) await stage.finish(world, row.run);
      world.close();
    }
    expect(agent.asked).toBe(0);
  });
});

/** A journal that takes its first facts and no more. */
function cutting(journal: Journal, at: number): Journal {
  let count = 0;
  const bound = Object.create(journal) as Journal;
  for (const name of ['create', 'own', 'owner', 'read', 'headSeq', 'list', 'close'] as const)
    Object.assign(bound, { [name]: (...args: never[]) => (journal[name] as (...all: never[]) => unknown)(...args) });
  return Object.assign(bound, {
    append: async (...args: Parameters<Journal['append']>) => {
      count += 1;
      if (count > at) throw new Error('cut');
      return journal.append(...args);
    },
  });
}

describe('another question is asked anew', () => {
  it.each<[what: string, change: () => Counting | undefined]>([
    ['other content', () => void edit('scripted.yaml', (text) => text.replace('Dear reader', 'Dear readers'))],
    ['another definition', () => void edit('approvals/tone/CLAUDE.md', (text) => `${text}\nBe strict.\n`)],
    ['another check', () => void edit('approvals/tone/checks/kind.md', (text) => `${text}\nIrony is a warning.\n`)],
    ['other conventions', () => void writeFileSync(join(stage.dir, 'AGENTS.md'), 'Write plainly.\n')],
    ['another language', () => void edit('helix.yaml', (text) => `${text}language: de\n`)],
    ['another model', () => void settings('{ model: opus }')],
    ['another confidence', () => void settings('{ required_confidence: 0.7 }')],
    ['another version of the agent', () => new Counting('2.0.0')],
    ['other walls', () => void edit('helix.yaml', (text) => `${text}sandbox: none\n`)],
  ])('%s', async (_what, change) => {
    await play();
    const agent = change() ?? new Counting();
    expect(await play(agent)).toMatchObject({ asked: 1, cached: [false] });
  });

  function settings(text: string): void {
    edit('config/approvals.yaml', () => `approvals:\n  tone: ${text}\n`);
  }

  it('a rejection is never remembered', async () => {
    edit('scripted.yaml', (text) => text.replace('result: approved', 'result: needs_revision'));
    expect((await play()).asked).toBe(1);
    expect((await play()).asked).toBe(1);
  });

  it('what a simulated judge said is never remembered', async () => {
    const world = stage.world();
    for (let round = 0; round < 2; round += 1) {
      const { run } = await stage.play(world);
      expect(cachedIn(await stage.events(world, run))).toEqual([false]);
    }
    world.close();
  });
});
