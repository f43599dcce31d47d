import { isScratch } from '../../domain/plan/judging-phase.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { oneLine } from '../../text/sanitise.ts';

/** What a plan keeps off its result branch, in words; undefined where that is nothing. */
export function renderOffBranch({ workspace, phases }: Plan): string | undefined {
  if (workspace.mode !== 'repo') return undefined;
  const writers = phases.filter(isScratch).map(({ id }) => id);
  const usual = writers.length === 0 ? [] : [`outputs of ${writers.join(', ')}`];
  const said = (workspace.keepOut ?? usual).join(', ');
  return said === '' ? undefined : oneLine(said, 300);
}
