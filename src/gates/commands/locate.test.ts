import { expect, it } from 'vitest';
import { locator } from './locate.ts';

const PATHS = [
  'src/a.ts',
  'src/case.py',
  'packages/x/src/b.ts',
  'packages/y/src/b.ts',
  'pkg/c/c_test.go',
  'root.go',
  'sub/root.go',
];
const locate = locator('/scratch/1', PATHS);
const file = (written: string) => locate([{ file: written, line: 1 }])?.file;

it.each<[string, string | undefined]>([
  ['src/a.ts', 'src/a.ts'],
  ['./src/a.ts', 'src/a.ts'],
  ['/scratch/1/src/a.ts', 'src/a.ts'],
  ['/private/scratch/1/src/a.ts', 'src/a.ts'],
  ['a.ts', 'src/a.ts'],
  ['example.com/m/pkg/c/c_test.go', 'pkg/c/c_test.go'],
  ['x/src/b.ts', 'packages/x/src/b.ts'],
  ['src/b.ts', undefined],
  ['/usr/lib/python3/case.py', undefined],
  ['/scratch/2/src/a.ts', undefined],
  ['../src/a.ts', undefined],
  ['node_modules/dep/a.ts', undefined],
  ['gone.ts', undefined],
  ['root.go', 'root.go'],
])('%s means %s', (written, expected) => {
  expect(file(written)).toBe(expected);
});

it('the first place that is in the tree is taken, with its line and column', () => {
  const places = [
    { file: '/usr/lib/x.js', line: 9, column: 9 },
    { file: 'src/a.ts', line: 2, column: 3 },
    { file: 'root.go', line: 4 },
  ];
  expect(locate(places)).toEqual({ file: 'src/a.ts', line: 2, column: 3 });
  expect(locate(places.slice(2))).toEqual({ file: 'root.go', line: 4 });
  expect(locate([])).toBeUndefined();
});
