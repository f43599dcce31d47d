import { expect, it } from 'vitest';
import { estimateWords } from './estimate.ts';

const build = { type: 'development', judged: false };
const review = { type: 'review', judged: false };
const MINUTE = 60_000;

it('is the sum of what phases like these took, from the lowest to the highest', () => {
  const samples = [
    { ...build, run: 'a', ms: 2 * MINUTE, usd: 0.4 },
    { ...build, run: 'b', ms: 5 * MINUTE, usd: 1 },
    { ...review, run: 'b', ms: MINUTE, usd: 0.1 },
    { type: 'development', judged: true, run: 'c', ms: 60 * MINUTE, usd: 9 },
  ];
  expect(estimateWords([build, build, review], samples)).toBe('0.90 to 2.10 USD, 5m 00s to 11m 00s (from 2 runs here)');
});

it('says where there is no data, and where a cost is unknown', () => {
  expect(estimateWords([build], [])).toBe('no data: no phase like these has ended here');
  const samples = [{ ...build, run: 'a', ms: MINUTE }];
  expect(estimateWords([build, review], samples)).toBe('cost unknown, 1m 00s (from 1 run here); no data for review');
});
