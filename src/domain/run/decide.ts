import type { Purpose } from '../facts/consultation.ts';
import type { NewEvent } from '../facts/run-event.ts';
import { openRequests, type PhaseState, type RunState } from '../facts/run-state.ts';
import { askAboutPlan } from '../growing/ask-about-plan.ts';
import { growthToAsk, isSettled } from '../growing/growth-state.ts';
import { isAffordable, limitFor } from '../ladder/budget.ts';
import { ladder, type Rung } from '../ladder/escalation.ts';
import { beforeWork, isMeeting, lacksCriteria, type MeetingPart } from '../ladder/meeting.ts';
import { followersOf, phasesBefore } from '../ladder/plan-graph.ts';
import {
  askAboutGrowth,
  askAboutProtected,
  askAfterFailure,
  askBeforeStart,
  askQuestion,
  pathsToShow,
} from '../ladder/question.ts';
import { type Return, returnOf } from '../ladder/return-reach.ts';
import { revertReach } from '../ladder/revert.ts';
import { isJudge, isReview } from '../plan/judging-phase.ts';
import type { Phase } from '../plan/plan.ts';
import { present } from '../present.ts';
import type { Verdict } from '../verdict.ts';

/** Something that may happen now: an effect to perform, or a fact that already follows. */
export type Step =
  | { readonly do: 'attempt'; readonly phase: Phase; readonly attempt: number; readonly start: string | undefined }
  | { readonly do: 'judge'; readonly phase: Phase; readonly attempt: number; readonly tree: string }
  | { readonly do: 'join'; readonly phase: Phase; readonly attempt: number; readonly tree: string }
  | { readonly do: 'accept'; readonly phase: Phase; readonly attempt: number; readonly tree: string }
  /** What a judge rejects goes back to these phases. */
  | { readonly do: 'send-back'; readonly phase: Phase; readonly targets: readonly string[] }
  /** A consultant is asked how to go on after so many attempts. */
  | {
      readonly do: 'consult';
      readonly phase: Phase;
      readonly attempt: number;
      readonly purpose: Purpose;
      readonly because: string;
    }
  /** What an accepted phase wrote becomes part of the plan. */
  | { readonly do: 'grow'; readonly phase: Phase; readonly attempt: number; readonly tree: string }
  /** A phase that holds a meeting turns to somebody: experts, or whoever has questions or says by what it is judged. */
  | { readonly do: 'meet'; readonly phase: Phase; readonly attempt: number; readonly part: MeetingPart }
  /** A human's own change becomes an attempt. */
  | { readonly do: 'take'; readonly phase: Phase; readonly attempt: number; readonly start: string | undefined }
  | { readonly do: 'record'; readonly event: NewEvent };

/** What may happen now; `busy` names the phases an effect is under way for. */
export function decide(state: RunState, busy: ReadonlySet<string>): Step[] {
  if (state.ended !== undefined) return [];
  if (state.cancelRequested) return busy.size === 0 ? [finish('cancelled', 'cancelled on request')] : [];
  const { started, waiting, active, done, growing } = survey(state, busy);
  const { steps, room } = resumed(started, state, state.plan.concurrency - active);
  oneAtATime(steps, state, busy);
  if (state.aborting === undefined) {
    steps.push(...begun(heldBack(waiting, growing, state), state, room));
    if (growing !== undefined && !busy.has(growing[0].id)) steps.push(...grown(growing));
  }
  const bounded = beforeRevert(inOrderOfReturn(withinBudget(steps, state), state, busy), state, busy);
  return bounded.length > 0 || busy.size > 0 ? bounded : ending(state, done);
}

type Placed = readonly [phase: Phase, at: PhaseState];

/** One look at every phase: this is all of `decide` that grows with the plan. */
function survey(state: RunState, busy: ReadonlySet<string>) {
  const started: Placed[] = [];
  const waiting: Placed[] = [];
  let active = 0;
  let done = true;
  let growing: Placed | undefined;
  const { phases } = state.plan;
  for (let index = 0; index < phases.length; index += 1) {
    const phase = phases[index];
    const at = state.phases.at(index);
    if (phase === undefined || at === undefined || !concerns(phase, state)) continue;
    if (growing === undefined && state.only === undefined && !isSettled(phase, at)) {
      growing = [phase, at];
      done = false;
    }
    if (isDone(at)) continue;
    done = false;
    const isBusy = busy.has(phase.id);
    const isOpen = at.status === 'running' || (at.status === 'pending' && wasTried(at));
    if ((isBusy || takesRoom(phase, at, state)) && phase.type !== 'approval') active += 1;
    if (isBusy) continue;
    // What a phase builds on may be judged anew; it waits for that, too.
    if (isOpen && isReady(phase, state)) started.push([phase, at]);
    else if (!isOpen && (at.status === 'pending' || at.status === 'voided')) waiting.push([phase, at]);
  }
  return { started, waiting, active, done, growing };
}

