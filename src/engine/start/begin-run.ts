import { stateOf } from '../../domain/facts/accepted-state.ts';
import type { RunBase } from '../../domain/facts/result-branch.ts';
import type { Adopted } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { followersOf } from '../../domain/ladder/plan-graph.ts';
import { isSamePlace, type Plan, placeName, TASK_SOURCE } from '../../domain/plan/plan.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { present } from '../../domain/present.ts';
import { replay } from '../../domain/run/evolve.ts';
import { lookAt } from '../../gates/commands/steps-not-run.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import type { Watchers } from '../step/engine-ports.ts';
import { projectFiles, treeSource } from '../step/question-source.ts';
import { gateWalls } from '../step/walls.ts';
import { continueRun } from './continue-run.ts';
import { detectedHarms, harmsIn } from './detected-commands.ts';
import { pinGuidelines } from './guidelines.ts';
import { judgedBy } from './judging-harms.ts';
import { type Beginning, isReal, type PreparedRun } from './prepare-run.ts';
import { requireKnown } from './require-known.ts';
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
  const { notices, base, ...known } = await whereItBegins(begin);
  for (const notice of notices) company.onNotice?.(notice);
  const guidelines = await pinGuidelines(prepared.plan, { workspace, project: begin.world.project });
  if (base === undefined) return { ...known, ...present({ guidelines }) };
  await requireSeen(begin, base);
  await requireRevisions(prepared.plan, workspace);
  return { ...known, base, tried: await tried(begin, base) };
}

/** A checkout shows what was trusted, and a run begins with a commit: where that runs other scripts, nobody has seen them. */
async function requireSeen({ world, workspace, prepared }: Begin, base: RunBase): Promise<void> {
  const { plan, source, options } = prepared;
  const tree = await workspace.tree(base.tree);
  const lines = [
    ...(await harmsIn(lookAt(tree), plan, source.path === TASK_SOURCE)),
    ...(isReal(prepared) ? await judgedBy(plan, treeSource(tree, plan.workspace)) : []),
  ];
  if (lines.length === 0) return;
  const seen = [...(await detectedHarms(plan, world.project)), ...(await judgedBy(plan, projectFiles(world.project)))];
  const takesOver = options.from !== undefined || options.continues !== undefined;
  await requireKnown(world, lines, {
    seen,
    grant: takesOver && options.trust === true,
    what: takesOver ? 'the work this run goes on from' : 'the commit this run begins with',
    hint: takesOver
      ? 'If you know this is harmless, say so: --trust'
      : 'Commit what you have changed, or take it along with --include-dirty. Or set it aside (git stash) and say so: --trust',
  });
}

type Place = Beginning & { readonly notices: readonly string[] };

async function whereItBegins(begin: Begin): Promise<Place> {
  const { from, continues, includeDirty } = begin.prepared.options;
  if (from !== undefined) return takeOver(begin, from);
  if (continues !== undefined) return { ...(await continueRun(begin.world, continues)), notices: [] };
  return begin.workspace.begin(includeDirty ?? false);
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
  const { plan, options, source, settings: isolation } = prepared;
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
    task: source.path === TASK_SOURCE && { namedTests: options.namedTests === true },
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
  const journal = await world.journal();
  const source = replay(await journal.read(from));
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
  const base = await baseOf(source, order.at(-1), journal);
  const notices = [`${adopted.length} accepted phases are taken over from ${from}: ${order.join(', ') || 'none'}`];
  return {
    from: { run: from, phase, adopted },
    simulated: source.simulated,
    notices,
    ...(base !== undefined && { base: { ...base, branch: `refs/heads/helix/${run}` } }),
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

/** What a run had come to with a phase, or begun with; what it had taken over itself is looked up where it was accepted. */
async function baseOf(
  source: RunState,
  phase: string | undefined,
  journal: Journal,
): Promise<Omit<RunBase, 'branch'> | undefined> {
  const { base, line } = source;
  if (base === undefined) return undefined;
  const origin = base.origin ?? base.tree;
  const own = line.findLast((each) => each.phase === phase);
  if (own !== undefined) return { ...stateOf(own), ...(own.published !== undefined && { origin }) };
  const [started] = await journal.read(source.run);
  const from = started?.type === 'run_started' ? started.data.from : undefined;
  const tree = phase === undefined ? undefined : source.phases.get(phase)?.accepted?.tree;
  if (from === undefined || tree === base.tree) return { ...stateOf(base), ...present({ origin: base.origin }) };
  const before = replay(await journal.read(from.run));
  if (before !== undefined) return baseOf(before, phase, journal);
  throw new HelixError('usage', `run ${source.run} took over work of run ${from.run}, which is gone`, {
    hint: 'Start a new run without --from, or from a later phase.',
  });
}
