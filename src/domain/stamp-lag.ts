/** Linux stamps files with the time of its last tick, at most 10 ms behind the clock that programs read. */
export const STAMP_LAG_MS = 20;
