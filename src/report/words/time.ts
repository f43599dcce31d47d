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

/** A moment for people: in UTC to the second and, where that is another, in the time of this machine. */
export function renderTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return oneLine(iso, 40);
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return renderUtc(iso);
  // What the clock on the wall shows, read as if it were UTC.
  const local = new Date(at.getTime() + minutes * 60_000).toISOString();
  const day = local.slice(0, 10) === at.toISOString().slice(0, 10) ? '' : `${local.slice(0, 10)} `;
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${renderUtc(iso)} (${day}${local.slice(11, 16)} ${offset})`;
}

/** The same in UTC alone, where others read it elsewhere. */
export function renderUtc(iso: string): string {
  return Number.isNaN(Date.parse(iso)) ? oneLine(iso, 40) : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
