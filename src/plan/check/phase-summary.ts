import { present } from '../../domain/present.ts';
import type { CheckedPhase } from './plan-check.ts';

/** What is known of a phase even where the plan is wrong. */
export type PhaseSummary = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly dependsOn: readonly string[];
  readonly gates: readonly string[];
  /** Its tests are probed: changed lines are broken to see whether they notice. */
  readonly probed?: true;
  /** It shows a bug: a test that it adds has to fail. */
  readonly reproduces?: true;
  readonly agent?: string;
  readonly model?: string;
};

/** Sums a phase up. */
export function phaseSummary({ draft, phase }: CheckedPhase): PhaseSummary {
  const { id, name, dependsOn, gates, agent, config } = phase;
  return {
    id,
    name,
    type: draft.type,
    dependsOn,
    gates: gates.map(({ type }) => type),
    ...(gates.some(({ settings }) => settings.probe === true) && { probed: true }),
    ...(gates.some(({ settings }) => settings.expect === 'red') && { reproduces: true }),
    ...present({ agent, model: config.model }),
  };
}
