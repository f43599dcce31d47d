/** Linux stamps files with the time of its last tick, at most 10 ms behind the clock that programs read. */
const BEHIND_MS = 20;

/** Whether a file's time of change is surely before a moment. */
export function isOlderThan(changedMs: number, moment: number): boolean {
  return changedMs + BEHIND_MS < moment;
}
