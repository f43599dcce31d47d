import type { Gate } from './gate.ts';
import type { Phase } from './plan.ts';
import type { PhaseState } from './run-state.ts';
import type { Verdict } from './verdict.ts';

/** How often one attempt may be interrupted before a human is asked. */
const INTERRUPTION_CAP = 5;

/** The next rung for a phase that is not accepted yet. */
export type Rung =
  | { readonly kind: 'attempt' }
  | { readonly kind: 'judge' }
  | { readonly kind: 'human'; readonly reason: 'exhausted' | 'interrupted' | 'blocked'; readonly because: string }
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

/** The ladder: what follows for a phase, from nothing but its history. */
export function ladder(phase: Phase, state: PhaseState): Rung {
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
  if (gate.onFailure === 'abort') return { kind: 'fail', because: `its gate ${gate.type} failed` };
  const attempts = gate.onFailure === 'escalation' && !state.granted ? 1 : gate.maxRetries;
  if (state.judgedOnRung < attempts) return { kind: 'attempt' };
  return { kind: 'human', reason: 'exhausted', because: `its gate ${gate.type} failed ${state.judged} times` };
}
