import { expect, it } from 'vitest';
import { matchesRe2 } from './re2.ts';

it('a part of a text is found, whatever its case', () => {
  expect(matchesRe2('out of (memory|disk)', 'the test ran OUT OF Memory')).toBe(true);
  expect(matchesRe2('^memory', 'out of memory')).toBe(false);
});

it('what is no expression matches nothing, however often it is asked', () => {
  for (let n = 0; n < 2; n += 1) expect(matchesRe2('(', '(')).toBe(false);
});

it('an expression that would take for ever elsewhere is quick', () => {
  expect(matchesRe2('(a+)+$', `${'a'.repeat(50_000)}b`)).toBe(false);
});
