import type { Purpose } from '../facts/consultation.ts';
import type { PhaseState, RunState } from '../facts/run-state.ts';
import { failureWords } from '../failure-words.ts';
import type { EscalationSettings } from '../plan/escalation-settings.ts';
import type { Gate } from '../plan/gate.ts';
import { isReview } from '../plan/judging-phase.ts';
import type { Phase } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';
import { rejectsWork, returnTargets } from './authors.ts';
import { isStuck } from './convergence.ts';
import { growthWords, hasGrown, scopeExceeded } from './growth.ts';

/** How often one attempt may be interrupted before a human is asked. */
const INTERRUPTION_CAP = 5;

/** How many answers of a consultant may be unusable before a human is asked without it. */
const REFUSAL_CAP = 2;

type HumanReason = 'exhausted' | 'interrupted' | 'blocked' | 'rejected' | 'unsure' | 'stuck' | 'proposal' | 'grown';

/** A human is asked. */
export type HumanRung = { readonly kind: 'human'; readonly reason: HumanReason; readonly because: string };

/** The next rung for a phase that is not accepted yet. */
export type Rung =
  | { readonly kind: 'attempt' }
  | { readonly kind: 'judge' }
  /** A human's own change is taken. */
  | { readonly kind: 'take' }
  /** A consultant decides how to go on, or tells what a human should know who decides. */
  | { readonly kind: 'consult'; readonly purpose: Purpose; readonly because: string }
  | HumanRung
  /** A judge sends the work back that it rejects. */
  | { readonly kind: 'send-back'; readonly targets: readonly string[] }
  | { readonly kind: 'fail'; readonly because: string };

/** The first gate that did not pass; verdicts stand in the order of the phase's gates. */
function failedGate(phase: Phase, verdicts: readonly Verdict[]): { gate: Gate; verdict: Verdict } | undefined {
  const index = verdicts.findIndex((verdict) => verdict.outcome !== 'pass');
  const verdict = verdicts[index];
  if (verdict === undefined) return undefined;
  const own = phase.gates[index];
  const gate = own?.type === verdict.gate ? own : phase.gates.find(({ type }) => type === verdict.gate);
  return { gate: gate ?? othersGate(verdict.gate, phase), verdict };
}

/** Where two trees join, a gate of another phase may object. */
function othersGate(type: string, { maxRetries }: Phase): Gate {
  return { type, settings: {}, onFailure: 'retry', maxRetries };
}

function interruptedSaying({ rung, current }: PhaseState): string {
  const { interruptions, consultantBroke, judgingBroke } = rung;
  if (consultantBroke !== undefined)
    return `its consultant was interrupted ${interruptions} times in a row; the last time ${failureWords(consultantBroke)}`;
  if (judgingBroke !== undefined && current?.stage === 'finished')
    return `judging it was interrupted ${interruptions} times in a row; the last time: ${judgingBroke}`;
  const last = current?.failure === undefined ? '' : `; the last time ${failureWords(current.failure)}`;
  return `interrupted ${interruptions} times in a row${last}`;
}

/** What follows a rejection by a judge: what the plan says, or what a human decided; an opinion is never asked again. */
function rejected(phase: Phase, state: PhaseState, run: Run): Rung {
  const { action = 'fail', max_retries = phase.maxRetries } = phase.onRejection ?? {};
  const targets = returnTargets(phase, state, run);
  const because = isReview(phase) ? REJECTED : `the approval ${phase.approvalType ?? ''} was not given`;
  if (state.overruled && targets.length > 0) return { kind: 'send-back', targets };
  if (action === 'fail') return { kind: 'fail', because };
  if (action === 'escalate' || targets.length === 0) return { kind: 'human', reason: 'rejected', because };
  const { reworks } = state.history;
  if (reworks < max_retries) return { kind: 'send-back', targets };
  const often = `${reworks} rework${reworks === 1 ? '' : 's'} of ${targets.join(', ')}`;
  return { kind: 'human', reason: 'exhausted', because: `${because} after ${often}` };
}

const REJECTED = 'its review rejects the work';
const STUCK = 'the same finding came back after every attempt to mend it';

/** What of a run the ladder goes by. */
type Run = Pick<RunState, 'plan' | 'escalation' | 'only' | 'growth'> & Partial<Pick<RunState, 'tried'>>;

/** How many attempts the rung has that a phase stands on. */
export function attemptsOf(
  gate: Gate,
  { climbed: { granted, consulted }, matched }: PhaseState,
  { consultant }: EscalationSettings,
): number {
  if (granted) return gate.maxRetries;
  if (matched?.level === 'stufe-2') return 1;
  if (consulted) return consultant.attempts ?? gate.maxRetries;
  const climbs = gate.onFailure === 'escalation' || matched?.level === 'stufe-1';
  return climbs ? 1 : gate.maxRetries;
}

/**
 * What follows a review that rejects. The same work is not read again: its authors rework it, as often as the gate says on each
 * rung, and then the ladder goes on.
 */
