import { stateOf } from '../facts/accepted-state.ts';
import { mergeChanges } from '../facts/consultation.ts';
import type { PhaseState, Return, Reverting } from '../facts/run-state.ts';
import {
  book,
  type Data,
  type DraftState,
  fresh,
  NEW_RUNG,
  park,
  parkedBy,
  phaseOf,
  put,
  spentBy,
  update,
  without,
} from '../facts/state-draft.ts';
import { followersOf } from '../ladder/plan-graph.ts';
import { lineBefore } from '../ladder/revert.ts';
import { specChangesOf } from '../ladder/spec-changes.ts';
import { isJudge } from '../plan/judging-phase.ts';
import { present } from '../present.ts';
import { failurePolicy } from '../verdict.ts';
import { agentOf, deliver, wordsOf, workerOf } from './deliver.ts';
import { interruptApproval, startApproval, voidPhases } from './evolve-approval.ts';

/** A consultant was asked: as with a judge, its share of the budget is kept until it has answered. */
export function startConsultation(state: DraftState, data: Data<'consultation_started'>, at: string): void {
  const { consultation, purpose: _, because: _why, ...rest } = data;
  startApproval(state, { ...rest, approval: consultation, of: CONSULTANT, role: 'reviewer' }, at);
  update(state, data.phase, { status: 'running' });
}

/** What a phase asks when it asks a consultant. */
export const CONSULTANT = 'consultant';

/** A consultant decided, or knows what to put before a human. */
export function finishConsultation(state: DraftState, data: Data<'consultation_finished'>): void {
  const { outcome, changes, target, advice } = data;
  const phase = answered(state, data);
  if (outcome === 'ask') {
    put(state, { ...phase, rung: { ...phase.rung, refusals: 0, ...present({ advice }) } });
    return;
  }
  state.specChanges = [...state.specChanges, ...specChangesOf(changes, 'consultant')];
  if (outcome === 'revert' && target !== undefined)
    wishRevert(state, phase, { target, by: 'consultant', changes, reason: reasonOf(data) });
  const history = deliver(state, phase, { changes, reverts: outcome === 'revert' });
  put(state, {
    ...phase,
    climbed: { ...phase.climbed, consulted: true },
    history: { ...history, interventions: history.interventions + 1 },
    // A finding that stood before the change may be mended by it.
    rung: NEW_RUNG,
    status: 'pending',
  });
}

/** Why a consultant goes back: what it says about that, and what it takes for the cause. */
function reasonOf({ answer: { analysis, decision } }: Data<'consultation_finished'>): string {
  const said = [decision.plan_revert?.reasoning, analysis.root_cause].map((text) => text?.trim());
  return [...new Set(said.filter((text) => text))].join('\n');
}

/** Somebody wants everything from a phase on to be done again; it waits until nothing of that is under way. */
export function wishRevert(
  state: DraftState,
  phase: PhaseState,
  { reason, ...wish }: Pick<Reverting, 'target' | 'by' | 'changes' | 'cause'> & { readonly reason: string | undefined },
): void {
  const about = { phase: phase.id, agent: workerOf(phase, state), verdicts: phase.lastVerdicts };
  state.reverting = [...state.reverting, { ...wish, ...about, ...(reason && { reason }) }];
}

/** A consultant's answer could not be used. */
export function refuseConsultation(state: DraftState, data: Data<'consultation_refused'>): void {
  const phase = answered(state, data);
  const { rung } = phase;
  put(state, { ...phase, rung: { ...rung, refusals: rung.refusals + 1, refused: data.reasons } });
}

/** A consultant was cut short; that is no answer. */
export function interruptConsultation(state: DraftState, data: Data<'consultation_interrupted'>): void {
  const { consultation, until: _, ...rest } = data;
  interruptApproval(state, { ...rest, approval: consultation });
  const phase = phaseOf(state, data.phase);
  const policy = failurePolicy(data.failure);
  const { failure, message } = data;
  update(state, data.phase, {
    rung: {
      ...phase.rung,
      interruptions: phase.rung.interruptions + (policy === 'retry' ? 1 : 0),
      ...(policy === 'human' && { blocked: { failure, message: `the consultant: ${message}` } }),
      consultantBroke: failure,
    },
    ...(policy === 'park' && { status: 'parked' }),
  });
  if (policy === 'park') park(state, parkedBy(data));
}

