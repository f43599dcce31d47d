import type { Models } from '../../domain/plan/models.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Processes } from '../../ports/processes.ts';
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
