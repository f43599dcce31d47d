import type { VerdictsDocument } from '../../domain/documents/documents.ts';
import type { NewEvent } from '../../domain/facts/run-event.ts';
import { outcomeOf } from './attempts.ts';

/** logs/attempt-N/verdicts.json of a judged attempt. */
export function verdictsDocument(judged: Extract<NewEvent, { type: 'attempt_judged' }>['data']): VerdictsDocument {
  const { phase, attempt, verdicts } = judged;
  return { phase, attempt, outcome: outcomeOf(verdicts) ?? 'pass', verdicts };
}
