import type { PhaseState } from '../../domain/facts/run-state.ts';
import type { Verdict } from '../../domain/verdict.ts';

/** What gates said of a phase's work as it is now: never what they said of an earlier attempt. */
export function verdictsNow({ current, lastVerdicts }: PhaseState): readonly Verdict[] {
  const unjudged = current?.stage === 'finished' && current.verdicts === undefined;
  return unjudged ? (current.heard ?? []) : lastVerdicts;
}
