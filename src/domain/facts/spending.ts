import type { Cost } from './run-event.ts';

/** Many costs together: dollars and tokens as far as they are known, and how many of the costs are of which kind. */
export type Spending = {
  readonly usd: number;
  readonly tokens: number;
  readonly known: number;
  readonly unknown: number;
  readonly estimated: number;
  /** Paid by a subscription; the dollars are what the same work would have cost by the token. */
  readonly equivalent: number;
  readonly simulated: number;
  /** Dollars that may have been spent besides: reserved for attempts that broke off, and nobody knows what they cost. */
  readonly kept: number;
};

/** No cost at all. */
export const NO_SPENDING: Spending = {
  usd: 0,
  tokens: 0,
  known: 0,
  unknown: 0,
  estimated: 0,
  equivalent: 0,
  simulated: 0,
  kept: 0,
};

/** One more cost; what is unknown of it is counted, never taken for 0. */
export function plus(spending: Spending, cost: Cost): Spending {
  const { usd, tokens, known, unknown, estimated, equivalent, simulated, kept } = spending;
  return {
    usd: usd + (cost.usd ?? 0),
    tokens: tokens + (cost.tokens ?? 0),
    known: known + (cost.usd === undefined ? 0 : 1),
    unknown: unknown + (cost.usd === undefined || cost.basis === 'unknown' ? 1 : 0),
    estimated: estimated + (cost.basis === 'estimated' ? 1 : 0),
    equivalent: equivalent + (cost.equivalent === true && cost.usd !== undefined ? 1 : 0),
    simulated: simulated + (cost.basis === 'simulated' ? 1 : 0),
    kept,
  };
}
