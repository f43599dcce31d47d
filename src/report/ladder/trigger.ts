import type { TriggerDocument } from '../../domain/documents/escalation-documents.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RequestState } from '../../domain/facts/run-state.ts';
import { cutShort, unjudged } from '../../domain/ladder/unheard.ts';
import { type AttemptRecord, attemptHistory, cutJudgement, outcomeOf } from '../run/attempts.ts';
import type { ConsultationRecord } from '../run/consultations.ts';

/** escalation/stufe-2/trigger.json: what made HELIX ask a human. */
export function trigger(request: RequestState, events: readonly RunEvent[]): TriggerDocument {
  const { askedAt, phase, level, because, question } = request;
  return triggered({ timestamp: askedAt, phase, level, reason: because ?? question }, eventsBefore(request, events));
}

/** escalation/stufe-1/trigger.json: what made HELIX ask a consultant. */
export function consultantTrigger(
  { startedAt, phase, because, consultation }: ConsultationRecord,
  events: readonly RunEvent[],
): TriggerDocument {
  const asked = events.findIndex(
    ({ type, data }) => type === 'consultation_started' && data.consultation === consultation,
  );
  return triggered({ timestamp: startedAt, phase, level: 'stufe-1', reason: because }, events.slice(0, asked));
}

/** The facts of a run up to a question: whatever is told of it does not change with what happens later. */
export function eventsBefore({ id }: RequestState, events: readonly RunEvent[]): readonly RunEvent[] {
  const end = events.findIndex((event) => event.type === 'human_asked' && event.data.request === id);
  return end === -1 ? events : events.slice(0, end);
}

/** The attempts of a phase in the order they started. */
export function attemptsOf(phase: string, events: readonly RunEvent[]): readonly AttemptRecord[] {
  return attemptHistory(events).get(phase) ?? [];
}

/** The attempts that were judged. */
export function judgedOf(attempts: readonly AttemptRecord[]): AttemptRecord[] {
  return attempts.filter((attempt) => attempt.stage === 'judged');
}

/** What the last judgement found; of work that could not be judged or finished, only why: what was found before says nothing about it. */
export function lastFindings(attempts: readonly AttemptRecord[]): TriggerDocument['findings'] {
  const at = attempts.at(-1);
  const unheard = cutJudgement(at);
  if (unheard !== undefined) return [unjudged(unheard)];
  if (at?.stage === 'interrupted' && at.failure !== undefined) return [cutShort(at.failure, at.message)];
  const last = judgedOf(attempts).at(-1);
  return last?.verdicts?.flatMap((verdict) => verdict.findings) ?? [];
}

/** What of it work is not accepted for: its errors, or where it has none the warnings for which it was refused. */
export function failingFindings(attempts: readonly AttemptRecord[]): TriggerDocument['findings'] {
  const found = lastFindings(attempts);
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || outcomeOf(judgedOf(attempts).at(-1)?.verdicts) === 'pass') return errors;
  return found.filter(({ severity }) => severity === 'warning');
}

type Cause = Pick<TriggerDocument, 'timestamp' | 'phase' | 'level' | 'reason'>;

function triggered({ timestamp, phase, level, reason }: Cause, before: readonly RunEvent[]): TriggerDocument {
  const attempts = attemptsOf(phase, before);
  return { timestamp, phase, level, attempts: judgedOf(attempts).length, reason, findings: lastFindings(attempts) };
}