/** A phase in its meeting has nothing to lose yet: where it waits again for what it builds on, it must not keep that from being done. */
function takesRoom(phase: Phase, at: PhaseState, state: RunState): boolean {
  return at.status === 'running' && (at.current !== undefined || isReady(phase, state));
}

/** While the plan may still grow nothing else begins but what the growth waits for: it might be replaced. */
function heldBack(waiting: readonly Placed[], growing: Placed | undefined, { plan }: RunState): readonly Placed[] {
  if (growing === undefined || waiting.length === 0) return waiting;
  const [phase] = growing;
  const wanted = new Set([phase.id, ...phasesBefore(phase, plan).map(({ id }) => id)]);
  return waiting.filter(([{ id }]) => wanted.has(id));
}

/** What an accepted phase wrote is taken into the plan before anything else begins. */
function grown([phase, at]: Placed): Step[] {
  if (at.status !== 'passed' || at.accepted === undefined) return [];
  return [{ do: 'grow', phase, attempt: at.accepted.attempt, tree: at.accepted.tree }];
}

/** An attempt that broke before its agent even started has left no more than its interruption. */
function wasTried(at: PhaseState): boolean {
  return at.current !== undefined || at.rung.interruptions > 0 || at.rung.blocked !== undefined;
}

function isDone({ status }: PhaseState): boolean {
  return status === 'passed' || status === 'skipped';
}

function concerns(phase: Phase, { only }: RunState): boolean {
  return only === undefined || phase.id === only;
}

/** Steps of phases that have already started; one that was interrupted or asked about needs room to start again. */
function resumed(started: readonly Placed[], state: RunState, free: number): { steps: Step[]; room: number } {
  const steps: Step[] = [];
  let room = free;
  for (const [phase, at] of started) {
    for (const step of continued(phase, at, state)) {
      const needsRoom =
        (step.do === 'attempt' || step.do === 'meet') && at.status !== 'running' && phase.type !== 'approval';
      if (needsRoom && room <= 0) continue;
      if (needsRoom) room -= 1;
      steps.push(step);
    }
  }
  return { steps, room };
}

/** What is accepted follows on what was accepted before it, so a repository takes one phase at a time. */
function oneAtATime(steps: Step[], state: RunState, busy: ReadonlySet<string>): void {
  if (state.tip === undefined) return;
  let taken = [...busy].some((id) => isAgreed(state.phases.get(id)));
  for (let at = 0; at < steps.length; ) {
    const step = steps[at];
    const takes = step?.do === 'accept' || step?.do === 'join';
    if (takes && taken) steps.splice(at, 1);
    else at += 1;
    taken ||= takes;
  }
}

function isAgreed(at: PhaseState | undefined): boolean {
  if (at?.current?.stage !== 'judged') return false;
  const vouched = at.rulings.vouched?.given === true && at.rulings.vouched.tree === at.current.tree;
  return countedVerdicts(at).every(({ outcome, unsure }) => outcome === 'pass' || (vouched && unsure === true));
}

/** The verdicts of a phase that count: those a human has overruled do not. */
function countedVerdicts({ current, lastVerdicts, rulings }: PhaseState): readonly Verdict[] {
  const { override } = rulings;
  return override !== undefined && override.attempt === current?.attempt
    ? lastVerdicts.slice(override.waived)
    : lastVerdicts;
}

/** Steps of a phase that has already started. */
function continued(phase: Phase, at: PhaseState, state: RunState): Step[] {
  const { stage, attempt = 0, tree } = at.current ?? {};
  if (stage === 'open') return [];
  if (tree !== undefined && at.rung.blocked === undefined && isAgreed(at)) {
    const consent = at.rulings.consent?.tree === tree ? at.rulings.consent : undefined;
    const trespassed = pathsToShow(at).length > 0;
    if (trespassed && consent === undefined) return [record(askAboutProtected(phase, at, state))];
    if (trespassed && consent?.given === false) return climb(phase, at, { kind: 'attempt' }, state);
    const growth = growthToAsk(at, state);
    const ruled = at.rulings.plan?.tree === tree ? at.rulings.plan.answer : undefined;
    if (growth !== undefined && ruled === undefined) return [record(askAboutPlan(phase, growth, state))];
    if (ruled === 'back') return climb(phase, at, { kind: 'attempt' }, state);
    if (state.tip !== undefined && state.tip.commit !== at.base) return [{ do: 'join', phase, attempt, tree }];
    return [{ do: 'accept', phase, attempt, tree }];
  }
  return climb(phase, at, ladder(phase, at, state), state);
}

