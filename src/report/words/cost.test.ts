import { expect, it } from 'vitest';
import type { Cost } from '../../domain/facts/run-event.ts';
import { renderCost, renderSpending, sumOf } from './cost.ts';

const PAID: Cost = { usd: 1, basis: 'reported' };
const GUESSED: Cost = { usd: 2, basis: 'estimated' };
const SUBSCRIBED: Cost = { usd: 4, basis: 'reported', equivalent: true };
const UNKNOWN: Cost = { basis: 'unknown' };

it.each<[cost: Cost | undefined, text: string]>([
  [PAID, '1.00 USD'],
  [{ usd: 0.0012, basis: 'reported' }, '0.0012 USD'],
  [{ usd: 0, basis: 'reported' }, '0.00 USD'],
  [GUESSED, '2.00 USD (estimated)'],
  [SUBSCRIBED, '4.00 USD (API-equivalent)'],
  [{ ...SUBSCRIBED, basis: 'estimated' }, '4.00 USD (API-equivalent, estimated)'],
  [{ usd: 3, basis: 'unknown' }, 'at least 3.00 USD'],
  [{ usd: 3, basis: 'simulated' }, '3.00 USD (simulated)'],
  [UNKNOWN, 'unknown cost'],
  [undefined, 'unknown cost'],
])('%j is shown as %s', (cost, text) => {
  expect(renderCost(cost)).toBe(text);
});

it.each<[costs: readonly Cost[], text: string]>([
  [[], '0.00 USD'],
  [[PAID, PAID], '2.00 USD'],
  [[PAID, GUESSED], '3.00 USD (partly estimated)'],
  [[SUBSCRIBED, SUBSCRIBED], '8.00 USD (API-equivalent)'],
  [[PAID, GUESSED, SUBSCRIBED], '7.00 USD (partly API-equivalent, partly estimated)'],
  [[SUBSCRIBED, UNKNOWN], 'at least 4.00 USD (API-equivalent)'],
  [[UNKNOWN, UNKNOWN], 'unknown cost'],
  [[PAID, { usd: 1, basis: 'simulated' }], '2.00 USD (simulated)'],
])('the sum of %j says what it is made of', (costs, text) => {
  expect(renderSpending(sumOf(costs))).toBe(text);
});

it('what is kept for unknown costs is shown as unknown, never as spent', () => {
  expect(renderSpending({ ...sumOf([UNKNOWN]), kept: 2.5 })).toBe('unknown cost, up to 2.50 USD');
  expect(renderSpending({ ...sumOf([PAID, GUESSED, UNKNOWN]), kept: 2.5 })).toBe(
    'at least 3.00 USD (partly estimated), up to 2.50 USD more unknown',
  );
});
