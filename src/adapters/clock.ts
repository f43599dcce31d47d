import { setImmediate as breathe } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';
import { startActiveTimer } from './programs/active-timer.ts';

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonic: () => performance.now(),
  breathe: () => breathe(),
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      timer.stop();
      reject(signal?.reason);
    };
    const timer = startActiveTimer(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  },
};
