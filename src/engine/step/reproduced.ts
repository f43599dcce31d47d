import type { RunState } from '../../domain/facts/run-state.ts';
import type { Plan } from '../../domain/plan/plan.ts';

/** Of each plan the phases that may show a bug, looked up once: every attempt and judgement asks. */
const SHOWING = new WeakMap<Plan, readonly string[]>();

/** The files with which accepted phases other than this one showed a bug; undefined where none did. */
export function reproducedBefore(
  phase: string,
  { plan, phases }: Pick<RunState, 'plan' | 'phases'>,
): readonly string[] | undefined {
  const verdicts = showingIn(plan).flatMap((id) => (id === phase ? [] : (phases.get(id)?.lastVerdicts ?? [])));
  const files = verdicts.flatMap(({ reproduced }) => reproduced?.files ?? []);
  return files.length === 0 ? undefined : [...new Set(files)].sort();
}

function showingIn(plan: Plan): readonly string[] {
  const known = SHOWING.get(plan);
  if (known !== undefined) return known;
  const found = plan.phases.filter(({ gates }) => gates.some(({ settings }) => settings.expect === 'red'));
  const ids = found.map(({ id }) => id);
  SHOWING.set(plan, ids);
  return ids;
}
