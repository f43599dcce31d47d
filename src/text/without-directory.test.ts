import { expect, it } from 'vitest';
import { withoutDirectory } from './without-directory.ts';

it('writes paths as seen from a directory, and the directory itself as a dot', () => {
  const at = (text: string) => withoutDirectory(text, '/scratch/1');
  expect(at('at file:///scratch/1/a.ts and /scratch/1/b.ts')).toBe('at a.ts and b.ts');
  expect(at('rootdir: /scratch/1\ncd "/scratch/1" && ls')).toBe('rootdir: .\ncd "." && ls');
  expect(at('/private/scratch/1/c.ts:3 in /private/scratch/1')).toBe('c.ts:3 in .');
});

it('leaves other paths alone, also those that only begin alike', () => {
  const at = (text: string) => withoutDirectory(text, '/scratch/1');
  expect(at('/scratch/12/a.ts /scratch/1.old/b.ts /scratch/2')).toBe('/scratch/12/a.ts /scratch/1.old/b.ts /scratch/2');
  expect(withoutDirectory('nothing', '')).toBe('nothing');
});
