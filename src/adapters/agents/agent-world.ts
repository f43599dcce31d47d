import type { Models } from '../../domain/models.ts';
import type { Clock, Processes, Project } from '../../ports.ts';

/** What an agent driver needs of the world. */
export type AgentWorld = {
  readonly project: Project;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly models: Models;
  readonly script?: string;
};
