import { expect, it } from 'vitest';
import { workMeter } from '../../test/work-meter.ts';
import { lastLines } from './last-lines.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

it('a text that fits is kept as it is, without what cannot be seen', () => {
  expect(lastLines('one\n\x1b[31mtwo\x1b[0m\n\n', { lines: 2, bytes: 100 })).toBe('one\ntwo');
});

it('of a longer one the last lines stay, and the cut is shown', () => {
  expect(lastLines(numbers(1000).join('\n'), { lines: 3, bytes: 100 })).toBe('…\n998\n999\n1000');
  expect(lastLines(numbers(1000).join('\n'), { lines: 60, bytes: 10 })).toBe('…\n999\n1000');
});

it('one endless line keeps its end, and no half of a character', () => {
  expect(lastLines(`${'ü'.repeat(5000)}end`, { lines: 60, bytes: 10 })).toBe('…\nüüüend');
});

it('a huge text costs no more than its end', () => {
  const text = `${'x'.repeat(50_000_000)}\nthe reason`;
  const work = workMeter();
  expect(lastLines(text, { lines: 1, bytes: 100 })).toBe('…\nthe reason');
  expect(work()).toBeLessThan(20);
});
