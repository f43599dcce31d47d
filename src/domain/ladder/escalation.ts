import type { Purpose } from '../facts/consultation.ts';
import type { PhaseState, RunState } from '../facts/run-state.ts';
import type { EscalationSettings } from '../plan/escalation-settings.ts';
import type { Gate } from '../plan/gate.ts';
import type { Phase, Plan } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';
import { isStuck } from './convergence.ts';

/** How often one attempt may be interrupted before a human is asked. */
const INTERRUPTION_CAP = 5;

/** How many answers of a consultant may be unusable before a human is asked without it. */
const REFUSAL_CAP = 2;

type HumanReason = 'exhausted' | 'interrupted' | 'blocked' | 'rejected' | 'unsure' | 'stuck' | 'proposal';

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
  /** An approval phase sends the work back that it rejects. */
  | { readonly kind: 'send-back'; readonly target: string }
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
    return `its consultant was interrupted ${interruptions} times in a row, the last time by ${consultantBroke}`;
  if (judgingBroke !== undefined && current?.stage === 'finished')
    return `judging it was interrupted ${interruptions} times in a row, the last time by ${judgingBroke}`;
  const last = current?.failure === undefined ? '' : `, the last time by ${current.failure}`;
  return `interrupted ${interruptions} times in a row${last}`;
}

/** The phase whose work an approval phase judges: the one the plan names, else the last it depends on. */
export function reworkTarget(phase: Phase, { phases }: Plan): string | undefined {
  const makers = phases.filter(({ id, type }) => type !== 'approval' && phase.dependsOn.includes(id));
  return phase.onRejection?.target_phase ?? makers.at(-1)?.id;
}

/** What follows a rejection in an approval phase: what the plan says, or what a human decided; an opinion is never asked again. */
function rejected(phase: Phase, state: PhaseState, plan: Plan): Rung {
  const { action = 'fail', max_retries = phase.maxRetries } = phase.onRejection ?? {};
  const target = reworkTarget(phase, plan);
  const because = `the approval ${phase.approvalType ?? ''} was not given`;
  if (state.overruled && target !== undefined) return { kind: 'send-back', target };
  if (action === 'fail') return { kind: 'fail', because };
  if (action === 'escalate' || target === undefined) return { kind: 'human', reason: 'rejected', because };
  if (state.history.reworks < max_retries) return { kind: 'send-back', target };
  return {
    kind: 'human',
    reason: 'exhausted',
    because: `${because} after ${state.history.reworks} rework${state.history.reworks === 1 ? '' : 's'} of ${target}`,
  };
}

const STUCK = 'the same finding came back after every attempt to mend it';

/** What of a run the ladder goes by. */
type Run = Pick<RunState, 'plan' | 'escalation'>;

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

function triedSaying({ type }: Gate, { matched, climbed, history }: PhaseState): string {
  return matched?.level === 'stufe-2' && !climbed.granted
    ? `its gate ${type} failed with what only a human can mend: ${matched.pattern}`
    : `its gate ${type} failed ${history.judged} time${history.judged === 1 ? '' : 's'}`;
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
  const { plan } = run;
  const { blocked, interruptions, taking, judged } = state.rung;
  if (blocked !== undefined) {
    return { kind: 'human', reason: 'blocked', because: `${blocked.failure}: ${blocked.message}` };
  }
  if (interruptions >= INTERRUPTION_CAP) {
    return { kind: 'human', reason: 'interrupted', because: interruptedSaying(state) };
  }
  if (taking !== undefined) return { kind: 'take' };
  if (state.current?.stage === 'finished') return { kind: 'judge' };
  const failed = failedGate(phase, state.lastVerdicts);
  if (failed === undefined) return { kind: 'attempt' };
  const { gate } = failed;
  const unsure = state.lastVerdicts.every((verdict) => verdict.outcome === 'pass' || verdict.unsure === true);
  // Who was asked about this very judgement has answered it.
  if (unsure && judged > 0)
    return { kind: 'human', reason: 'unsure', because: 'its judge would approve but is not sure' };
  const stuck = isStuck(phase, state) && !state.climbed.granted;
  if (phase.type === 'approval') {
    return stuck ? { kind: 'human', reason: 'stuck', because: STUCK } : rejected(phase, state, plan);
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
    : beyond(state, run, { reason: 'exhausted', because: triedSaying(gate, state) });
}
