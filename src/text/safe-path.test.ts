import { describe, expect, it } from 'vitest';
import { joinPath, normalisePath, unsafePath } from './safe-path.ts';

describe('unsafePath', () => {
  it.each([
    'a',
    'a/b.md',
    './a',
    'a/../b',
    'src/**/*',
    '.github/ci.yml',
    'a..b/c',
    'a/{b,c}.md',
    'ünï/x',
    '...',
  ])('accepts %s', (path) => {
    expect(unsafePath(path)).toBeUndefined();
  });

  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['/etc/passwd', 'is absolute; write it relative'],
    ['//host/x', 'is absolute; write it relative'],
    ['..', 'leaves its directory'],
    ['../x', 'leaves its directory'],
    ['a/../../x', 'leaves its directory'],
    ['{..,a}/x', 'leaves its directory'],
    ['a/{b,..}/{c,..}/x', 'leaves its directory'],
    ['C:/x', 'starts with a drive letter; write it relative'],
    ['c:x', 'starts with a drive letter; write it relative'],
    ['a\\b', 'contains a backslash; separate folders with /'],
    ['~/x', 'starts with ~; write it relative'],
    ['a\0b', 'contains a control character'],
    ['a\nb', 'contains a control character'],
    ['a/'.repeat(600), 'is longer than 1024 characters'],
    ['a'.repeat(300), 'has a name longer than 255 characters'],
  ])('refuses %j', (path, reason) => {
    expect(unsafePath(path)).toBe(reason);
  });
});

describe('normalisePath', () => {
  it.each([
    ['./a//b', 'a/b'],
    ['a/../b', 'b'],
    ['docs/', 'docs/**'],
    ['./', '.'],
    ['.', '.'],
  ])('writes %s as %s', (path, expected) => {
    expect(normalisePath(path)).toBe(expected);
  });

  it('joins below a directory', () => {
    expect(joinPath('.', 'a.md')).toBe('a.md');
    expect(joinPath('src/helix', './b.py')).toBe('src/helix/b.py');
  });
});
