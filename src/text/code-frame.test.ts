import { describe, expect, it } from 'vitest';
import { renderCodeFrame } from './code-frame.ts';

describe('renderCodeFrame', () => {
  it('puts a caret under the column', () => {
    expect(renderCodeFrame('a: 1\nphases: x\n', { line: 2, column: 9 })).toBe('2 | phases: x\n  |         ^');
  });

  it('shows the line alone when no column is known', () => {
    expect(renderCodeFrame('a: 1\r\n', { line: 1 })).toBe('1 | a: 1');
  });

  it('points behind the end of a line, and at nothing beyond it', () => {
    expect(renderCodeFrame('abc', { line: 1, column: 99 })).toBe('1 | abc\n  |    ^');
    expect(renderCodeFrame('abc', { line: 2, column: 1 })).toBe('');
  });

  it('keeps the caret in place behind tabs and wide characters', () => {
    expect(renderCodeFrame('\tx', { line: 1, column: 2 })).toBe('1 |   x\n  |   ^');
    expect(renderCodeFrame('日本: x', { line: 1, column: 5 })).toBe('1 | 日本: x\n  |       ^');
    expect(renderCodeFrame('🚀é x', { line: 1, column: 5 })).toBe('1 | 🚀é x\n  |     ^');
  });

  it('makes control characters visible instead of sending them to the terminal', () => {
    expect(renderCodeFrame('a\x1b[31mb\u202ec', { line: 1, column: 8 })).toBe('1 | a␛[31mb\\u{202e}c\n  |        ^');
    expect(renderCodeFrame('\x9b31m', { line: 1, column: 1 })).toBe('1 | \\u{9b}31m\n  | ^');
  });

  it('cuts a long line around the column', () => {
    const frame = renderCodeFrame(`${'a'.repeat(500)}X${'b'.repeat(100_000)}`, { line: 1, column: 501 });
    const [line = '', caret = ''] = frame.split('\n');
    expect(line.length).toBeLessThan(110);
    expect(line[caret.indexOf('^')]).toBe('X');
  });
});
