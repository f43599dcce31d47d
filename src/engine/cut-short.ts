import { HelixError } from '../domain/helix-error.ts';
import type { Cost, NewEvent } from '../domain/run-event.ts';
import type { AttemptState, RunState } from '../domain/run-state.ts';
import type { Agent, Files } from '../ports.ts';
import { transcriptPath } from '../report/run-paths.ts';

type Sources = { readonly files: Files; readonly agent: (name: string) => Promise<Agent> };

/** Attempts nobody is working on any more: closed without counting, since HELIX itself was stopped. */
export async function cutShort(state: RunState, sources: Sources): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const { id, current } of state.phases) {
    if (current?.stage !== 'open') continue;
    events.push({
      type: 'attempt_interrupted',
      data: {
        phase: id,
        attempt: current.attempt,
        failure: 'orchestrator',
        message: 'HELIX was stopped while the agent worked',
        cost: state.simulated ? { usd: 0, basis: 'simulated' } : await costOf(id, current, sources),
        durationMs: 0,
      },
    });
  }
  return events;
}

/** What the attempt had said of its cost before it was cut short. */
async function costOf(phase: string, { agent, attempt }: AttemptState, sources: Sources): Promise<Cost> {
  try {
    const { costOf: read } = await sources.agent(agent);
    return read?.(await sources.files.readLines(transcriptPath(phase, attempt))) ?? { basis: 'unknown' };
  } catch (error) {
    // An agent that is gone, or a transcript nobody can read, tells nothing; whoever goes on needs neither.
    if (!(error instanceof HelixError)) throw error;
    return { basis: 'unknown' };
  }
}
