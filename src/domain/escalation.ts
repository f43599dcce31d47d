import { isStuck } from './convergence.ts';
import type { Gate } from './gate.ts';
import type { Phase, Plan } from './plan.ts';
import type { PhaseState } from './run-state.ts';
import type { Verdict } from './verdict.ts';

/** How often one attempt may be interrupted before a human is asked. */
const INTERRUPTION_CAP = 5;

type HumanReason = 'exhausted' | 'interrupted' | 'blocked' | 'rejected' | 'unsure' | 'stuck';

/** The next rung for a phase that is not accepted yet. */
export type Rung =
  | { readonly kind: 'attempt' }
  | { readonly kind: 'judge' }
  | { readonly kind: 'human'; readonly reason: HumanReason; readonly because: string }
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

function interruptedSaying({ interruptions, current }: PhaseState): string {
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
  if (state.reworks < max_retries) return { kind: 'send-back', target };
  return {
    kind: 'human',
    reason: 'exhausted',
    because: `${because} after ${state.reworks} rework${state.reworks === 1 ? '' : 's'} of ${target}`,
  };
}

/** The ladder: what follows for a phase, from nothing but its history. */
export function ladder(phase: Phase, state: PhaseState, plan: Plan): Rung {
  if (state.blocked !== undefined) {
    return { kind: 'human', reason: 'blocked', because: `${state.blocked.failure}: ${state.blocked.message}` };
  }
  if (state.interruptions >= INTERRUPTION_CAP) {
    return { kind: 'human', reason: 'interrupted', because: interruptedSaying(state) };
  }
  if (state.current?.stage === 'finished') return { kind: 'judge' };
  const failed = failedGate(phase, state.lastVerdicts);
  if (failed === undefined) return { kind: 'attempt' };
  const { gate } = failed;
  const unsure = state.lastVerdicts.every((verdict) => verdict.outcome === 'pass' || verdict.unsure === true);
  // Who was asked about this very judgement has answered it.
  if (unsure && state.judgedOnRung > 0)
    return { kind: 'human', reason: 'unsure', because: 'its judge would approve but is not sure' };
  if (isStuck(phase, state) && !state.granted)
    return { kind: 'human', reason: 'stuck', because: 'the same finding came back after every attempt to mend it' };
  if (phase.type === 'approval') return rejected(phase, state, plan);
  if (gate.onFailure === 'abort') return { kind: 'fail', because: `its gate ${gate.type} failed` };
  const attempts = gate.onFailure === 'escalation' && !state.granted ? 1 : gate.maxRetries;
  if (state.judgedOnRung < attempts) return { kind: 'attempt' };
  return { kind: 'human', reason: 'exhausted', because: `its gate ${gate.type} failed ${state.judged} times` };
}
