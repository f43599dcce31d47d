import { present } from '../../domain/present.ts';
import type { CreatorTask } from '../../ports/agent.ts';
import { AGENT_GIT_ENV } from './agent-identity.ts';
import type { AgentWorld } from './agent-world.ts';

/** What every program that does a phase's work finds in its environment. */
export function taskVariables(task: CreatorTask, { project }: Pick<AgentWorld, 'project'>): Record<string, string> {
  return {
    ...AGENT_GIT_ENV,
    HELIX_PROJECT_DIR: project.dir,
    HELIX_PHASE: task.phase.id,
    HELIX_ATTEMPT: String(task.attempt),
    HELIX_TURN: String(task.turn),
    HELIX_ROLE: task.role,
    ...present({ HELIX_MODEL: task.model }),
  };
}
