import { leftMs } from '../domain/budget.ts';
import type { Phase } from '../domain/plan.ts';
import type { RunState } from '../domain/run-state.ts';
import type { AgentEnd } from '../ports.ts';

const DEFAULT_TIMEOUT_SECONDS = 3600;

/** How long an agent may take, and what it means when it was stopped for taking longer. */
export type WallLimit = { readonly ms: number; readonly explain: (end: AgentEnd) => AgentEnd };

/** The time an attempt has: its own limit, or what is left of the budget where that is less. */
export function wallLimit(phase: Phase, state: RunState): WallLimit {
  const own = (phase.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  const left = leftMs(phase, state);
  if (left === undefined || left >= own) return { ms: own, explain: (end) => end };
  return {
    ms: Math.max(1, Math.round(left)),
    explain: (end) => (end.kind === 'interrupted' && end.failure === 'timeout_wall' ? outOfBudget(end) : end),
  };
}

function outOfBudget(end: Extract<AgentEnd, { kind: 'interrupted' }>): AgentEnd {
  return { ...end, failure: 'budget', message: 'the agent minutes of the budget are used up' };
}
