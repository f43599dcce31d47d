import type { NewEvent, Tried } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { amend } from '../../domain/ladder/amend.ts';
import type { Budget } from '../../domain/plan/plan.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { present } from '../../domain/present.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import type { Watchers } from '../step/engine-ports.ts';
import { projectSource, treeSource } from '../step/question-source.ts';
import { gateWalls } from '../step/walls.ts';
import { judgeTroubles } from './check-judges.ts';
import { isolationOf, type PreparedRun } from './prepare-run.ts';
import { tryGates } from './trial.ts';

type Replan = {
  readonly world: World;
  readonly workspace: Workspace;
  readonly state: RunState;
  readonly prepared: PreparedRun;
  readonly sandbox: Sandbox;
  /** What the user grants besides. */
  readonly budget?: Budget;
  readonly company: Watchers & { readonly gates: ReadonlyMap<string, GateDefinition>; readonly stop: AbortSignal };
};

/** The fact that a run goes on with an edited plan; its new gate commands are tried first, like those of a new run. */
export async function replanned(replan: Replan): Promise<Extract<NewEvent, { type: 'run_replanned' }>> {
  const { world, state, prepared } = replan;
  refuseGrown(state);
  const { source, agents, creator, judges, escalation, notify, settings } = prepared;
  const plan = { ...prepared.plan, budget: { ...prepared.plan.budget, ...replan.budget } };
  await checkNewJudges(replan);
  const { voided, rejudged } = amend(state, plan);
  const { path, sha256 } = source;
  const tried = await triedAnew(replan);
  return {
    type: 'run_replanned',
    data: {
      ...{ plan, source: { path, sha256 }, agents, creator, judges, actor: world.actor, ...isolationOf(settings) },
      ...{ escalation, notify: [...notify] },
      ...present({ language: settings.language }),
      ...{ voided: [...voided], rejudged: [...rejudged] },
      ...(tried.length > 0 && { tried }),
    },
  };
}

/** The plan in the file knows nothing of the phases that were added since, and would throw them out with their work. */
function refuseGrown({ run, growths = [] }: RunState): void {
  const growth = growths.find(({ added, changed, dropped }) => added.length + changed.length + dropped.length > 0);
  if (growth === undefined) return;
  throw new HelixError('usage', `the plan of run ${run} has grown by what ${growth.phase} wrote`, {
    hint: `--replan would take the file instead. Go on without it, or see the plan: helix plan --run ${run}`,
  });
}

/** Judges of a run go by what it began with, whatever was written since. */
async function checkNewJudges({ world, workspace, state, prepared }: Replan): Promise<void> {
  const now = projectSource(world);
  const { guidelines, plan } = state;
  const source =
    guidelines === undefined ? now : { ...now, ...treeSource(await workspace.tree(guidelines), plan.workspace) };
  const [first] = await judgeTroubles(prepared.plan.phases, prepared, source);
  if (first === undefined) return;
  throw new HelixError('config', `${first.message}, as it was when the run began`, {
    hint: 'What judges go by is fixed when a run begins: start a new one for what was written since, helix run --from RUN:PHASE.',
  });
}

async function triedAnew({ world, workspace, state, prepared, sandbox, company }: Replan): Promise<Tried[]> {
  const { base, marker, tried } = state;
  if (base === undefined) return [];
  const { gates, stop: signal } = company;
  const { plan, settings: isolation } = prepared;
  const walls = gateWalls({ sandbox, isolation, workspace });
  return tryGates({
    world,
    workspace,
    base,
    marker,
    gates,
    signal,
    tried,
    plan,
    walls,
    watchers: company,
    task: false,
  });
}
