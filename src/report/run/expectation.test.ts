import { expect, it } from 'vitest';
import { NO_SPENDING } from '../../domain/facts/spending.ts';
import { expectationWords, type Sample } from './expectation.ts';

function sample(seconds: number, usd?: number): Sample {
  const known = usd === undefined ? { unknown: 1 } : { usd, known: 1 };
  return { ms: seconds * 1000, spending: { ...NO_SPENDING, ...known } };
}

it.each<[string, readonly Sample[], string]>([
  ['nothing', [], 'no data: no run like this has ended here'],
  ['one run', [sample(62, 0.31)], '0.31 USD, 1m 02s (from 1 run here)'],
  ['a few', [sample(240, 0.2), sample(62, 0.31)], '0.20 to 0.31 USD, 1m 02s to 4m 00s (from 2 runs here)'],
  ['a cost nobody knows', [sample(62)], 'cost unknown, 1m 02s (from 1 run here)'],
  ['some costs unknown', [sample(62), sample(2, 0.5)], '0.50 USD, 2s to 1m 02s (from 2 runs here)'],
  [
    'many, of which one is odd',
    [...Array.from({ length: 9 }, (_, n) => sample(60 + n, 1)), sample(50_000, 90)],
    '1.00 USD, 1m 01s to 1m 08s (from 10 runs here)',
  ],
])('from %s comes an interval', (_, samples, words) => {
  expect(expectationWords(samples)).toBe(words);
});
