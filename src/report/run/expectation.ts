import type { Spending } from '../../domain/facts/spending.ts';
import { renderDuration } from '../words/time.ts';

/** What an earlier run took and cost. */
export type Sample = { readonly ms: number; readonly spending: Spending };

/** From this many runs on, one in ten at each end is left out: one odd run says little about the next. */
const ENOUGH = 10;

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

function interval(values: readonly number[]): readonly number[] | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const cut = sorted.length >= ENOUGH ? Math.floor(sorted.length / ENOUGH) : 0;
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0];
}

function range([low = '', high = '']: readonly string[], unit = ''): string {
  return `${low === high ? low : `${low} to ${high}`}${unit === '' ? '' : ` ${unit}`}`;
}
