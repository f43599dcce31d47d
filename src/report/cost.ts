import type { Cost, RunEvent } from '../domain/run-event.ts';
import type { RunState } from '../domain/run-state.ts';

/** What the run cost so far, as sure as its least sure part; only the events tell reported from estimated amounts. */
export function runCost(state: RunState, events: readonly RunEvent[] = []): Cost {
  const { usd, unknown, tokens } = state.spent;
  return {
    ...((usd > 0 || unknown === 0) && { usd }),
    basis: basisOf(state, events),
    tokens,
  };
}

/** An amount for people, which says when it is not the whole truth. */
export function renderCost(cost: Cost | undefined): string {
  if (cost?.usd === undefined) return 'unknown cost';
  const amount = `${cost.usd.toFixed(cost.usd > 0 && cost.usd < 0.01 ? 4 : 2)} USD`;
  if (cost.basis === 'unknown') return `at least ${amount}`;
  return cost.basis === 'reported' ? amount : `${amount} (${cost.basis})`;
}

function basisOf(state: RunState, events: readonly RunEvent[]): Cost['basis'] {
  if (state.simulated) return 'simulated';
  if (state.spent.unknown > 0) return 'unknown';
  const estimated = events.some((event) => 'cost' in event.data && event.data.cost?.basis === 'estimated');
  return estimated ? 'estimated' : 'reported';
}
