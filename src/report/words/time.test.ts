import { afterEach, expect, it } from 'vitest';
import { renderTime, renderUtc } from './time.ts';

const before = process.env.TZ;
afterEach(() => {
  process.env.TZ = before;
});

it.each([
  ['UTC', '2026-11-18 23:23:05 UTC'],
  ['Europe/Berlin', '2026-11-18 23:23:05 UTC (2026-11-19 00:23 +01:00)'],
  ['America/New_York', '2026-11-18 23:23:05 UTC (18:23 -05:00)'],
  ['Asia/Kolkata', '2026-11-18 23:23:05 UTC (2026-11-19 04:53 +05:30)'],
])('in %s a moment is read as %s', (zone, text) => {
  process.env.TZ = zone;
  expect(renderTime('2026-11-18T23:23:05.123Z')).toBe(text);
  expect(renderUtc('2026-11-18T23:23:05.123Z')).toBe('2026-11-18 23:23:05 UTC');
});

it('what is no moment is shown as it is', () => {
  process.env.TZ = 'Europe/Berlin';
  expect(renderTime('soon')).toBe('soon');
});
