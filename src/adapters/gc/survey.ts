import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { Journal, RunRow } from '../../ports/journal.ts';
import { isHeld, lockedWork } from '../repo/work/work-lock.ts';
import { visitLives } from '../visit.ts';

/** A run, who works on it, and what its journal names. */
export type KnownRun = {
  readonly row: RunRow;
  readonly owned: boolean;
  /** Absent where the journal cannot be read. */
  readonly state?: RunState;
  /** Everything in its facts that could be the name of a tree or a commit. */
  readonly names: ReadonlySet<string>;
};

/** Who is alive in a project: runs with an owner, runs that are just starting, and visitors. */
export type Survey = {
  readonly runs: readonly KnownRun[];
  /** Tells of the name of a run or a visit whether somebody works under it. */
  readonly lives: (name: string) => boolean;
  /** Somebody works in the project, be it in a run that no journal knows yet. */
  readonly someoneWorks: boolean;
  /** A run is starting: what its processes are called is not known yet. */
  readonly someoneStarts: boolean;
};

/** What a run is called becomes part of paths; a journal that came with somebody's files may say anything. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;
const ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Looks around once. What is found dead must be claimed before it is touched: somebody may come back to it. */
export async function survey(journal: Journal | undefined, cacheDir: string): Promise<Survey> {
  const held = lockedWork(cacheDir).filter((name) => visitLives(name) ?? isHeld(cacheDir, name));
  const runs: KnownRun[] = [];
  for (const row of (await journal?.list()) ?? []) {
    if (journal !== undefined && NAME.test(row.run)) runs.push(await look(journal, row));
  }
  const known = new Set(runs.map(({ row }) => row.run));
  const alive = new Set([...held, ...runs.filter(({ owned }) => owned).map(({ row }) => row.run)]);
  return {
    runs,
    lives: (name) => visitLives(name) ?? alive.has(name),
    someoneWorks: alive.size > 0,
    someoneStarts: held.some((name) => !known.has(name) && visitLives(name) === undefined),
  };
}

async function look(journal: Journal, row: RunRow): Promise<KnownRun> {
  const owned = (await journal.owner(row.run)) !== undefined;
  try {
    const events = await journal.read(row.run);
    const state = replay(events);
    return { row, owned, names: namesIn(events), ...present({ state }) };
  } catch (error) {
    if (error instanceof HelixError) return { row, owned, names: new Set() };
    throw error;
  }
}

/** Looks everywhere: a fact of a kind that is yet to come is not forgotten here. */
function namesIn(events: readonly RunEvent[]): Set<string> {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      if (ID.test(value)) names.add(value);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  for (const { data } of events) walk(data);
  return names;
}
