import type { Decision } from '../facts/consultation.ts';
import type { RequestState, RunState } from '../facts/run-state.ts';
import { isJudge } from '../plan/judging-phase.ts';
import { present } from '../present.ts';
import { hasOpinion, nearestCreator, returnTargets } from './authors.ts';

/** Who is recorded where nobody answered in time; older journals have the second name. */
export const NO_ANSWER = 'no_answer';
const SILENT: ReadonlySet<string> = new Set([NO_ANSWER, 'deadline']);

/** Tells whether an answer is nobody's: the time was over, and what then happens was chosen before the run began. */
export function isSilence({ actor }: { readonly actor: string }): boolean {
  return SILENT.has(actor);
}

/** The phases a decision's guidance is for, whoever asked: the one it names or goes back to, or whose work a judge rejects. */
export function addresseesOf(
  decision: Pick<Decision, 'action' | 'phase' | 'for'>,
  request: Pick<RequestState, 'phase'>,
  { plan, phases, only }: Pick<RunState, 'plan' | 'phases' | 'only'>,
): string[] {
  if (decision.for !== undefined && phases.has(decision.for)) return [decision.for];
  if (decision.action === 'revert' && decision.phase !== undefined) return [decision.phase];
  const asking = plan.phases.find(({ id }) => id === request.phase);
  const at = phases.get(request.phase);
  const judged = asking !== undefined && hasOpinion(asking, at);
  const targets = judged ? returnTargets(asking, at, { plan, ...present({ only }) }) : [];
  return targets.length === 0 ? [request.phase] : targets;
}

/** What follows when a human lets a phase go on: work, by its agent or those it goes back to, or judging of what lies there. */
export type Retry = 'work' | 'goes-back' | 'judging' | 'asks-judge';

/** What a decision to try again begins with. */
export function retryOf(
  decision: Pick<Decision, 'action' | 'for' | 'rework'>,
  request: Pick<RequestState, 'phase' | 'reason'>,
  state: Pick<RunState, 'plan' | 'phases' | 'only'>,
): Retry {
  if (!addresseesOf(decision, request, state).includes(request.phase)) return 'goes-back';
  const asking = state.plan.phases.find(({ id }) => id === request.phase);
  if (asking !== undefined && isJudge(asking)) return 'asks-judge';
  const isFinished = state.phases.get(request.phase)?.current?.stage === 'finished';
  return isFinished && request.reason !== 'grown' && decision.rework !== true ? 'judging' : 'work';
}

/** The phase whose work a question is about: of one about a judgement the one that made what was judged. */
export function askedAbout(request: Pick<RequestState, 'phase'>, state: RunState): string {
  const asking = state.plan.phases.find(({ id }) => id === request.phase);
  if (asking === undefined || !isJudge(asking)) return request.phase;
  const [target = request.phase] = addresseesOf({ action: 'retry' }, request, state);
  const author = target === request.phase ? nearestCreator(asking, state.plan) : target;
  return author !== undefined && state.phases.has(author) ? author : request.phase;
}
