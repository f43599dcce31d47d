const TICK_MS = 250;
const MAX_STEP_MS = 2 * TICK_MS;

/** A limit in active time: while the machine sleeps or HELIX is stopped, at most two ticks of it are used up. */
export type ActiveTimer = {
  /** Counts from zero again. */
  restart(): void;
  stop(): void;
};

/** Calls `onDue` once after `ms` of active time, however large `ms` is. */
export function startActiveTimer(ms: number, onDue: () => void): ActiveTimer {
  let active = 0;
  let seen = performance.now();
  let handle = setTimeout(tick, delay());

  function delay(): number {
    return Math.min(TICK_MS, Math.max(1, ms - active));
  }

  function tick(): void {
    const now = performance.now();
    active += Math.min(now - seen, MAX_STEP_MS);
    seen = now;
    if (active < ms) handle = setTimeout(tick, delay());
    else onDue();
  }

  return {
    restart() {
      active = 0;
      seen = performance.now();
    },
    stop() {
      clearTimeout(handle);
    },
  };
}
