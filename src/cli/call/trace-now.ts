import type { CriterionTrace } from '../../domain/documents/criterion-trace.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { goesBySpec, runEvidence } from '../../engine/publish/run-evidence.ts';
import { scopeOf } from '../../engine/run.ts';
import type { World } from '../../ports/world.ts';
import { withVisit } from './with-visit.ts';

/** The acceptance criteria of a run, each with what has proven it so far; none where it goes by no specification. */
export async function traceNow(state: RunState, world: World): Promise<readonly CriterionTrace[]> {
  if (!(await goesBySpec(state, world.project))) return [];
  return withVisit(world, { kind: 'diff', scope: scopeOf(state) }, async ({ workspace }) => {
    const around = { workspace: async () => workspace, project: world.project };
    return (await runEvidence(state, around)).criteria ?? [];
  });
}