function climb(phase: Phase, at: PhaseState, rung: Rung, state: RunState): Step[] {
  const current = at.current;
  if (rung.kind === 'judge') {
    if (current?.tree === undefined) return [];
    const { attempt, tree } = current;
    if (!lacksCriteria(phase, at, state)) return [{ do: 'judge', phase, attempt, tree }];
    return state.aborting === undefined ? [{ do: 'meet', phase, attempt, part: 'criteria' }] : [];
  }
  if (rung.kind === 'attempt') return state.aborting === undefined ? [tried(phase, at, state)] : [];
  if (rung.kind === 'take') {
    return state.aborting === undefined
      ? [{ do: 'take', phase, attempt: at.history.judged + 1, start: at.judgedTree ?? at.baseTree }]
      : [];
  }
  if (phase.optional && rung.kind !== 'send-back' && !asksHuman(phase, rung))
    return [record({ type: 'phase_skipped', data: { phase: phase.id, reason: `optional; ${rung.because}` } })];
  if (rung.kind === 'fail') {
    return [record({ type: 'phase_failed', data: { phase: phase.id, reason: `${phase.id}: ${rung.because}` } })];
  }
  if (state.aborting !== undefined) return [];
  if (rung.kind === 'send-back') return [{ do: 'send-back', phase, targets: rung.targets }];
  if (rung.kind === 'consult') {
    const { purpose, because } = rung;
    return [{ do: 'consult', phase, attempt: Math.max(1, at.history.judged), purpose, because }];
  }
  if (rung.reason === 'grown') return [record(askAboutGrowth(phase, at, rung, state))];
  return [record(askAfterFailure(phase, rung, state))];
}

/** Another attempt, from where the last one was judged or cut short; a meeting goes on first where it was not at its end. */
function tried(phase: Phase, at: PhaseState, state: RunState): Step {
  const { current } = at;
  const start = current?.stage === 'interrupted' ? current.start : (at.judgedTree ?? at.baseTree);
  return met(phase, at, state, 0) ?? { do: 'attempt', phase, attempt: at.history.judged + 1, start };
}

/** What has to happen before an agent may work on what a meeting is about; `ahead` other questions are asked in the same breath. */
function met(phase: Phase, at: PhaseState, state: RunState, ahead: number): Step | undefined {
  const next = beforeWork(phase, at, state);
  if (next === undefined) return undefined;
  if (next.kind === 'fact') return record(next.event);
  if (next.kind === 'ask') return record(askQuestion(phase, at, { index: next.question, ahead }, state));
  return { do: 'meet', phase, attempt: at.history.judged + 1, part: next.part };
}

/** What a judge does with a rejection is said by the plan, even where nobody waits for it. */
function asksHuman(phase: Phase, { kind }: Rung): boolean {
  return isJudge(phase) && kind === 'human' && (phase.onRejection?.action ?? 'fail') !== 'fail';
}

/** Steps of phases whose turn it is to start, as far as there is room. */
function begun(waiting: readonly Placed[], state: RunState, room: number): Step[] {
  const steps: Step[] = [];
  let free = room;
  for (const [phase, at] of waiting) {
    const counts = phase.type !== 'approval';
    const asks = phase.requiresApproval || isMeeting(phase);
    if ((counts && free <= 0 && !asks) || !isReady(phase, state)) continue;
    const ahead = steps.filter((step) => step.do === 'record').length;
    const uncleared = phase.requiresApproval && !at.cleared;
    const first = uncleared ? record(askBeforeStart(phase, state, ahead)) : met(phase, at, state, ahead);
    if (first?.do === 'record') {
      steps.push(first);
    } else if (!counts || free > 0) {
      // In a repository what was accepted is part of the tip; elsewhere it is all a phase has to go on with.
      // Who judges begins with nothing of an earlier judgement.
      const start = state.tip === undefined && !isJudge(phase) ? at.judgedTree : undefined;
      steps.push(first ?? { do: 'attempt', phase, attempt: at.history.judged + 1, start });
      if (counts) free -= 1;
    }
  }
  return steps;
}

function isReady(phase: Phase, state: RunState): boolean {
  if (state.only !== undefined) return true;
  return phase.dependsOn.every((id) => {
    const at = state.phases.get(id);
    return at !== undefined && isDone(at);
  });
}

/** No attempt starts once a limit is used up, or while others have reserved the rest; what is finished is still judged. */
function withinBudget(steps: Step[], state: RunState): Step[] {
  const kept: Step[] = [];
  let parked = state.parked !== undefined;
  for (const step of steps) {
    const limit = step.do === 'attempt' ? limitFor(step.phase, state) : undefined;
    if (limit === undefined) {
      if (step.do !== 'attempt' || isAffordable(step.phase, state)) kept.push(step);
    } else if (limit.limitOf !== undefined || !parked) {
      kept.push(record({ type: 'run_parked', data: { reason: 'budget', ...limit } }));
      parked ||= limit.limitOf === undefined;
    }
  }
  return kept;
}

