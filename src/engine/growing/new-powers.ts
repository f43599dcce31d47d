import type { RunState } from '../../domain/facts/run-state.ts';
import { powers } from '../../domain/growing/powers.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { plain } from '../../domain/plain-line.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { agentHarms } from '../../domain/plan/trust.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { globProblem } from '../../text/glob.ts';
import { agentsFor } from '../start/choose-judges.ts';

type Surroundings = {
  readonly state: RunState;
  readonly workspace: Pick<Workspace, 'tree' | 'pin'>;
  readonly project: Project;
};

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
  const { mode } = plan.workspace;
  const known = new Set(around.state.plan.phases.flatMap((phase) => inputsOf(phase, mode).map(nameOf)));
  const wanted = plan.phases.flatMap((phase) => inputsOf(phase, mode)).filter((read) => !known.has(nameOf(read)));
  const reads: string[] = [];
  for (const pattern of new Set(wanted.map((read) => read.pattern))) {
    if (await mayBePrivate(pattern, around)) reads.push(`reads from your directory: ${plain(pattern)}`);
  }
  return reads;
}

type Read = { readonly pattern: string; readonly from: string | undefined };

/** What comes from a named phase lies in its directory, where it has one; in a repository it may lie in the user's, too. */
function inputsOf({ input }: Phase, mode: Plan['workspace']['mode']): Read[] {
  const { fromPhase: from, files = [] } = input ?? {};
  return mode === 'phase-dirs' && from !== undefined ? [] : files.map((pattern) => ({ pattern, from }));
}

/** The same pattern may find the work of a phase or, of another one, nothing but the user's own file. */
function nameOf({ pattern, from }: Read): string {
  return JSON.stringify([pattern, from]);
}

/** What a tree holds may be gone from it once the phase begins, so only what the run began with is no secret. */
async function mayBePrivate(pattern: string, { state, workspace, project }: Surroundings): Promise<boolean> {
  if (globProblem(pattern) !== undefined) return true;
  try {
    const paths = await project.match(pattern);
    if (paths.length === 0 || state.base === undefined) return paths.length > 0;
    const begun = new Map((await workspace.tree(state.base.tree)).files.map(({ path, digest }) => [path, digest]));
    if (paths.some((path) => !begun.has(path))) return true;
    return (await workspace.pin(paths)).files.some(({ path, digest }) => begun.get(path) !== digest);
  } catch (error) {
    // What cannot be looked through may hold anything.
    if (error instanceof HelixError && error.code === 'io') return true;
    throw error;
  }
}
