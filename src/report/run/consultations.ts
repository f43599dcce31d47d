import type { Changes, ConsultantAnswer, Purpose } from '../../domain/facts/consultation.ts';
import type { Cost, RunEvent } from '../../domain/facts/run-event.ts';
import { present } from '../../domain/present.ts';

/** One question to a consultant as its facts tell it. */
export type ConsultationRecord = {
  readonly phase: string;
  readonly attempt: number;
  readonly consultation: string;
  readonly purpose: Purpose;
  readonly because: string;
  readonly agent: string;
  readonly startedAt: string;
  model?: string;
  endedAt?: string;
  durationMs?: number;
  cost?: Cost;
  /** What came of it; absent while the consultant is thinking. */
  outcome?: 'retry' | 'revert' | 'ask' | 'refused' | 'interrupted';
  answer?: ConsultantAnswer;
  changes?: Changes;
  target?: string;
  /** Why its answer could not be used, or why it was cut short. */
  reasons?: readonly string[];
  /** What it answered that could not be used. */
  refused?: string;
};

/** Every consultation of a run by phase, in the order they started. */
export function consultationHistory(events: readonly RunEvent[]): Map<string, ConsultationRecord[]> {
  const history = new Map<string, ConsultationRecord[]>();
  const open = new Map<string, ConsultationRecord>();
  for (const event of events) {
    if (event.type === 'consultation_started') {
      const { reserved: _usd, reservedMs: _ms, ...asked } = event.data;
      const record: ConsultationRecord = { ...definedOf(asked), startedAt: event.at };
      open.set(record.consultation, record);
      history.set(record.phase, [...(history.get(record.phase) ?? []), record]);
    } else follow(open, event);
  }
  return history;
}

/** A consultant decided how a phase goes on; where it asked for a human it did not. */
export function isIntervention({ outcome }: ConsultationRecord): boolean {
  return outcome === 'retry' || outcome === 'revert';
}

function follow(open: ReadonlyMap<string, ConsultationRecord>, event: RunEvent): void {
  if (!('consultation' in event.data)) return;
  const record = open.get(event.data.consultation);
  if (record === undefined) return;
  const { durationMs, cost } = event.data as { durationMs: number; cost?: Cost };
  Object.assign(record, { endedAt: event.at, durationMs, ...present({ cost }) });
  if (event.type === 'consultation_finished') {
    const { answer, outcome, changes, target, model } = event.data;
    Object.assign(record, { answer, outcome, changes, ...definedOf({ target, model }) });
  } else if (event.type === 'consultation_refused') {
    const { reasons, answer: refused } = event.data;
    Object.assign(record, { outcome: 'refused', reasons, ...present({ refused }) });
  } else if (event.type === 'consultation_interrupted') {
    Object.assign(record, { outcome: 'interrupted', reasons: [`${event.data.failure}: ${event.data.message}`] });
  }
}

function definedOf<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const known = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(known) as { [K in keyof T]: Exclude<T[K], undefined> };
}