function reviewed(gate: Gate, { phase, state, run }: Reviewed): Rung {
  if (phase.onRejection !== undefined) return rejected(phase, state, run);
  const { matched, climbed, rung } = state;
  if (gate.onFailure === 'abort') return { kind: 'fail', because: REJECTED };
  if (matched?.action === 'abort') return { kind: 'fail', because: `${REJECTED}: ${matched.pattern}` };
  const targets = returnTargets(phase, state, run);
  // Where nobody of this run made the work, only a human can know that it is another one now.
  if (targets.length === 0)
    return climbed.granted && state.overruled
      ? { kind: 'attempt' }
      : { kind: 'human', reason: 'rejected', because: `${REJECTED}, and no phase of this run made it` };
  if (isStuck(phase, state) && !climbed.granted) return beyond(state, run, { reason: 'stuck', because: STUCK });
  if (rung.reworks < reworksOf(gate, state, run.escalation)) return { kind: 'send-back', targets };
  const { reworks } = state.history;
  const often = reworks === 0 ? '' : ` after ${reworks} rework${reworks === 1 ? '' : 's'} of ${targets.join(', ')}`;
  return beyond(state, run, { reason: 'exhausted', because: `${REJECTED}${often}` });
}

type Reviewed = { readonly phase: Phase; readonly state: PhaseState; readonly run: Run };

/** How many reworks the rung has that a review stands on: none where it is to climb at once. */
function reworksOf(gate: Gate, state: PhaseState, settings: EscalationSettings): number {
  const { climbed, matched } = state;
  const climbs = matched !== undefined || gate.onFailure === 'escalation';
  if (!climbed.granted && (matched?.level === 'stufe-2' || (climbs && !climbed.consulted))) return 0;
  return attemptsOf(gate, state, settings);
}

function triedSaying(
  { type }: Gate,
  { gates }: Phase,
  { matched, climbed, history, returns, feedback }: PhaseState,
): string {
  if (matched?.level === 'stufe-2' && !climbed.granted)
    return `its gate ${type} failed with what only a human can mend: ${matched.pattern}`;
  // Work that came back from elsewhere had passed before.
  if (returns !== undefined || feedback !== undefined)
    return `its gate ${type} failed in the last of its ${history.judged} attempts`;
  // Of several gates it is not counted which one an attempt failed.
  return gates.length > 1 && history.judged > 1
    ? `none of its ${history.judged} attempts passed its gates; the last failed ${type}`
    : `its gate ${type} failed ${history.judged} time${history.judged === 1 ? '' : 's'}`;
}

/** What a command that failed on the untouched tree says of the attempts: perhaps none of them could have passed. */
function failedBefore({ type, settings }: Gate, { tried = [] }: Run): string {
  const command = JSON.stringify([type, settings.command ?? 'detected']);
  const before = tried.find((each) => each.command === command);
  if (before === undefined || before.outcome === 'pass' || before.tests !== undefined) return '';
  return ', and its command failed before anybody worked, too';
}

/** The rung above the attempts: a consultant who decides, then one who advises the human. */
function beyond(state: PhaseState, { escalation }: Run, why: Omit<HumanRung, 'kind'>): Rung {
  const { matched } = state;
  const { granted, consulted } = state.climbed;
  const { refusals, advice } = state.rung;
  const human: HumanRung = { kind: 'human', ...why };
  if (matched?.level === 'stufe-2' && !granted) return human;
  if (advice !== undefined) return consulted || granted ? human : { ...human, reason: 'proposal' };
  if (escalation.consultant.attempts === 0 || refusals >= REFUSAL_CAP) return human;
  const purpose = consulted || granted ? 'advise' : 'decide';
  return { kind: 'consult', purpose, because: why.because };
}

/** The ladder: what follows for a phase, from nothing but its history. */
export function ladder(phase: Phase, state: PhaseState, run: Run): Rung {
  const { blocked, interruptions, taking, judged } = state.rung;
  if (blocked !== undefined) {
    return { kind: 'human', reason: 'blocked', because: `${failureWords(blocked.failure)}: ${blocked.message}` };
  }
  if (interruptions >= INTERRUPTION_CAP) {
    return { kind: 'human', reason: 'interrupted', because: interruptedSaying(state) };
  }
  if (taking !== undefined) return { kind: 'take' };
  if (hasGrown(state, run)) return { kind: 'human', reason: 'grown', because: growthWords(state, run) };
  if (state.current?.stage === 'finished') return { kind: 'judge' };
  const failed = failedGate(phase, state.lastVerdicts);
  if (failed === undefined) return { kind: 'attempt' };
  const { gate } = failed;
  const unsure = state.lastVerdicts.every((verdict) => verdict.outcome === 'pass' || verdict.unsure === true);
  // Who was asked about this very judgement has answered it.
  if (unsure && judged > 0)
    return { kind: 'human', reason: 'unsure', because: 'its judge would approve but is not sure' };
  const scope = scopeExceeded(state.lastVerdicts, run);
  if (scope !== undefined && judged > 0) return { kind: 'human', reason: 'grown', because: `its judge says: ${scope}` };
  if (rejectsWork(phase, state)) return reviewed(gate, { phase, state, run });
  const stuck = isStuck(phase, state) && !state.climbed.granted;
  if (phase.type === 'approval') {
    return stuck ? { kind: 'human', reason: 'stuck', because: STUCK } : rejected(phase, state, run);
  }
  const { matched, current } = state;
  if (gate.onFailure === 'abort') return { kind: 'fail', because: `its gate ${gate.type} failed` };
  if (matched?.action === 'abort')
    return { kind: 'fail', because: `its gate ${gate.type} failed with what ends a run: ${matched.pattern}` };
  if (current?.manual === true && judged > 0)
    return { kind: 'human', reason: 'exhausted', because: `your change did not pass its gate ${gate.type}` };
  if (!stuck && judged < attemptsOf(gate, state, run.escalation)) return { kind: 'attempt' };
  return stuck
    ? beyond(state, run, { reason: 'stuck', because: STUCK })
    : beyond(state, run, { reason: 'exhausted', because: triedSaying(gate, phase, state) + failedBefore(gate, run) });
}
