import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import { oneLine } from '../../text/sanitise.ts';

/** What people said to phases that were accepted without another attempt, so that no agent has read it; a line each. */
export function untoldLines({ plan, phases }: RunState): string[] {
  return plan.phases.flatMap(({ id, type }) => {
    const phase = phases.get(id);
    // A judge is never told what people say.
    if (phase?.accepted === undefined || isJudge({ type })) return [];
    return untoldOf(phase).map((words) => `not heard by ${id}, whose last attempt had begun: ${oneLine(words, 300)}`);
  });
}

/** What people said to a phase since the brief of its last attempt was written. */
function untoldOf({ history: { guidance, told } }: PhaseState): readonly string[] {
  return guidance.slice(told);
}
