import type { Decision } from '../facts/consultation.ts';
import type { RequestState, RunState } from '../facts/run-state.ts';
import { reworkTarget } from './escalation.ts';

/** Who is recorded where nobody answered in time; older journals have the second name. */
export const NO_ANSWER = 'no_answer';
const SILENT: ReadonlySet<string> = new Set([NO_ANSWER, 'deadline']);

/** Tells whether an answer is nobody's: the time was over, and what then happens was chosen before the run began. */
export function isSilence({ actor }: { readonly actor: string }): boolean {
  return SILENT.has(actor);
}

/** The phase a decision's guidance is for, whoever asked: the one it names or goes back to, or whose work an approval judges. */
export function addresseeOf(
  decision: Pick<Decision, 'action' | 'phase' | 'for'>,
  request: Pick<RequestState, 'phase'>,
  { plan, phases }: Pick<RunState, 'plan' | 'phases'>,
): string {
  if (decision.for !== undefined && phases.has(decision.for)) return decision.for;
  if (decision.action === 'revert' && decision.phase !== undefined) return decision.phase;
  const asking = plan.phases.find(({ id }) => id === request.phase);
  const judged = asking?.type === 'approval' ? reworkTarget(asking, plan) : undefined;
  return judged ?? request.phase;
}
