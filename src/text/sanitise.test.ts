import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workMeter } from '../../test/work-meter.ts';
import { excerpt, oneLine, sanitise } from './sanitise.ts';

const ALLOWED =
  /^[[\t\n\x20-\x7e\u{a0}-\u{10ffff}]--[[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]--[\ufe0e\ufe0f]]]*$/v;

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\x1b', '\x1b[', '\x1b]0;', '\x9b', '\x9d', '\x90', '\x07', '\x1b\\', '\x9c', '\r', '\r\n', '\n'),
      fc.constantFrom('31m', '[2J', '\u202e', '\u200b', '\ufeff', '\u{e0041}', '\ud800', '\udc00', '\u2028', 'text'),
    ),
  )
  .map((parts) => parts.join(''));

describe('sanitise', () => {
  it('lets only visible characters, line feeds and tabs through, whatever comes in', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitise(text)).toMatch(ALLOWED);
        expect(excerpt(text, 20)).toMatch(ALLOWED);
        expect(excerpt(text, 20).length).toBeLessThanOrEqual(20);
        expect(oneLine(text, 20)).not.toContain('\n');
        expect(oneLine(text, 20).length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves clean text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ09 \n\t{}%`~äß漢😀é⚠️|"\'<>&') }), (text) => {
        expect(sanitise(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['colours in eight bits', '\x9b31mred', 'red'],
    ['a window title', '\x1b]0;owned\x07done', 'done'],
    ['a link', '\x1b]8;;https://evil.example\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['a device string', '\x1bPq#0;2;0\x1b\\after', 'after'],
    ['a character set', '\x1b(0lqk', 'lqk'],
    ['a reset', '\x1bcx', 'x'],
    ['an escape built by removal', '\x1b\x1b[31m[31mx', '[31mx'],
    ['an unfinished title, which must not hide the rest', '\x1b]0;a\nb', '0;a\nb'],
    ['an unfinished colour', '\x1b[31', '31'],
    ['Windows line ends', 'a\r\nb', 'a\nb'],
    ['overwriting a line', 'all good\rrm -rf', 'all good\\u{d}rm -rf'],
    ['backspaces', 'ab\b\bcd', 'abcd'],
    ['reversed text', 'a\u202egnp.exe', 'a\\u{202e}gnp.exe'],
    ['isolates and marks', '\u2066\u200f\u061c', '\\u{2066}\\u{200f}\\u{61c}'],
    ['zero-width characters', 'a\u200bb\ufeffc\u00add', 'a\\u{200b}b\\u{feff}c\\u{ad}d'],
    ['hidden tags', '\u{e0041}', '\\u{e0041}'],
    ['line separators', 'a\u2028b', 'a\\u{2028}b'],
    ['half a character', 'a\ud83d', 'a\\u{d83d}'],
  ])('handles %s', (_what, text, expected) => {
    expect(sanitise(text)).toBe(expected);
  });

  it.each([
    '\x1b]',
    '\x1b[0',
    '\x1bP',
    '\x9d',
    '\x1b',
    '\x1b[ ',
    '\u202e',
    'a\x1b]',
  ])('takes linear time for %j a million times', (unit) => {
    const work = workMeter();
    sanitise(unit.repeat(1_000_000));
    expect(work()).toBeLessThan(600);
  });

  it('takes linear time for one endless sequence', () => {
    const work = workMeter();
    for (const start of ['\x1b]', '\x1b[', '\x1bP']) sanitise(start + '0'.repeat(5_000_000));
    expect(work()).toBeLessThan(600);
  });
});

describe('excerpt', () => {
  it('keeps a short text whole', () => {
    expect(excerpt('short', 5)).toBe('short');
  });

  it('shows where it was cut and never splits a character', () => {
    expect(excerpt('abcdef', 5)).toBe('abcd…');
    expect(excerpt('abc😀def', 5)).toBe('abc…');
  });

  it('says that something is missing even when all of the look-ahead was invisible', () => {
    expect(excerpt(`${'\x1b[0m'.repeat(1000)}text`, 10)).toBe('…');
  });
});

describe('oneLine', () => {
  it('joins lines and collapses white space', () => {
    expect(oneLine('  a\n\tb\r\n c ')).toBe('a b c');
  });
});
