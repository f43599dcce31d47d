import type { RunState } from '../../domain/facts/run-state.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { PreparedRun } from '../../engine/start/prepare-run.ts';
import type { World } from '../../ports/world.ts';
import type { Sample } from '../../report/run/expectation.ts';
import { sharesOf } from '../../report/run/shares.ts';
import { spendingOf } from '../../report/words/cost.ts';

/** Older ones say less, and reading them takes time before anything starts. */
const MOST = 20;
const MOST_READ = 40;

/** What the newest tasks of the same kind took that came to a result here. */
export async function likeRuns(world: World, prepared: PreparedRun): Promise<Sample[]> {
  const journal = world.hasJournal() ? await world.journal() : undefined;
  const ended = ((await journal?.list()) ?? []).filter(({ status }) => status === 'passed').slice(0, MOST_READ);
  const samples: Sample[] = [];
  for (const { run } of ended) {
    const events = (await journal?.read(run)) ?? [];
    const state = replay(events);
    if (state === undefined || !isLike(state, prepared)) continue;
    samples.push({ ms: sharesOf(events).totalMs, spending: spendingOf(state) });
    if (samples.length === MOST) break;
  }
  return samples;
}

function isLike(state: RunState, next: PreparedRun): boolean {
  const { source, plan, simulated } = state;
  const isKind = source.path === TASK_SOURCE && plan.project.type === next.plan.project.type;
  const isSame = isJudged(plan) === isJudged(next.plan) && isPlanned(plan) === isPlanned(next.plan);
  return isKind && simulated === next.simulated && isSame && isSameCrew(state, next);
}

type Crew = Pick<RunState, 'agents' | 'creator' | 'judges'> & { readonly model?: string | undefined };

/** Another agent or model works for another time and price. */
function isSameCrew({ agents, creator, judges, model }: Crew, { options, ...next }: PreparedRun): boolean {
  const now = { ...next, model: options.model };
  const before = { agents, creator, judges, model };
  return (
    workerOf(before, creator) === workerOf(now, now.creator) &&
    workerOf(before, judges.reviewer) === workerOf(now, now.judges.reviewer)
  );
}

function workerOf({ agents, model }: Crew, name: string): string {
  return JSON.stringify([name, agents[name]?.driver, model ?? agents[name]?.model]);
}

/** A meeting takes time and money of its own, and so does all that it adds to the plan. */
function isPlanned({ phases }: RunState['plan']): boolean {
  return phases.some(({ generatesPhases }) => generatesPhases);
}

/** So does a judge. */
function isJudged({ phases }: RunState['plan']): boolean {
  return phases.some(({ gates }) => gates.some(({ type }) => type === 'approval'));
}
