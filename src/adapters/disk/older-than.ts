import { STAMP_LAG_MS } from '../../domain/stamp-lag.ts';

/** Whether a file's time of change is surely before a moment. */
export function isOlderThan(changedMs: number, moment: number): boolean {
  return changedMs + STAMP_LAG_MS < moment;
}
