import { expect, it } from 'vitest';
import { wilsonInterval } from './wilson-interval.ts';

/** Reference values of the score interval, to four places. */
it.each([
  [0, 10, 0, 0.2775],
  [1, 10, 0.0179, 0.4042],
  [5, 10, 0.2366, 0.7634],
  [10, 10, 0.7225, 1],
  [1, 40, 0.0044, 0.1288],
  [81, 263, 0.2553, 0.3662],
  [0, 0, 0, 1],
])('%i of %i lie between %f and %f', (happened, trials, low, high) => {
  const interval = wilsonInterval(happened, trials);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});
