import { type RunStatus, runStatus } from '../domain/facts/run-state.ts';
import { replay } from '../domain/run/evolve.ts';
import type { World } from '../ports/world.ts';

/** A run in a list of runs. */
export type ListedRun = {
  readonly run: string;
  readonly project: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly updatedAt: string;
  /** How many questions of it wait for a human. */
  readonly openRequests: number;
  /** What a `helix do` was asked for, in a line, and the branch it works for. */
  readonly task?: string;
  readonly branch?: string;
};

/** The runs of a project, newest first. */
export async function listRuns(world: World): Promise<ListedRun[]> {
  const journal = world.hasJournal() ? await world.journal() : undefined;
  const runs: ListedRun[] = [];
  for (const { createdAt, status, ...row } of (await journal?.list()) ?? []) {
    const { run } = row;
    const state = status === 'open' && journal !== undefined ? replay(await journal.read(run)) : undefined;
    const owned = state !== undefined && (await journal?.owner(run)) !== undefined;
    const known = status === 'open' ? 'interrupted' : status;
    const shown = state === undefined ? known : runStatus(state, owned);
    runs.push({ ...row, status: shown, startedAt: createdAt });
  }
  return runs;
}
