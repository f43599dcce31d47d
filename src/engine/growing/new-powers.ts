import type { RunState } from '../../domain/facts/run-state.ts';
import { powers } from '../../domain/growing/powers.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { agentHarms, plain } from '../../domain/plan/trust.ts';
import type { Project } from '../../ports/project.ts';
import type { Tree } from '../../ports/tree.ts';
import { globMatcher, globProblem } from '../../text/glob.ts';
import { agentsFor } from '../start/choose-judges.ts';

type Surroundings = { readonly state: RunState; readonly tree: Tree; readonly project: Project };

/** What a grown plan could do that the one of the run could not, each in the words a human is shown. */
export async function newPowers(plan: Plan, around: Surroundings): Promise<string[]> {
  const { state } = around;
  const known = powers(state.plan.phases, state);
  const models = new Set(modelsOf(state).map((model) => `model ${plain(model)}`));
  const more = [...powers(plan.phases, state)].filter((power) => !known.has(power) && !models.has(power));
  return [...more, ...newAgents(plan, state), ...(await newReads(plan, around))];
}

/** The models that somebody may use in this run anyway. */
function modelsOf({ agents, escalation, model }: RunState): string[] {
  const written = [...Object.values(agents).map((agent) => agent.model), model];
  return [...escalation.consultant.models, ...written.filter((each) => each !== undefined)];
}

/** Agents that nobody needed so far have not been looked at by anybody. */
function newAgents(plan: Plan, state: RunState): string[] {
  const known = agentsFor(state.plan.phases, state);
  const wanted = [...agentsFor(plan.phases, state)].filter((name) => !known.has(name));
  return wanted.flatMap((name) => {
    const settings = state.agents[name];
    return settings === undefined ? [] : agentHarms(name, settings);
  });
}

/** What lies in the user's directory and in no tree of the run is handed to an agent only where the user wrote so. */
async function newReads(plan: Plan, around: Surroundings): Promise<string[]> {
  const known = new Set(around.state.plan.phases.flatMap(inputsOf));
  const wanted = [...new Set(plan.phases.flatMap(inputsOf))].filter((pattern) => !known.has(pattern));
  const reads: string[] = [];
  for (const pattern of wanted) {
    if (await isOnlyInProject(pattern, around)) reads.push(`reads from your directory: ${plain(pattern)}`);
  }
  return reads;
}

/** In directories of their own, phases are given what a named phase made; in a repository, all that is in its tree. */
function inputsOf({ input }: Phase): readonly string[] {
  return input?.files ?? [];
}

async function isOnlyInProject(pattern: string, { state, tree, project }: Surroundings): Promise<boolean> {
  if (globProblem(pattern) !== undefined) return true;
  const matches = globMatcher(pattern);
  if (state.tip !== undefined && tree.files.some(({ path }) => matches(path))) return false;
  try {
    return (await project.match(pattern)).length > 0;
  } catch (error) {
    // What cannot be looked through may hold anything.
    if (error instanceof HelixError && error.code === 'io') return true;
    throw error;
  }
}