type Ended = Pick<Data<'consultation_refused'>, 'phase' | 'consultation' | 'cost' | 'durationMs'>;

/** Books what an answer has cost; the phase without the question. */
function answered(state: DraftState, data: Ended): PhaseState {
  const phase = phaseOf(state, data.phase);
  book(state, data);
  const asking = phase.asking.filter(({ approval }) => approval !== data.consultation);
  const { history } = phase;
  const rung = without(phase.rung, 'consultantBroke');
  return { ...phase, asking, rung, history: { ...history, spent: spentBy(history, data) } };
}

/** Everything from a phase on is done again, from what was accepted before it; nobody's counters are set back but those of the rung. */
export function revertPlan(state: DraftState, data: Data<'plan_reverted'>): void {
  const voided = new Set(data.voided);
  const inRepository = state.tip !== undefined;
  const line = state.line.slice(0, lineBefore(data.target, state));
  voidPhases(state, voided, (phase) => startedAnew(phase, inRepository));
  // Whoever wanted to go back to what is done again now has it done.
  for (const wish of state.reverting) {
    if (!voided.has(wish.target)) continue;
    changeFollowers(state, wish, voided);
    tellWhy(state, wish, voided);
  }
  state.reverting = state.reverting.filter(({ target }) => !voided.has(target));
  if (state.tip === undefined || state.base === undefined) return;
  state.tip = stateOf(line.at(-1) ?? state.base);
  state.line = line;
}

/** What was changed for one phase is changed for all that are done again with it; a model only for those its agent works on. */
function changeFollowers(state: DraftState, wish: Reverting, voided: ReadonlySet<string>): void {
  const followers = followersOf(wish.target, state.plan);
  for (const { id, type } of state.plan.phases) {
    if (!voided.has(id) || !followers.has(id) || isJudge({ type }) || id === wish.phase) continue;
    const phase = phaseOf(state, id);
    const changes = agentOf(phase, state) === wish.agent ? wish.changes : wordsOf(wish.changes);
    const { history } = phase;
    put(state, { ...phase, history: { ...history, changes: mergeChanges(history.changes, changes) } });
  }
}

/** All that is done again is told why; what a human said to the phase it begins with stands there already, as a decision. */
function tellWhy(
  state: DraftState,
  { target, by, phase: from, reason, cause, verdicts }: Reverting,
  voided: ReadonlySet<string>,
): void {
  const followers = followersOf(target, state.plan);
  for (const { id, type } of state.plan.phases) {
    if (!voided.has(id) || isJudge({ type })) continue;
    const told = by === 'human' && id === target ? undefined : reason;
    const beside = followers.has(id) ? {} : { beside: true };
    const why: Return = { by, from, target, verdicts, ...beside, ...present({ reason: told, cause }) };
    update(state, id, { returns: [...(phaseOf(state, id).returns ?? []), why] });
  }
}

/** To be done again from where its first attempt began: in a repository that is what is accepted by then. */
function startedAnew(phase: PhaseState, inRepository: boolean): PhaseState {
  const { id, history, climbed, baseTree } = phase;
  const beginning = inRepository || baseTree === undefined ? {} : { baseTree, judgedTree: baseTree };
  return { ...fresh(id), status: 'voided', history, climbed, ...beginning };
}

/** A human let work pass that a gate rejects: the verdicts stand as they are, and do not hold it up any more. */
export function overrule(state: DraftState, phase: PhaseState, by: Overruling): void {
  const { current } = phase;
  if (current?.tree === undefined) return;
  // What could not be judged to the end has the verdicts heard by then; those of the attempt before it are not its own.
  const unjudged = current.verdicts === undefined;
  const verdicts = unjudged ? (current.heard ?? []) : phase.lastVerdicts;
  const override = { ...by, attempt: current.attempt, waived: verdicts.length };
  put(state, {
    ...phase,
    status: 'running',
    rung: without(phase.rung, 'blocked'),
    lastVerdicts: verdicts,
    current: { ...current, stage: 'judged', ...(!unjudged && { verdicts }) },
    rulings: { ...phase.rulings, override },
  });
}

type Overruling = { readonly request: string; readonly actor: string; readonly reason: string };
