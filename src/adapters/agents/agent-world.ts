import type { Models } from '../../domain/plan/models.ts';
import { present } from '../../domain/present.ts';
import type { AgentTask } from '../../ports/agent.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Confinement, Processes } from '../../ports/processes.ts';
import type { Project } from '../../ports/project.ts';

/** What an agent driver needs of the world. */
export type AgentWorld = {
  readonly project: Project;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly models: Models;
  readonly script?: string;
  /** Where is remembered what programs said of themselves; without it they are asked each time. */
  readonly cache?: () => Promise<Cache>;
};

/** The walls around an agent that looks after its own shell: it reaches its login and its model, but writes to nothing protected. */
export function agentWalls(task: AgentTask): Confinement | undefined {
  if (task.sandbox.level !== 'strict') return undefined;
  // What a judge reads lies in HELIX's cache, which is hidden but for this.
  const { protect, writable } = task.role === 'creator' ? task : { protect: task.readable, writable: [] };
  return {
    ...{ kind: 'open', protect, writable: [task.dir, ...writable] },
    ...present({ limits: task.sandbox.limits }),
  };
}
