import type { Role } from '../../domain/plan/driver.ts';
import type { AgentEnd } from '../../ports/agent.ts';

/** The answer of an agent that only creates: nobody can vouch for its independence. */
export function notForJudges(driver: string, role: Role): AgentEnd {
  return { kind: 'interrupted', failure: 'spawn', message: `an agent of the driver ${driver} cannot be a ${role}` };
}
