import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { holdWork, locksIn, tryWork } from './work-lock.ts';

it('worktrees that somebody holds are not given to anybody else, others are', () => {
  const cache = scratch();
  const release = holdWork(cache, 'r1');
  expect(tryWork(cache, 'r1')).toBeUndefined();
  tryWork(cache, 'r2')?.();
  release();
  expect(existsSync(join(locksIn(cache), 'r1'))).toBe(false);
  tryWork(cache, 'r1')?.();
});

it('a lock whose file was taken away and made anew is another one', () => {
  const cache = scratch();
  const first = holdWork(cache, 'r1');
  rmSync(join(locksIn(cache), 'r1'));
  const second = tryWork(cache, 'r1');
  expect(second).toBeDefined();
  expect(tryWork(cache, 'r1')).toBeUndefined();
  second?.();
  first();
});
