import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../../../test/scratch.ts';
import { holdWork, lockedWork, tryWork } from './work-lock.ts';

it('worktrees that somebody holds are not given to anybody else, others are', () => {
  const cache = scratch();
  const release = holdWork(cache, 'r1');
  expect(tryWork(cache, 'r1')).toBeUndefined();
  expect(lockedWork(cache)).toEqual(['r1']);
  tryWork(cache, 'r2')?.();
  release();
  expect(readdirSync(join(cache, 'locks'))).toEqual([]);
  tryWork(cache, 'r1')?.();
});

it('a lock whose file was taken away and made anew is another one', () => {
  const cache = scratch();
  const first = holdWork(cache, 'r1');
  rmSync(join(cache, 'locks', 'r1.lock'));
  const second = tryWork(cache, 'r1');
  expect(second).toBeDefined();
  expect(tryWork(cache, 'r1')).toBeUndefined();
  second?.();
  first();
});

it('whoever holds worktrees keeps them when they are asked for in the same process', () => {
  const cache = scratch();
  const release = holdWork(cache, 'r1');
  expect(tryWork(cache, 'r1')).toBeUndefined();
  const module = new URL('./work-lock.ts', import.meta.url).href;
  const other = `import { tryWork } from ${JSON.stringify(module)}; console.log(tryWork(${JSON.stringify(cache)}, 'r1') === undefined);`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', other];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('true\n');
  release();
});
