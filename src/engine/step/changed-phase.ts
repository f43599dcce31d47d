import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { attemptsOf } from '../../domain/ladder/escalation.ts';
import type { Phase } from '../../domain/plan/plan.ts';

/** What an attempt really runs with: the plan's, and over it what was changed for it. */
export type Setup = { readonly agent: string; readonly model: string | undefined; readonly skills: readonly string[] };

/** Who makes the next attempt of a phase, with which model and skills. */
export function setupOf(phase: Phase, state: RunState): Setup {
  const changes = state.phases.get(phase.id)?.history.changes ?? {};
  const agent = changes.agent ?? phase.agent ?? state.creator;
  const own = state.agents[agent]?.model;
  // A model that was chosen for one agent means nothing to another.
  const planned = changes.agent === undefined ? (state.model ?? phase.config.model ?? own) : own;
  const skills = [...new Set([...(phase.config.skills ?? []), ...(changes.skills ?? [])])];
  return { agent, model: changes.model ?? planned, skills };
}

/** The number of the last attempt on the rung a phase stands on. */
export function lastAttempt(phase: Phase, at: PhaseState | undefined, { escalation }: RunState): number {
  const first = Math.max(1, ...phase.gates.map(({ maxRetries }) => maxRetries));
  if (at === undefined) return first;
  const onRung = Math.max(1, ...phase.gates.map((gate) => attemptsOf(gate, at, escalation)));
  return at.history.judged - at.rung.judged + onRung;
}
