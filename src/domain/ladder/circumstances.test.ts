import { expect, it } from 'vitest';
import type { Tried } from '../facts/run-event.ts';
import { baselineLines } from './circumstances.ts';

it('what failed before anybody worked names tests only where some failed', () => {
  const tried = (failed: readonly string[], total: number) =>
    ({ command: 'tests_pass: npm test', outcome: 'reject', tests: { total, failed } }) as unknown as Tried;
  const [none, some] = baselineLines([tried([], 0), tried(['adds', 'sums'], 20)]);
  expect(none).toMatch(/ failed$/);
  expect(some).toMatch(/ failed, 2 of 20 tests: adds; sums$/);
});
