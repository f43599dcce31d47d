import type { PhaseState, RunState } from '../facts/run-state.ts';
import { isJudge, isReview } from '../plan/judging-phase.ts';
import type { Phase, Plan } from '../plan/plan.ts';
import { phasesBefore } from './plan-graph.ts';

/** The phases whose work a judge can have before it, in the order of the plan. */
export function creatorsBefore(judge: Pick<Phase, 'id'>, plan: Plan): Phase[] {
  return phasesBefore(judge, plan).filter((phase) => !isJudge(phase));
}

/** The creator next to a judge: the one whose outputs it is given, else the last one it depends on, else the last of all before it. */
export function nearestCreator(phase: Pick<Phase, 'id' | 'dependsOn' | 'input'>, plan: Plan): string | undefined {
  const creators = creatorsBefore(phase, plan);
  const given = creators.find(({ id }) => id === phase.input?.fromPhase);
  return (given ?? creators.findLast(({ id }) => phase.dependsOn.includes(id)) ?? creators.at(-1))?.id;
}

/** The last creator that made one of the files an approval names, as far as that is known. */
function makerOf(phase: Phase, at: PhaseState | undefined, plan: Plan): string | undefined {
  if (phase.input === undefined || phase.input.fromPhase !== undefined) return undefined;
  const makers = new Set(at?.current?.inputs.map(({ from }) => from.phase));
  return creatorsBefore(phase, plan).findLast(({ id }) => makers.has(id))?.id;
}

/** Tells whether a review has been read and says that the work is not right; a form that nobody can read says nothing. */
export function rejectsWork(phase: Phase, at: PhaseState | undefined): boolean {
  if (!isReview(phase) || at?.current?.stage !== 'judged' || at.current.authors === undefined) return false;
  const { override } = at.rulings;
  // A human who let unjudged work pass has not overruled what is said of it later.
  const overruled = override?.attempt === at.current.attempt && override.waived >= at.lastVerdicts.length;
  return at.status !== 'passed' && at.status !== 'skipped' && !overruled;
}

/** Tells whether a judge has an opinion about the work: one that was cut short has none, and is asked again. */
export function hasOpinion(phase: Phase, at: PhaseState | undefined): boolean {
  return phase.type === 'approval' ? at?.current?.stage === 'judged' : rejectsWork(phase, at);
}

/** Tells whether a judge has something against work that goes back anyway: a review that rejects it, or an approval that was not given. */
export function objects(phase: Phase, at: PhaseState | undefined): boolean {
  if (phase.type !== 'approval') return rejectsWork(phase, at);
  return at?.lastVerdicts.some(({ outcome }) => outcome !== 'pass') === true;
}

/**
 * The phases that get back what a judge rejects: the one its plan names, those a review's findings belong to, the one that made
 * what an approval judged, else the creator next to it. There is none in a run of the judge alone, and where nobody worked before it.
 */
export function returnTargets(
  phase: Phase,
  at: PhaseState | undefined,
  { plan, only }: Pick<RunState, 'plan' | 'only'>,
): string[] {
  const named = phase.onRejection?.target_phase;
  if (named !== undefined) return [named];
  const nearest = nearestCreator(phase, plan);
  if (!isReview(phase)) return [makerOf(phase, at, plan) ?? nearest].filter((id) => id !== undefined);
  if (only !== undefined || nearest === undefined) return [];
  const authors = at?.current?.authors?.map((author) => author.phase) ?? [];
  const known = authors.filter((id) => plan.phases.some((each) => each.id === id));
  return known.length > 0 ? known : [nearest];
}

/** Whom a decision about a phase is for: the authors of what a review rejects, else the phase itself. */
export function addressees(at: PhaseState, state: Pick<RunState, 'plan' | 'only'>): string[] {
  const phase = state.plan.phases.find(({ id }) => id === at.id);
  if (phase === undefined || !rejectsWork(phase, at)) return [at.id];
  const targets = returnTargets(phase, at, state);
  return targets.length === 0 ? [at.id] : targets;
}
