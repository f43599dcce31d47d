import type { AgentTask } from '../../ports/agent.ts';
import type { Confinement } from '../../ports/processes.ts';

/** The walls around an agent that looks after its own shell: it reaches its login and its model, but writes to nothing protected. */
export function agentWalls(task: AgentTask): Confinement | undefined {
  if (task.sandbox.level !== 'strict') return undefined;
  return { kind: 'open', protect: task.role === 'creator' ? task.protect : [], writable: [task.dir] };
}
