import { HelixError } from '../domain/helix-error.ts';
import { type Cost, EXTERNAL_EVENTS, type NewEvent, type RunEvent } from '../domain/run-event.ts';
import type { AttemptState, RunState } from '../domain/run-state.ts';
import type { Agent, Files } from '../ports.ts';
import { transcriptPath } from '../report/run-paths.ts';
import { wallLimit } from './wall-limit.ts';

type Sources = { readonly files: Files; readonly agent: (name: string) => Promise<Agent> };

/** Attempts nobody is working on any more: closed without counting, since HELIX itself was stopped. */
export async function cutShort(state: RunState, events: readonly RunEvent[], sources: Sources): Promise<NewEvent[]> {
  // What people add to a run does not tell how long HELIX was there.
  const lastFact = events.findLast(({ type }) => !EXTERNAL_EVENTS.has(type))?.at ?? state.startedAt;
  const cut: NewEvent[] = [];
  for (const { id, current } of state.phases) {
    if (current?.stage !== 'open') continue;
    cut.push({
      type: 'attempt_interrupted',
      data: {
        phase: id,
        attempt: current.attempt,
        failure: 'orchestrator',
        message: 'HELIX was stopped while the agent worked',
        cost: state.simulated ? { usd: 0, basis: 'simulated' } : await costOf(id, current, sources),
        durationMs: Math.min(wallOf(id, current, state), await timeOf(id, current, { lastFact, files: sources.files })),
      },
    });
  }
  return cut;
}

function wallOf(id: string, { reservedMs }: AttemptState, { plan }: RunState): number {
  const phase = plan.phases.find((each) => each.id === id);
  return phase === undefined ? 0 : wallLimit(phase, reservedMs).ms;
}

type Traces = { readonly lastFact: string; readonly files: Files };

/** How long an attempt is known to have worked: until the last thing its agent said, or the last fact of the run. */
async function timeOf(
  phase: string,
  { attempt, startedAt }: AttemptState,
  { lastFact, files }: Traces,
): Promise<number> {
  const said = await orUnknown(() => files.changedAt(transcriptPath(phase, attempt)));
  return Math.max(0, Math.round(Math.max(said ?? 0, Date.parse(lastFact)) - Date.parse(startedAt)));
}

/** What the attempt had said of its cost before it was cut short. */
async function costOf(phase: string, { agent, attempt }: AttemptState, sources: Sources): Promise<Cost> {
  const cost = await orUnknown(async () => {
    const { costOf: read } = await sources.agent(agent);
    return read?.(await sources.files.readLines(transcriptPath(phase, attempt)));
  });
  return cost ?? { basis: 'unknown' };
}

/** An agent that is gone, or a transcript nobody can read, tells nothing; whoever goes on needs neither. */
async function orUnknown<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return undefined;
  }
}
