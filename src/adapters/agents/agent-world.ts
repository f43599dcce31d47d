import { join } from 'node:path';
import type { Models } from '../../domain/plan/models.ts';
import { present } from '../../domain/present.ts';
import type { AgentTask } from '../../ports/agent.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Confinement, Processes } from '../../ports/processes.ts';
import type { Project } from '../../ports/project.ts';
import { gitStoresOf } from '../programs/walls/git-stores.ts';

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

/**
 * The walls around an agent that looks after its own shell: it reaches its login and its model, but writes to nothing protected and
 * sees nothing of the project's runs. `own` are private directories of its own.
 */
export function agentWalls(
  task: AgentTask,
  { project }: Pick<AgentWorld, 'project'>,
  own: readonly string[] = [],
): Confinement | undefined {
  if (task.sandbox.level !== 'strict') return undefined;
  const state = join(project.dir, '.helix');
  const isHistory = (store: string) => store === join(state, 'repo', 'objects');
  // What a judge reads lies in HELIX's cache, which is hidden but for this.
  const { protect, writable, layers } =
    task.role === 'creator'
      ? { ...task, protect: [...task.protect, ...gitStoresOf(task.dir).filter(isHistory)] }
      : { protect: task.readable, writable: [], layers: undefined };
  return {
    ...{ kind: 'open', protect, hidden: [state], writable: [task.dir, ...writable, ...own] },
    ...present({ limits: task.sandbox.limits, layers }),
  };
}
