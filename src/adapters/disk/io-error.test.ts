import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { ioError } from './io-error.ts';

function refused(path: string): unknown {
  const error = Object.assign(new Error('ENOENT: no such file or directory'), {
    code: 'ENOENT',
    syscall: 'mkdir',
    path,
  });
  return ioError(error, path);
}

it('a directory that cannot be made although nothing is in its way is a failing machine, whatever Node calls it', () => {
  const dir = scratch();
  expect(refused(join(dir, 'a/b'))).toMatchObject({ code: 'machine' });
});

it('a link to nowhere in the place of a directory is no failing machine', () => {
  const dir = scratch();
  symlinkSync('nowhere', join(dir, 'link'));
  let error: unknown;
  try {
    mkdirSync(join(dir, 'link/b'), { recursive: true });
  } catch (thrown) {
    error = thrown;
  }
  expect(ioError(error, dir)).toMatchObject({ code: 'io' });
});

it('code that cannot be loaded for want of file handles is a failing machine', () => {
  const error = new Error('Cannot read package config /x/package.json: too many open files.');
  expect(ioError(error, 'a file')).toMatchObject({ code: 'machine' });
});
