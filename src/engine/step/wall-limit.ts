import { timeoutMs } from '../../domain/ladder/budget.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { AgentEnd } from '../../ports/agent.ts';

/** How long an agent may take, and what it means when it was stopped for taking longer. */
export type WallLimit = { readonly ms: number; readonly explain: (end: AgentEnd) => AgentEnd };

/** The time an attempt has: its own limit, or what of the budget is reserved for it where that is less. */
export function wallLimit(phase: Phase, reservedMs: number | undefined): WallLimit {
  const own = timeoutMs(phase);
  if (reservedMs === undefined || reservedMs >= own) return { ms: own, explain: (end) => end };
  return {
    ms: reservedMs,
    explain: (end) => (end.kind === 'interrupted' && end.failure === 'timeout_wall' ? outOfBudget(end) : end),
  };
}

function outOfBudget(end: Extract<AgentEnd, { kind: 'interrupted' }>): AgentEnd {
  return { ...end, failure: 'budget', message: 'its share of the agent minutes of the budget is used up' };
}
