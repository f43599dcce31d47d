import { isBegun, type RunState } from '../facts/run-state.ts';
import type { Phase, Plan } from '../plan/plan.ts';
import { growsPlan } from '../plan-growth.ts';
import { followersOf } from './plan-graph.ts';

/** What a changed plan means for a run: phases to be done again, and phases whose work is judged by new gates. */
export type Amendment = { readonly voided: readonly string[]; readonly rejudged: readonly string[] };

/** Compares a run with an edited plan: only what the edit touches, and what builds on it, is done again. */
export function amend(state: RunState, plan: Plan): Amendment {
  const before = new Map(state.plan.phases.map((phase) => [phase.id, phase]));
  const known = plan.phases.filter(({ id }) => before.has(id));
  const begun = (id: string) => isBegun(state.phases.get(id));
  const reworked = known.filter((phase) => workOf(phase) !== workOf(before.get(phase.id)));
  const again = new Set(reworked.flatMap(({ id }) => [...followersOf(id, plan)]));
  const judged = known.filter(
    (phase) =>
      !again.has(phase.id) && (gatesOf(phase) !== gatesOf(before.get(phase.id)) || isStillToGrow(phase, state)),
  );
  return {
    voided: plan.phases.map(({ id }) => id).filter((id) => again.has(id) && begun(id)),
    rejudged: judged.map(({ id }) => id).filter(begun),
  };
}

/** All that shapes what an agent does; how the result is judged, and how long or dear it may be, do not. */
function workOf(phase: Phase | undefined): string {
  const {
    gates: _judged,
    maxRetries: _often,
    optional: _may,
    requiresApproval: _asked,
    timeoutSeconds: _long,
    budget: _much,
    ...work
  } = phase ?? {};
  return JSON.stringify(work);
}

/** What was written for a plan was judged as part of the plan there was. */
function isStillToGrow(phase: Phase, { phases }: RunState): boolean {
  return growsPlan(phase) && phases.get(phase.id)?.grown === undefined;
}

function gatesOf(phase: Phase | undefined): string {
  return JSON.stringify(phase?.gates ?? []);
}
