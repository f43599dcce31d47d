import type { Ladder } from '../../domain/documents/metrics-document.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';

/** A step up the ladder. */
export type RungFact = { readonly at: string; readonly rung: keyof Ladder; readonly simulated: boolean };

/** How often a run had to climb its ladder. */
export function rungFacts(events: readonly RunEvent[]): RungFact[] {
  const simulated = events.some(({ type, data }) => type === 'run_started' && data.simulated);
  return events.flatMap((event) => {
    const rung = rungOf(event);
    return rung === undefined ? [] : { at: event.at, rung, simulated };
  });
}

/** The steps in numbers. */
export function ladderOf(rungs: readonly RungFact[]): Ladder {
  const of = (rung: keyof Ladder) => rungs.filter((fact) => fact.rung === rung).length;
  return {
    ...{ interventions: of('interventions'), reverts: of('reverts'), questions: of('questions') },
    ...{ ownChanges: of('ownChanges'), overrides: of('overrides') },
  };
}

function rungOf({ type, data }: RunEvent): keyof Ladder | undefined {
  if (type === 'consultation_finished') return data.outcome === 'ask' ? undefined : 'interventions';
  if (type === 'plan_reverted') return 'reverts';
  if (type === 'human_asked') return data.level === 'start' || data.reason === 'question' ? undefined : 'questions';
  if (type === 'attempt_started') return data.manual === true ? 'ownChanges' : undefined;
  return type === 'phase_accepted' && data.override !== undefined ? 'overrides' : undefined;
}
