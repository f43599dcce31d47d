import type { Adopted, RunBase } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { followersOf } from '../../domain/ladder/plan-graph.ts';
import { isSamePlace, type Plan, placeName } from '../../domain/plan/plan.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { present } from '../../domain/present.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import type { Watchers } from '../step/engine-ports.ts';
import { gateWalls } from '../step/walls.ts';
import { pinGuidelines } from './guidelines.ts';
import type { Beginning, PreparedRun } from './prepare-run.ts';
import { tryGates } from './trial.ts';

type Begin = {
  readonly world: World;
  readonly workspace: Workspace;
  readonly prepared: PreparedRun;
  readonly run: string;
  readonly marker: string;
  readonly sandbox: Sandbox;
  readonly company: Watchers & { readonly gates: ReadonlyMap<string, GateDefinition>; readonly stop: AbortSignal };
};

/** Finds where a run begins and tries its gates there; nothing is recorded before that has gone well. */
export async function beginRun(begin: Begin): Promise<Beginning> {
  const { workspace, prepared, company } = begin;
  const taken = prepared.options.from === undefined ? undefined : await takeOver(begin, prepared.options.from);
  const { base, notices } = taken ?? (await workspace.begin(prepared.options.includeDirty ?? false));
  for (const notice of notices) company.onNotice?.(notice);
  const known = { ...(taken !== undefined && { from: taken.from, simulated: taken.simulated }) };
  const guidelines = await pinGuidelines(prepared.plan, { workspace, project: begin.world.project });
  if (base === undefined) return { ...known, ...present({ guidelines }) };
  await requireRevisions(prepared.plan, workspace);
  return { ...known, base, tried: await tried(begin, base) };
}

/** A gate may compare with a revision: one that does not exist would only show when an agent has been paid. */
async function requireRevisions({ phases }: Plan, workspace: Workspace): Promise<void> {
  for (const { id, gates } of phases) {
    for (const { type, settings } of gates) {
      const { diff } = settings;
      if (type !== 'approval' || typeof diff !== 'string' || (await workspace.revision(diff)) !== undefined) continue;
      throw new HelixError('config', `phase ${id}: there is no revision ${JSON.stringify(diff)} to compare with`, {
        hint: 'Name a branch, tag or commit of the repository in the gate: diff: main',
      });
    }
  }
}

async function tried({ world, workspace, prepared, marker, sandbox, company }: Begin, base: RunBase) {
  const { plan, options, settings: isolation } = prepared;
  const phases = plan.phases.filter(({ id }) => options.phase === undefined || options.phase === id);
  const { gates, stop: signal } = company;
  const trial = {
    world,
    workspace,
    base,
    marker,
    gates,
    signal,
    walls: gateWalls({ sandbox, isolation, workspace }),
    plan: { ...plan, phases },
    watchers: company,
    tried: [],
  };
  try {
    return await tryGates(trial);
  } catch (error) {
    if (signal.aborted) throw new HelixError('stopped', 'stopped before the run began; nothing was started');
    throw error;
  }
}

/** What another run had accepted before it came to a phase. */
async function takeOver({ world, prepared, run }: Begin, { run: from, phase }: { run: string; phase: string }) {
  const source = replay(await (await world.journal()).read(from));
  if (source === undefined) throw new HelixError('journal', `run ${from} has no facts`);
  const { plan } = prepared;
  if (!isSamePlace(source.plan.workspace, plan.workspace)) {
    throw new HelixError(
      'usage',
      `run ${from} worked in another kind of workspace (${placeName(source.plan.workspace)})`,
    );
  }
  const at = source.order.indexOf(phase);
  const order = (at === -1 ? source.order : source.order.slice(0, at)).filter((id) => isWanted(id, phase, plan));
  const adopted = order.flatMap((id) => adoptedFrom(source, id));
  requireReady(plan, phase, { from, adopted });
  const base = baseOf(source, order, run);
  const notices = [`${adopted.length} accepted phases are taken over from ${from}: ${order.join(', ') || 'none'}`];
  return {
    from: { run: from, phase, adopted },
    simulated: source.simulated,
    notices,
    ...present({ base }),
  };
}

/** Whatever depends on the phase is to be done again, and what the plan no longer has is of no use. */
function isWanted(id: string, phase: string, plan: Plan): boolean {
  return plan.phases.some((each) => each.id === id) && !followersOf(phase, plan).has(id);
}

function adoptedFrom(source: RunState, id: string): Adopted[] {
  const at = source.phases.get(id);
  if (at?.accepted === undefined) return [];
  const { attempt, tree, inputs } = at.accepted;
  const base = at.baseTree;
  const verdicts = [...at.lastVerdicts];
  return [{ phase: id, attempt, tree, inputs: [...inputs], verdicts, ...present({ base }) }];
}

function requireReady(plan: Plan, id: string, { from, adopted }: { from: string; adopted: readonly Adopted[] }): void {
  const phase = plan.phases.find((each) => each.id === id);
  const there = new Set(adopted.map((each) => each.phase));
  const missing = phase?.dependsOn.filter((each) => !there.has(each)) ?? [];
  if (phase !== undefined && missing.length === 0) return;
  throw new HelixError(
    'usage',
    phase === undefined
      ? `the plan has no phase ${id}`
      : `run ${from} has not accepted what ${id} needs: ${missing.join(', ')}`,
    {
      hint:
        phase === undefined
          ? `It has: ${plan.phases.map((each) => each.id).join(', ')}`
          : `See it: helix status ${from}`,
    },
  );
}

function baseOf(source: RunState, order: readonly string[], run: string): RunBase | undefined {
  if (source.base === undefined) return undefined;
  const last = order.at(-1);
  const accepted = last === undefined ? undefined : source.phases.get(last)?.accepted;
  const { commit, tree } = accepted ?? source.base;
  return { tree, branch: `refs/heads/helix/${run}`, ...present({ commit }) };
}
