import { openProject } from '../src/adapters/disk/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import type { Decision } from '../src/domain/facts/consultation.ts';
import { openRequests, type RunState } from '../src/domain/facts/run-state.ts';
import { addFact } from '../src/engine/ladder/add-fact.ts';

/** No consultant: who is at the end of their attempts asks a human. */
export const NO_CONSULTANT = { 'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n' };

/** Answers the open question of the newest run in a project, as the journal of a human's decision would have it. */
export async function decideAs(dir: string, decision: Decision, comment?: string): Promise<RunState> {
  const world = openWorld(openProject(dir));
  try {
    const [row] = await (await world.journal()).list();
    return await addFact(world, row?.run ?? '', (state) => {
      const [request] = openRequests(state);
      const option = request?.options.find((each) => each.decision.action === decision.action);
      if (request === undefined || option === undefined) throw new Error(`nobody is asked about ${decision.action}`);
      const answer = { request: request.id, option: option.id, decision, actor: 'Ada' };
      return { type: 'decision_taken', data: { ...answer, ...(comment !== undefined && { comment }) } };
    });
  } finally {
    world.close();
  }
}
