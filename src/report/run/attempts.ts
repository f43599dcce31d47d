import type { VerdictsDocument } from '../../domain/documents/documents.ts';
import type { Cost, RunEvent } from '../../domain/facts/run-event.ts';
import type { PhaseState } from '../../domain/facts/run-state.ts';
import { failureWords } from '../../domain/failure-words.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass, Verdict } from '../../domain/verdict.ts';

/** One try at a phase as its facts tell it; a phase has one record per start, interrupted ones included. */
export type AttemptRecord = {
  readonly phase: string;
  readonly attempt: number;
  readonly agent: string;
  readonly startedAt: string;
  /** The tree it started from. */
  readonly start: string;
  /** A human's own change, which no agent made. */
  readonly manual?: boolean;
  model?: string;
  stage: 'open' | 'finished' | 'judged' | 'interrupted';
  endedAt?: string;
  durationMs?: number;
  cost?: Cost;
  /** The sha256 of what its agent said; older journals and interrupted attempts have none. */
  transcript?: string;
  failure?: FailureClass;
  message?: string;
  verdicts?: readonly Verdict[];
  /** Judgements that were cut short before the one that counts. */
  readonly cutJudgements: string[];
};

/** Every attempt of a run by phase, in the order they started. */
export function attemptHistory(events: readonly RunEvent[]): Map<string, AttemptRecord[]> {
  const history = new Map<string, AttemptRecord[]>();
  for (const event of events) {
    if (event.type === 'attempt_started') begin(history, event);
    else follow(history, event);
  }
  return history;
}

/** How many attempts people saw begin; one that was cut short or could not be judged begins again under its own number. */
export function begunAttempts(phases: readonly PhaseState[]): number {
  return phases.reduce((total, { history, current }) => total + Math.max(history.judged, current?.attempt ?? 0), 0);
}

/** The same from their records: the last of each number. */
export function begunOf(attempts: readonly AttemptRecord[]): AttemptRecord[] {
  return [...new Map(attempts.map((record) => [record.attempt, record])).values()];
}

/** The worst of the verdicts, which is what the attempt is worth; undefined before it was judged. */
export function outcomeOf(verdicts: readonly Verdict[] | undefined): Verdict['outcome'] | undefined {
  if (verdicts === undefined || verdicts.length === 0) return undefined;
  const outcomes = verdicts.map((verdict) => verdict.outcome);
  return outcomes.find((outcome) => outcome === 'reject') ?? outcomes.find((outcome) => outcome === 'revise') ?? 'pass';
}

/** Why finished work could not be judged; what was found before it was made says nothing about it. */
export function cutJudgement(attempt: AttemptRecord | undefined): string | undefined {
  return attempt?.stage === 'finished' ? attempt.cutJudgements.at(-1) : undefined;
}

function begin(history: Map<string, AttemptRecord[]>, event: RunEvent & { type: 'attempt_started' }): void {
  const { phase, attempt, agent, model, start, manual } = event.data;
  const record: AttemptRecord = {
    phase,
    attempt,
    agent,
    start,
    startedAt: event.at,
    stage: 'open',
    cutJudgements: [],
    ...present({ model, manual }),
  };
  const records = history.get(phase);
  if (records === undefined) history.set(phase, [record]);
  else records.push(record);
}

function follow(history: Map<string, AttemptRecord[]>, event: RunEvent): void {
  if (!('phase' in event.data)) return;
  const record = history.get(event.data.phase)?.at(-1);
  if (record === undefined) return;
  if (event.type === 'attempt_finished') {
    const { model, cost, durationMs, transcript } = event.data;
    const more = { ...(model && { model }), ...present({ transcript }) };
    Object.assign(record, { stage: 'finished', endedAt: event.at, cost, durationMs, ...more });
  } else if (event.type === 'attempt_interrupted') {
    const { phase: _phase, attempt: _attempt, ...cut } = event.data;
    Object.assign(record, { stage: 'interrupted', endedAt: event.at, ...cut });
  } else if (event.type === 'attempt_judged') {
    Object.assign(record, { stage: 'judged', endedAt: event.at, verdicts: event.data.verdicts });
  } else if (event.type === 'judging_interrupted') {
    record.cutJudgements.push(`${event.data.gate}: ${failureWords(event.data.failure)}: ${event.data.message}`);
  }
}

type Judged = Extract<RunEvent, { type: 'attempt_judged' }>['data'];

/** logs/attempt-N/verdicts.json of a judged attempt. */
export function verdictsDocument({ phase, attempt, verdicts }: Judged): VerdictsDocument {
  return { phase, attempt, outcome: outcomeOf(verdicts) ?? 'pass', verdicts };
}
