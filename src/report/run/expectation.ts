import type { Spending } from '../../domain/facts/spending.ts';
import { interval, range } from '../words/interval.ts';
import { renderDuration } from '../words/time.ts';

/** What an earlier run took and cost. */
export type Sample = { readonly ms: number; readonly spending: Spending };

/** What the next run can be expected to take and cost: an interval from earlier ones, in words. */
export function expectationWords(samples: readonly Sample[]): string {
  if (samples.length === 0) return 'no data: no run like this has ended here';
  const times = interval(samples.map(({ ms }) => ms));
  const costs = interval(
    samples.flatMap(({ spending: { usd, known, unknown } }) => (known > 0 && unknown === 0 ? [usd] : [])),
  );
  const money =
    costs === undefined
      ? 'cost unknown'
      : range(
          costs.map((usd) => usd.toFixed(2)),
          'USD',
        );
  const time = range((times ?? []).map(renderDuration));
  return `${money}, ${time} (from ${samples.length} run${samples.length === 1 ? '' : 's'} here)`;
}
