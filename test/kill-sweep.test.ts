import { afterEach, describe, expect, it } from 'vitest';
import { carries } from '../src/adapters/programs/process-table.ts';
import { allGone } from '../src/adapters/programs/process-tree.ts';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import type { Journal } from '../src/ports/journal.ts';
import { acceptedTrees, essence, judgedTwice } from './essence.ts';
import { DEEP, repetitions } from './repetitions.ts';
import { SCENARIOS, Stage } from './run-scenario.ts';

/** As long as it takes, and less than the test may: what does not end by itself is counted after that. */
const PATIENCE_MS = 120_000;

/** What is thrown where a killed process would simply be gone. */
class Cut extends Error {}

type Side = 'before' | 'after';

/** A journal that dies at its k-th append, before or after it is durable, and takes nothing more; the lock dies with it. */
function cutting(journal: Journal, at: number, side: Side): Journal {
  let count = 0;
  const dying = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1;
    if (count > at || (count === at && side === 'before')) throw new Cut();
    const result = await work();
    if (count === at) throw new Cut();
    return result;
  };
  return Object.assign(Object.create(journal) as Journal, {
    create: async (...args: Parameters<Journal['create']>) => {
      let release: (() => void) | undefined;
      try {
        return await dying(async () => {
          const created = await journal.create(...args);
          release = () => created.ownership.release();
          return created;
        });
      } catch (error) {
        release?.();
        throw error;
      }
    },
    append: (...args: Parameters<Journal['append']>) => dying(() => journal.append(...args)),
    own: (...args: Parameters<Journal['own']>) => journal.own(...args),
    owner: (...args: Parameters<Journal['owner']>) => journal.owner(...args),
    read: (...args: Parameters<Journal['read']>) => journal.read(...args),
    headSeq: (...args: Parameters<Journal['headSeq']>) => journal.headSeq(...args),
    list: () => journal.list(),
    close: () => journal.close(),
  });
}

async function cutAndFinish(scenario: string, at: number, side: Side) {
  const stage = new Stage(scenario);
  try {
    const doomed = stage.world((journal) => cutting(journal, at, side));
    await stage.play(doomed).catch((error: unknown) => {
      if (!(error instanceof Cut)) throw error;
    });
    doomed.close();
    const world = stage.world();
    const [row] = await (await world.journal()).list();
    const state = row === undefined ? await stage.play(world) : await stage.finish(world, row.run);
    const events = await stage.events(world, state.run);
    // The git that reads objects was told to end with the run, and does so a moment later.
    await allGone((table) => table.filter((row) => carries(row, state.marker)), PATIENCE_MS);
    const left = await (await world.processes()).endMarked(state.marker);
    world.close();
    return { events, left, state };
  } finally {
    stage.dispose();
  }
}

/** Scenarios that start many programs are cut only where it is harder: when something was done but not yet recorded. */
const SLOW =
  /^(repo-|do-|lost-tests|broken-syntax|verified|adr-semantic|approval-(?!gate$|sent-back$)|consultant-(?!retry$)|error-pattern|human-)/;

/** With open questions, every append counts. */
const EVERY = /^meeting$/;

/** So many cuts of each scenario, evenly spread; kill-every-point.deep.ts makes all of them, and for real. */
const MOST = repetitions(4, 8);
const MOST_IF_SLOW = repetitions(2, 8);
const MOST_IN_REPOSITORY = repetitions(1, 8);

function cuts(scenario: string, appends: number): { at: number; side: Side }[] {
  const all = Array.from({ length: appends }, (_, index) => index + 1).flatMap((at) =>
    (['before', 'after'] as const).map((side) => ({ at, side })),
  );
  const slow = SLOW.test(scenario);
  const kept = slow ? all.filter(({ side }) => side === 'before') : all;
  if (EVERY.test(scenario)) return DEEP ? all : all.filter(({ side }) => side === 'before');
  const most = /^(repo|do)-/.test(scenario) ? MOST_IN_REPOSITORY : slow ? MOST_IF_SLOW : MOST;
  const step = Math.max(1, kept.length / most);
  return Array.from(
    { length: Math.min(most, kept.length) },
    (_, index) => kept[Math.floor((index + 0.5) * step)],
  ).filter((cut) => cut !== undefined);
}

/** What somebody said in mid-run: neither lost nor said twice. */
function saidIn(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'guidance_given' ? [event.data.words] : []));
}

describe.each(SCENARIOS)('the scenario %s, cut at its appends', (scenario) => {
  let stage: Stage | undefined;
  afterEach(() => stage?.dispose());

  it('comes to the same judgements and the same end, judges nothing twice and leaves no process', async () => {
    stage = new Stage(scenario);
    let appends = 0;
    const world = stage.world((journal) => {
      const counted = cutting(journal, Number.POSITIVE_INFINITY, 'before');
      return Object.assign(Object.create(counted) as Journal, counted, {
        create: (...args: Parameters<Journal['create']>) => {
          appends += 1;
          return counted.create(...args);
        },
        append: (...args: Parameters<Journal['append']>) => {
          appends += 1;
          return counted.append(...args);
        },
      });
    });
    const { run } = await stage.play(world);
    const uncut = await stage.events(world, run);
    const whole = { essence: essence(uncut), trees: acceptedTrees(uncut) };
    world.close();
    for (const { at, side } of cuts(scenario, appends)) {
      const { events, left } = await cutAndFinish(scenario, at, side);
      const where = `cut ${side} append ${at} of ${appends}`;
      expect({ where, essence: essence(events), trees: acceptedTrees(events) }).toEqual({ where, ...whole });
      expect({ where, again: judgedTwice(events), left }).toEqual({ where, again: [], left: 0 });
      expect({ where, said: saidIn(events) }).toEqual({ where, said: saidIn(uncut) });
    }
  });
});
