import type { Finding } from '../../domain/finding.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';
import { renderLocation } from './findings-text.ts';

const OUTPUT_LINES = 6;

/** Stands before every line of others, and before every line of the screen such a line takes: nothing in it passes for HELIX's own. */
export const QUOTED = '│ ';

/** A failure in short: the check with its place, then what failed and the last lines of what was said, each marked as others' words. */
export function failureLines({ check, location, message }: Finding): string[] {
  const place = renderLocation(location);
  const lines = excerpt(message, 8000)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [
    `${oneLine(check, 80)}${place === '' ? '' : ` (${place})`}`,
    ...shortened(lines).map((line) => `${QUOTED}${line}`),
  ];
}

/** The first line names what failed, the last ones say why. */
function shortened([first = '', ...rest]: readonly string[]): string[] {
  const left = rest.length - OUTPUT_LINES;
  if (left <= 1) return [first, ...rest];
  return [first, `[${left} lines left out]`, ...rest.slice(-OUTPUT_LINES)];
}
