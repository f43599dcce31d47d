import type { RequestState } from '../../domain/facts/run-state.ts';
import { oneLine } from '../../text/sanitise.ts';
import { renderTime } from './time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Until when an answer is waited for, and what happens else. */
export function dueOf({ deadline, onTimeout }: RequestState, now: string): string[] {
  // Where nothing happens then, the question just stays open.
  if (deadline === undefined || onTimeout === undefined) return [];
  const option = oneLine(onTimeout, 8);
  if (Date.parse(deadline) <= Date.parse(now)) return [`overdue: ${option} is taken`];
  return [`answer within ${renderSpan(now, deadline)}, by ${renderTime(deadline)}, else ${option}`];
}

/** The time between two moments, in the unit that says most: 40 s, 5 min, 3 h, 2 days. */
export function renderSpan(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} days`;
}
