import type { PhaseState } from '../facts/run-state.ts';
import { failureWords } from '../failure-words.ts';
import type { Finding } from '../finding.ts';
import type { FailureClass } from '../verdict.ts';

/** Why there is no judgement of the work at hand, where one was cut short; what was found before says nothing about it. */
export function unheard({ current, rung }: Pick<PhaseState, 'current' | 'rung'>): Finding | undefined {
  if (current?.stage === 'finished' && rung.judgingBroke !== undefined) return unjudged(rung.judgingBroke);
  if (current?.stage !== 'interrupted' || current.failure === undefined) return undefined;
  return cutShort(current.failure, rung.blocked?.message);
}

/** Work that no gate could judge, as a finding. */
export function unjudged(why: string): Finding {
  return { severity: 'error', check: 'unjudged', message: `judging was interrupted: ${why}` };
}

/** An attempt that did not end by itself, as a finding. */
export function cutShort(failure: FailureClass, message?: string): Finding {
  const why = message === undefined ? failureWords(failure) : `${failureWords(failure)}: ${message}`;
  return { severity: 'error', check: 'interrupted', message: `the last attempt was interrupted: ${why}` };
}
