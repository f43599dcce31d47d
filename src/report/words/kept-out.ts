import { keptOutOf, type RunState } from '../../domain/facts/run-state.ts';
import { oneLine } from '../../text/sanitise.ts';

const MOST_FILES = 3;
const MOST_PHASES = 4;

/** One line about what was accepted and is not on the branch, with the commands that show it; `at` is where they are called. */
export function keptOutLine(state: RunState, at = ''): string | undefined {
  const kept = keptOutOf(state);
  if (kept === undefined) return undefined;
  const { run } = state;
  const byPhase = [...Map.groupBy(kept, ({ phase }) => phase)];
  const said = byPhase.slice(0, MOST_PHASES).map(([phase, files]) => {
    const names = files.slice(0, MOST_FILES).map(({ path }) => oneLine(path, 100));
    const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : '';
    return `${names.join(', ')}${more} (helix diff ${run} ${phase}${at})`;
  });
  const rest = byPhase.length > MOST_PHASES ? `, and what ${byPhase.length - MOST_PHASES} more phases wrote` : '';
  return `Kept off the branch: ${said.join(', ')}${rest}`;
}
