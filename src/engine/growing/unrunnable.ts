import type { RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { checkBriefs } from '../attempt/attempt-brief.ts';
import { judgeTroubles } from '../start/check-judges.ts';
import { refuseJudges } from '../start/choose-judges.ts';
import type { EnginePorts } from '../step/engine-ports.ts';
import { projectSource, treeSource } from '../step/question-source.ts';
import { requireEnforceable } from '../step/walls.ts';

type Place = { readonly state: RunState; readonly path: string };
type Ports = Pick<EnginePorts, 'workspace' | 'project' | 'gates' | 'shippedApproval' | 'template' | 'sandbox'>;

/** What a grown plan wants that this run cannot do: what would be refused before a run begins is found before its plan grows. */
export async function unrunnable(plan: Plan, { state, path }: Place, ports: Ports): Promise<Finding[]> {
  const before = new Map(state.plan.phases.map((phase) => [phase.id, JSON.stringify(phase)]));
  const phases = plan.phases.filter((phase) => before.get(phase.id) !== JSON.stringify(phase));
  const refused = [
    ...(await judges(phases, state, ports)),
    ...refusal(() => refuseJudges(phases, state.judges, state.agents)),
    ...refusal(() => requireEnforceable({ ...plan, phases }, state.isolation, ports.sandbox)),
    ...(await refusalOf(() => checkBriefs({ ...plan, phases }, ports.template))),
    ...phases.flatMap((phase) => unbuilt(phase, state, ports)),
  ];
  return refused.map(({ message, hint }) => ({
    ...{ severity: 'error', check: 'cannot-run', message, location: { file: path } },
    ...present({ hint }),
  }));
}

type Refusal = Pick<HelixError, 'message' | 'hint'>;

async function judges(phases: readonly Phase[], state: RunState, ports: Ports): Promise<readonly Refusal[]> {
  const now = projectSource(ports);
  const { guidelines, plan } = state;
  const own = guidelines === undefined ? {} : treeSource(await ports.workspace.tree(guidelines), plan.workspace);
  const judging = { ...state, settings: { allow_simulated: state.simulated } };
  return judgeTroubles(phases, judging, { ...now, ...own });
}

function unbuilt({ id, gates, agent }: Phase, { agents, simulated }: RunState, ports: Ports): Refusal[] {
  const driver = agent === undefined ? undefined : agents[agent]?.driver;
  const isFake = driver === 'scripted' || driver === 'replay';
  const missing = gates.filter(({ type }) => !ports.gates.has(type));
  return [
    ...missing.map(({ type }) => ({ message: `phase ${id}: the gate ${type} is not built`, hint: 'name another one' })),
    ...(isFake && !simulated
      ? [{ message: `phase ${id}: the agent ${agent} only simulates work`, hint: 'name another one' }]
      : []),
  ];
}

function refusal(check: () => void): Refusal[] {
  try {
    check();
    return [];
  } catch (error) {
    return [told(error)];
  }
}

async function refusalOf(check: () => Promise<unknown>): Promise<Refusal[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return [told(error)];
  }
}

function told(error: unknown): Refusal {
  if (error instanceof HelixError) return error;
  throw error;
}
