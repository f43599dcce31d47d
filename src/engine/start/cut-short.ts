import { type Cost, EXTERNAL_EVENTS, type NewEvent, type RunEvent } from '../../domain/facts/run-event.ts';
import type { Asking, AttemptState, RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { CONSULTANT } from '../../domain/run/evolve-escalation.ts';
import { calledIn } from '../../domain/run/evolve-meeting.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Files } from '../../ports/files.ts';
import { approvalPath, consultationPath, meetingPath, transcriptPath } from '../../report/words/run-paths.ts';
import { wallLimit } from '../step/wall-limit.ts';

type Sources = { readonly files: Files; readonly agent: (name: string) => Promise<Agent> };

/** Attempts nobody is working on any more: closed without counting, since HELIX itself was stopped. */
export async function cutShort(state: RunState, events: readonly RunEvent[], sources: Sources): Promise<NewEvent[]> {
  // What people add to a run does not tell how long HELIX was there.
  const lastFact = events.findLast(({ type }) => !EXTERNAL_EVENTS.has(type))?.at ?? state.startedAt;
  const cut: NewEvent[] = [];
  for (const { id, current, asking } of state.phases) {
    for (const judge of asking) cut.push(await cutJudge(judge, { phase: id, current, state, lastFact, sources }));
    if (current?.stage !== 'open') continue;
    const known = { ...current, path: transcriptPath(id, current.attempt) };
    cut.push({
      type: 'attempt_interrupted',
      data: {
        phase: id,
        attempt: current.attempt,
        failure: 'orchestrator',
        message: 'HELIX was stopped while the agent worked',
        cost: state.simulated ? { usd: 0, basis: 'simulated' } : await costOf(known, sources),
        durationMs: Math.min(wallOf(id, current, state), await timeOf(known, { lastFact, files: sources.files })),
      },
    });
  }
  return cut;
}

type CutJudge = {
  readonly phase: string;
  readonly current: AttemptState | undefined;
  readonly state: RunState;
  readonly lastFact: string;
  readonly sources: Sources;
};

async function cutJudge(
  { approval, of, agent, startedAt, reservedMs = Number.POSITIVE_INFINITY }: Asking,
  { phase, current, state, lastFact, sources }: CutJudge,
): Promise<NewEvent> {
  const consulted = of === CONSULTANT;
  const met = calledIn(of);
  const judged = consulted ? consultationPath(phase, approval) : approvalPath(approval);
  const dir = met === undefined ? judged : meetingPath(phase, approval);
  const known = { agent, path: `${dir}/transcript.jsonl`, startedAt };
  const cut = {
    ...{ phase, attempt: current?.attempt ?? 1, failure: 'orchestrator' as const },
    message: `HELIX was stopped while the ${consulted || met !== undefined ? 'consultant' : 'judge'} worked`,
    cost: state.simulated ? ({ usd: 0, basis: 'simulated' } as const) : await costOf(known, sources),
    durationMs: Math.min(reservedMs, await timeOf(known, { lastFact, files: sources.files })),
  };
  if (met !== undefined) return { type: 'meeting_interrupted', data: { ...cut, ...met, call: approval } };
  return consulted
    ? { type: 'consultation_interrupted', data: { ...cut, consultation: approval } }
    : { type: 'approval_interrupted', data: { ...cut, approval } };
}

type Known = { readonly agent: string; readonly path: string; readonly startedAt: string };

function wallOf(id: string, { reservedMs }: AttemptState, { plan }: RunState): number {
  const phase = plan.phases.find((each) => each.id === id);
  return phase === undefined ? 0 : wallLimit(phase, reservedMs).ms;
}

type Traces = { readonly lastFact: string; readonly files: Files };

/** How long an attempt is known to have worked: until the last thing its agent said, or the last fact of the run. */
async function timeOf({ path, startedAt }: Known, { lastFact, files }: Traces): Promise<number> {
  const said = await orUnknown(() => files.changedAt(path));
  return Math.max(0, Math.round(Math.max(said ?? 0, Date.parse(lastFact)) - Date.parse(startedAt)));
}

/** What the attempt had said of its cost before it was cut short. */
async function costOf({ agent, path }: Known, sources: Sources): Promise<Cost> {
  const cost = await orUnknown(async () => {
    const { costOf: read } = await sources.agent(agent);
    return read?.(await sources.files.readLines(path));
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
