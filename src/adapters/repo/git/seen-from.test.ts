import { expect, it } from 'vitest';
import { seenFrom } from './seen-from.ts';

it.each([
  ['', 'a/b.txt', 'a/b.txt'],
  ['app', 'app/b.txt', 'b.txt'],
  ['app', 'lib/b.txt', '../lib/b.txt'],
  ['app', 'application', '../application'],
  ['app/core', 'app/b.txt', '../b.txt'],
  ['app', 'app', '../app'],
  ['app/core', 'app', '../../app'],
  ['app/core', 'app/core', '../core'],
])('from %j the path %j is %j: what is in the place of a directory lies outside it', (directory, path, seen) => {
  expect(seenFrom(directory, path)).toBe(seen);
});
