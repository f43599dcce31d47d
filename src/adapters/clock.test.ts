import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { startActiveTimer } from './programs/active-timer.ts';

test('the wall clock is ISO 8601 in UTC and the monotonic one grows', async () => {
  expect(systemClock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const before = systemClock.monotonic();
  await systemClock.sleep(30);
  expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(30);
});

test('an aborted sleep rejects with the reason, at once', async () => {
  const reason = new Error('enough');
  const abort = new AbortController();
  const sleeping = systemClock.sleep(60_000, abort.signal);
  abort.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  await expect(systemClock.sleep(60_000, abort.signal)).rejects.toBe(reason);
});

test('a sleep of years neither ends at once nor asks for a longer timer than there is', async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.name);
  process.on('warning', note);
  const abort = new AbortController();
  const sleeping = systemClock.sleep(2 ** 40, abort.signal);
  await systemClock.sleep(50);
  abort.abort(new Error('awake'));
  await expect(sleeping).rejects.toThrow('awake');
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('a blocked turn uses up no more than two ticks', async () => {
  const since = performance.now();
  const due = new Promise<number>((resolve) => {
    startActiveTimer(900, () => resolve(performance.now() - since));
  });
  while (performance.now() - since < 1200);
  expect(await due).toBeGreaterThan(1500);
});

test('a restarted timer counts from zero', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let due = false;
  const timer = startActiveTimer(400, () => {
    due = true;
  });
  for (let round = 0; round < 3; round += 1) {
    vi.advanceTimersByTime(300);
    timer.restart();
  }
  vi.advanceTimersByTime(399);
  expect(due).toBe(false);
  vi.advanceTimersByTime(300);
  expect(due).toBe(true);
});
