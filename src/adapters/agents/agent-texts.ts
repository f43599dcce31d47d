import type { Role } from '../../domain/plan/driver.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { AgentEnd } from '../../ports/agent.ts';

/** What every creator is told beside its brief. */
export const CREATOR_WORDS = `You work for HELIX on one phase of a plan; the message tells you which. Nobody can answer questions: decide yourself and say
what you assumed. Work only in the current directory. When you stop, HELIX takes the files as they are and independent gates judge
them; what you say about your work does not count. Do not commit, push or change branches.`;

/** How a run goes on that has asked its question: to resume it would only ask it again. */
export const TRY_AGAIN = 'choose to try again (helix decide)';

/** The same after its agent was changed: the run has the settings it was started with. */
export const TAKE_AND_TRY_AGAIN = `take the change with helix resume --replan and ${TRY_AGAIN}`;

/** What a user can do about failures that all agents have. */
export const SHARED_ADVICE: Partial<Record<FailureClass, string>> = {
  billing: `See to the account that pays for it; then ${TRY_AGAIN}`,
  model_unavailable: 'Name another model for the phase in the plan, and go on with helix resume --replan',
};

/** The end of a turn that HELIX was asked to stop. */
export const STOPPED = { kind: 'interrupted', failure: 'cancelled', message: 'stopped' } as const satisfies AgentEnd;

/** The answer of an agent that only creates: nobody can vouch for its independence. */
export function notForJudges(driver: string, role: Role): AgentEnd {
  return { kind: 'interrupted', failure: 'spawn', message: `an agent of the driver ${driver} cannot be a ${role}` };
}
