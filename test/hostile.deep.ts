import { expect, it } from 'vitest';
import { allAttacks } from './attacks.ts';
import { expectNoticed, runWith } from './planted-bug.ts';

it.each(allAttacks())('$name gets through once what holds it off is taken away', ({
  name,
  shows,
  mends,
  by = ['test/hostile.test.ts', `${name}, `],
}) => {
  const [first, ...others] = mends;
  if (first === undefined) throw new Error(`nothing holds off ${name}`);
  const bug = { what: shows, by, ...first, others } as const;
  expectNoticed(bug);
  const { status, output } = runWith(bug, true);
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  expect(output).toMatch(/Tests {2}\d+ passed/);
});
