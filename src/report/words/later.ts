import type { RunState } from '../../domain/facts/run-state.ts';
import { partsForLater } from '../../domain/ladder/growth.ts';
import { oneLine } from '../../text/sanitise.ts';

/** The parts of the request that a human put off, a line each. */
export function laterLines(state: RunState): string[] {
  return partsForLater(state).map((part) => `not now      ${oneLine(part, 500)}`);
}