/** What follows when nothing is under way and nothing can start. */
function ending(state: RunState, done: boolean): Step[] {
  if (state.aborting !== undefined) return [finish('failed', state.aborting)];
  if (state.parked !== undefined || openRequests(state).length > 0) return [];
  return done ? [finish('passed')] : [];
}

function record(event: NewEvent): Step {
  return { do: 'record', event };
}

function finish(status: 'passed' | 'failed' | 'cancelled', reason?: string): Step {
  return record({ type: 'run_finished', data: { status, ...present({ reason }) } });
}

/** What a run goes back over is not begun any more; when nothing of it is under way, it is void. */
function beforeRevert(steps: Step[], state: RunState, busy: ReadonlySet<string>): Step[] {
  const wishes = state.reverting.map((wish) => ({
    ...wish,
    reach: new Set([...revertReach(wish.target, state), wish.phase]),
  }));
  // Who goes back furthest takes the others along.
  const [first] = wishes.toSorted((a, b) => b.reach.size - a.reach.size);
  if (first === undefined || state.aborting !== undefined) return steps;
  const { phase, target, by, reach } = first;
  // What is only about to begin would build on what goes back; in a repository that is everything.
  const ids = state.plan.phases.map(({ id }) => id);
  const held = new Set(state.tip === undefined ? [...reach, ...followersOf(target, state.plan)] : ids);
  const concerned = (step: Step) => held.has(step.do === 'record' ? phaseIn(step.event) : step.phase.id);
  if ([...held].some((id) => isOn(id, state, busy))) return steps.filter((step) => !concerned(step));
  const voided = ids.filter((id) => reach.has(id));
  return [record({ type: 'plan_reverted', data: { phase, target, voided, by } })];
}

function phaseIn({ data }: NewEvent): string {
  return 'phase' in data ? (data.phase ?? '') : '';
}

function isOn(id: string, { phases }: RunState, busy: ReadonlySet<string>): boolean {
  const at = phases.get(id);
  return busy.has(id) || at?.current?.stage === 'open' || (at?.asking.length ?? 0) > 0;
}

type Sent = Pick<Return, 'reach'> & { readonly phase: string };

/** What goes back now: one piece of work at a time, the one that takes the others with it. */
function returning(state: RunState, busy: ReadonlySet<string>): Sent | undefined {
  const { plan, phases, aborting } = state;
  const returns = plan.phases.flatMap((phase): Sent[] => {
    const at = phases.get(phase.id);
    // In a run that ends only what is on its way already goes back.
    if (aborting !== undefined && !busy.has(phase.id)) return [];
    if (!isJudge(phase) || at?.current?.stage !== 'judged' || isDone(at) || isAgreed(at)) return [];
    // What it rejected may be judged anew first.
    if (!isReady(phase, state)) return [];
    const rung = ladder(phase, at, state);
    if (rung.kind !== 'send-back') return [];
    return [{ phase: phase.id, reach: returnOf(phase.id, rung.targets, state).reach }];
  });
  return returns.toSorted((a, b) => b.reach.size - a.reach.size)[0];
}

/** A review costs an attempt: one that nobody has begun is asked about the new work. */
function isHeard(phase: Phase, { phases }: RunState): boolean {
  return isReview(phase) ? phases.get(phase.id)?.current !== undefined : isJudge(phase);
}

/**
 * Work that goes back takes all with it that builds on it. Nothing of that is begun or accepted any more, and it goes only
 * when nothing of that is under way: a judge who was asked is heard, so that no objection is lost.
 */
function inOrderOfReturn(steps: Step[], state: RunState, busy: ReadonlySet<string>): Step[] {
  const back = returning(state, busy);
  if (back === undefined) return steps;
  const sent = steps.some((step) => step.do === 'send-back' && step.phase.id === back.phase);
  const kept = steps.filter((step) => {
    if (step.do === 'record') return !(step.event.type === 'human_asked' && back.reach.has(step.event.data.phase));
    if (!back.reach.has(step.phase.id)) return true;
    if (step.do === 'send-back') return step.phase.id === back.phase;
    return sent && (step.do === 'judge' || step.do === 'attempt') && isHeard(step.phase, state);
  });
  const heard = (step: Step) => step.do === 'attempt' || step.do === 'judge';
  const waits =
    [...back.reach].some((id) => id !== back.phase && isOn(id, state, busy)) ||
    kept.some((step) => step.do !== 'record' && back.reach.has(step.phase.id) && heard(step));
  return waits ? kept.filter((step) => step.do !== 'send-back') : kept;
}
