import { oneLine } from '../../text/sanitise.ts';

/** A duration for people: 300ms, 42s, 2m 05s, 1h 04m. */
export function renderDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

/** A moment for people, in UTC and to the second. */
export function renderTime(iso: string): string {
  return Number.isNaN(Date.parse(iso)) ? oneLine(iso, 40) : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
