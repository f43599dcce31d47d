import type { RunCost } from '../../domain/documents/documents.ts';
import type { Cost } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { NO_SPENDING, plus, type Spending } from '../../domain/facts/spending.ts';

/** What a run cost so far, as sure as its least sure part. */
export function runCost(state: RunState): RunCost {
  const { usd, known, unknown, tokens } = state.spent;
  return { ...((known > 0 || unknown === 0) && { usd }), basis: basisOf(spendingOf(state)), tokens };
}

/** What a run has spent; whatever a simulated one costs is simulated. */
export function spendingOf({ spent, simulated }: RunState): Spending {
  return simulated ? { ...spent, simulated: Math.max(1, spent.known) } : spent;
}

/** Several costs together. */
export function sumOf(costs: readonly Cost[]): Spending {
  return costs.reduce(plus, NO_SPENDING);
}

/** An amount for people, which says when it is not the whole truth. */
export function renderCost(cost: Cost | undefined): string {
  return cost === undefined ? 'unknown cost' : renderSpending(plus(NO_SPENDING, cost));
}

/** A sum for people, which says what of it is estimated, unknown or paid by a subscription. */
export function renderSpending(spending: Spending): string {
  const { usd, known, unknown, kept } = spending;
  if (known === 0 && unknown > 0) return `unknown cost${kept > 0 ? `, up to ${kept.toFixed(2)} USD` : ''}`;
  const amount = `${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)} USD`;
  const labels = labelsOf(spending).join(', ');
  const besides = kept > 0 ? `, up to ${kept.toFixed(2)} USD more unknown` : '';
  return `${unknown > 0 ? 'at least ' : ''}${amount}${labels === '' ? '' : ` (${labels})`}${besides}`;
}

function labelsOf({ known, simulated, equivalent, estimated }: Spending): string[] {
  if (simulated > 0) return ['simulated'];
  const label = (count: number, name: string) => (count === 0 ? [] : [count < known ? `partly ${name}` : name]);
  return [...label(equivalent, 'API-equivalent'), ...label(estimated, 'estimated')];
}

function basisOf({ known, unknown, simulated, equivalent, estimated }: Spending): RunCost['basis'] {
  if (simulated > 0) return 'simulated';
  if (unknown > 0) return 'unknown';
  if (equivalent > 0) return equivalent < known ? 'mixed' : 'equivalent';
  return estimated > 0 ? 'estimated' : 'reported';
}
