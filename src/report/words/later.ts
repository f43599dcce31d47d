import type { RunState } from '../../domain/facts/run-state.ts';
import { partsForLater } from '../../domain/ladder/growth.ts';
import { oneLine } from '../../text/sanitise.ts';
import { shellWord } from '../../text/shell-word.ts';

const LABEL = 'not now      ';

/** The parts of the request that a human put off, each with the command that goes on with it once there is a result to go on from. */
export function laterLines(state: RunState): string[] {
  const isDone = state.ended?.status === 'passed';
  return partsForLater(state).flatMap((part) => [
    LABEL + oneLine(part, 500),
    ...(isDone ? [' '.repeat(LABEL.length) + goOnWith(part)] : []),
  ]);
}

/** The command by which a part that was put off is asked for; what an agent wrote can neither end its quotes nor be an option. */
export function goOnWith(part: string): string {
  const words = oneLine(part, 500);
  return `helix do --again ${words.startsWith('-') ? '-- ' : ''}${shellWord(words)}`;
}
