import { describe, expect, it } from 'vitest';
import { workMeter } from '../../test/work-meter.ts';
import { globBase, globMatcher, globProblem, isGlob } from './glob.ts';

describe('globMatcher', () => {
  it.each([
    ['src/**/*', 'src/a.ts', true],
    ['src/**/*', 'src/a/b/c.ts', true],
    ['src/**/*', 'lib/a.ts', false],
    ['**/*.py', 'a.py', true],
    ['**/*.py', 'x/y/a.py', true],
    ['**', 'x/y', true],
    ['docs/**', 'docs/a/b.md', true],
    ['docs/**', 'docs', false],
    ['a/**/b/**/c', 'a/b/x/b/c', true],
    ['a/**/b/**/c', 'a/x/c', false],
    ['*.md', 'a.md', true],
    ['*.md', 'a/b.md', false],
    ['ADR-*.md', 'ADR-.md', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?c', 'a🚀c', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[a', '[a', true],
    ['{a,b}.{ts,js}', 'b.js', true],
    ['{a,{b,c}}.ts', 'c.ts', true],
    ['{src,test}/**', 'test/x', true],
    ['}a{b,c}', '}ac', true],
    ['{a', '{a', true],
    ['a.c', 'abc', false],
    ['A.md', 'a.md', false],
    ['a+(b)', 'a+(b)', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(globMatcher(pattern)(path)).toBe(expected);
  });

  it.each([
    ['*', '.env', false],
    ['?env', '.env', false],
    ['[.]env', '.env', false],
    ['.*', '.env', true],
    ['a/*', 'a/.env', false],
    ['**/*', '.env', true],
    ['**/*', '.github/ci.yml', true],
    ['config/**', 'config/.secret', true],
  ])('a leading dot, %s on %s: %s', (pattern, path, expected) => {
    expect(globMatcher(pattern)(path)).toBe(expected);
  });

  it('takes little time for patterns made to explode', () => {
    const work = workMeter();
    expect(globMatcher(`${'*a'.repeat(400)}b`)('a'.repeat(3000))).toBe(false);
    expect(globMatcher(`${'**/a/'.repeat(150)}b`)('a/'.repeat(2000))).toBe(false);
    expect(work()).toBeLessThan(300);
  });

  it('refuses patterns that are too long or have too many alternatives', () => {
    expect(globProblem('a'.repeat(2000))).toBe('is longer than 1024 characters');
    expect(globProblem('{a,b}'.repeat(10))).toBe('has more than 64 alternatives');
    expect(globProblem('{a,b}/{c,d}/*.{ts,js}')).toBeUndefined();
    expect(() => globMatcher('{a,b}'.repeat(10))).toThrow('alternatives');
  });
});

describe('globBase', () => {
  it.each([
    ['src/helix/*.py', 'src/helix'],
    ['*.py', '.'],
    ['src/a.py', 'src/a.py'],
    ['a/{b,c}/d', 'a'],
  ])('of %s is %s', (pattern, base) => {
    expect(globBase(pattern)).toBe(base);
  });

  it('tells patterns from paths', () => {
    expect(['a.md', 'a*.md', 'a[1]', '{a,b}', 'a?'].map(isGlob)).toEqual([false, true, true, true, true]);
  });
});
