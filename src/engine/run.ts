import { CONTRACT, type NewEvent, type RunEvent } from '../domain/facts/run-event.ts';
import type { RunState } from '../domain/facts/run-state.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { Isolation } from '../domain/plan/helix-file.ts';
import type { Budget, Phase, Plan } from '../domain/plan/plan.ts';
import type { Sandbox } from '../domain/plan/sandbox.ts';
import { present } from '../domain/present.ts';
import { replay } from '../domain/run/evolve.ts';
import type { GateDefinition } from '../gates/gate/define-gate.ts';
import type { Agent } from '../ports/agent.ts';
import type { Journal, Ownership } from '../ports/journal.ts';
import type { Workspace, WorkspaceScope } from '../ports/workspace.ts';
import type { World } from '../ports/world.ts';
import { checkTemplates } from './check-templates.ts';
import { RunAttendant } from './ladder/run-attendant.ts';
import { followUp } from './publish/follow-up.ts';
import { type Desk, publish, publishFinal } from './publish/publish.ts';
import { runLoop } from './run-loop.ts';
import { beginRun } from './start/begin-run.ts';
import { checkJudges } from './start/check-judges.ts';
import { agentsFor } from './start/choose-judges.ts';
import { cutShort } from './start/cut-short.ts';
import { type PreparedRun, runStarted } from './start/prepare-run.ts';
import { refuseSecrets } from './start/refuse-secrets.ts';
import { replanned } from './start/replan.ts';
import { readRequest, requireTask } from './start/require-task.ts';
import { conventionsOf } from './step/conventions.ts';
import type { EnginePorts, Watchers } from './step/engine-ports.ts';
import { projectSource } from './step/question-source.ts';
import { Recorder } from './step/recorder.ts';
import { requireEnforceable } from './step/walls.ts';
import { gateRules } from './words/gate-notes.ts';

/** How a run is accompanied. */
export type Company = Watchers & {
  readonly gates: ReadonlyMap<string, GateDefinition>;
  readonly stop: AbortSignal;
  readonly wait: boolean;
  /** Somebody sits there who can be asked. */
  readonly attended?: boolean;
  /** They see a plan that grows before it is worked on. */
  readonly showsPlans?: boolean;
};

/** Starts a run and carries it as far as it goes. */
export async function startRun(world: World, prepared: PreparedRun, company: Company): Promise<RunState> {
  const journal = await world.journal();
  const processes = await world.processes();
  await requireTask(world.project, prepared);
  const request = await readRequest(world.project);
  const identity = {
    run: world.newRunId(),
    marker: world.newMarker(),
    helix: world.version,
    owner: processes.self(),
    ...present({ request }),
  };
  const sandbox = await foundSandbox(world, prepared, company);
  const agent = agentsOf(prepared, world);
  for (const name of namesOf(prepared)) await agent(name);
  await checkJudges(workedOn(prepared), prepared, projectSource(world));
  const template = remembered((name) => world.template(name));
  await checkTemplates(prepared.plan, { project: world.project, template });
  const { run, marker } = identity;
  const workspace = await world.workspace({
    run,
    marker,
    settings: prepared.plan.workspace,
    simulated: prepared.simulated,
    onSetUp: company.onSetUp,
    walled: sandbox.level === 'strict',
    ...present({ branch: refOf(prepared.options.branch) }),
  });
  refuseSecrets(prepared, world.secrets(Object.values(prepared.agents)));
  const leave = await workspace.take();
  try {
    await endLeftovers(world, prepared.plan);
    const began = world.clock.monotonic();
    const beginning = await beginRun({ world, workspace, prepared, sandbox, company, ...identity });
    const preparedMs = Math.round(world.clock.monotonic() - began);
    const start = runStarted(prepared, identity, {
      ...{ ...beginning, sandbox, preparedMs },
      ...present({ attended: company.attended, showsPlans: company.showsPlans }),
    });
    const { ownership, events } = await journal.create(run, start);
    return await carry({ world, journal, workspace, ownership, events, sandbox, company }, []);
  } finally {
    await leave();
  }
}

function refOf(branch: string | undefined): string | undefined {
  return branch === undefined ? undefined : `refs/heads/${branch}`;
}

/** Finds, once for each start, how well programs can be walled in here, and says so. */
async function foundSandbox(
  world: World,
  { plan, settings }: { plan: Plan; settings: Isolation },
  { onSandbox }: Watchers,
): Promise<Sandbox> {
  const sandbox = await world.sandbox(settings.sandbox ?? 'auto', settings.limits);
  requireEnforceable(plan, settings, sandbox);
  onSandbox?.(sandbox);
  return sandbox;
}

/** Ends what a HELIX that died has left running; in a repository other runs may be under way, whose processes stay. */
async function endLeftovers(world: World, { workspace }: Plan): Promise<void> {
  const processes = await world.processes();
  if (workspace.mode === 'phase-dirs') return void (await processes.endMarked(world.marker));
  const journal = await world.journal();
  for (const { run, status } of await journal.list()) {
    if (status !== 'open' || (await journal.owner(run)) !== undefined) continue;
    const [first] = await journal.read(run);
    if (first?.type === 'run_started') await processes.endMarked(first.data.marker);
  }
}

function workedOn({ plan, options }: PreparedRun): Phase[] {
  return plan.phases.filter(({ id }) => options.phase === undefined || options.phase === id);
}

function namesOf(prepared: PreparedRun): Set<string> {
  // Whether an ADR needs a judge is only known when it is there.
  const sure = workedOn(prepared).map((phase) => ({
    ...phase,
    gates: phase.gates.filter(({ type }) => type !== 'adr_complete'),
  }));
  return agentsFor(sure, prepared);
}

/** Takes a run up where its journal ends; a finished one is only reported once more. */
export async function resumeRun(
  world: World,
  run: string,
  company: Company & { readonly budget?: Budget; readonly replan?: PreparedRun },
): Promise<RunState> {
  const journal = await world.journal();
  const processes = await world.processes();
  const owner = processes.self();
  const ownership = await journal.own(run, owner);
  let leave: (() => Promise<void>) | undefined;
  try {
    const events = await journal.read(run);
    const state = known(replay(events), run);
    if (state.ended !== undefined)
      return await published(state, events, {
        files: await world.files(run),
        journal,
        workspace: () => world.workspace(scopeOf(state)),
        project: world.project,
        rules: rulesIn(world, company, () => world.workspace(scopeOf(state))),
        onNotice: company.onNotice,
      });
    const { replan: prepared } = company;
    // A cancelled run starts nothing, so its sandbox is not checked.
    const sandbox = state.cancelRequested
      ? await world.sandbox('auto')
      : await foundSandbox(world, prepared ?? { plan: state.plan, settings: state.isolation }, company);
    const walled = sandbox.level === 'strict';
    const workspace = await world.workspace({ ...scopeOf(state), walled, onSetUp: company.onSetUp });
    if (prepared !== undefined) refuseSecrets(prepared, world.secrets(Object.values(prepared.agents)));
    leave = state.cancelRequested ? undefined : await workspace.take();
    await processes.endMarked(state.marker);
    if (leave !== undefined) await endLeftovers(world, state.plan);
    const resumed: NewEvent = {
      type: 'run_resumed',
      data: {
        owner,
        sandbox,
        ...present({ budget: company.budget, attended: company.attended, showsPlans: company.showsPlans }),
      },
    };
    const change = { world, workspace, state, sandbox, company, ...present({ budget: company.budget }) };
    const changed = prepared === undefined ? [] : [await replanned({ ...change, prepared })];
    const cut = await cutShort(state, events, { files: await world.files(run), agent: agentsOf(state, world) });
    const facts = [resumed, ...cut, ...changed];
    return await carry({ world, journal, workspace, ownership, events, sandbox, company }, facts);
  } finally {
    await leave?.();
    ownership.release();
  }
}

/** By what phases are judged, told with what the workspace knows. */
function rulesIn(world: World, { gates }: Company, workspace: Desk['workspace']): Desk['rules'] {
  return async (phase, state) => gateRules(phase, { ports: { ...world, gates, workspace: await workspace() }, state });
}

/** What a run's workspace is opened for. */
export function scopeOf({ run, marker, plan, simulated, base }: RunState): WorkspaceScope {
  return { run, marker, settings: plan.workspace, simulated, ...present({ base }) };
}

/** Writes what people read once more, because the run may have ended when there was no room left for it. */
async function published(state: RunState, events: readonly RunEvent[], desk: Desk): Promise<RunState> {
  await publish(events, state, desk);
  await publishFinal(state, desk);
  return state;
}

function known(state: RunState | undefined, run: string): RunState {
  if (state === undefined) throw new HelixError('journal', `run ${run} has no facts`);
  if (state.contract > CONTRACT) {
    throw new HelixError('journal', `run ${run} was started by a newer HELIX`, {
      hint: 'Continue it with that version.',
    });
  }
  return state;
}

type Carried = {
  world: World;
  journal: Journal;
  workspace: Workspace;
  ownership: Ownership;
  events: readonly RunEvent[];
  sandbox: Sandbox;
  company: Company;
};

async function carry(
  { world, journal, workspace, ownership, events, sandbox, company }: Carried,
  next: readonly NewEvent[],
): Promise<RunState> {
  try {
    const state = known(replay(events), 'that was just started');
    const files = await world.files(state.run);
    const { project } = world;
    const { onNotice } = company;
    const rules = rulesIn(world, company, async () => workspace);
    const desk: Desk = { files, journal, workspace: async () => workspace, project, rules, onNotice };
    const around = { workspace, project, journal, onNotice };
    const recorder = new Recorder({ journal, ownership, state }, async (happened, after) => {
      for (const event of happened) company.onEvent?.(event, after);
      await followUp(happened, after, around);
      await publish(happened, after, desk);
    });
    if (next.length === 0) for (const event of events) company.onEvent?.(event, state);
    await followUp(events, state, around);
    await publish(events, state, desk);
    if (next.length > 0) await recorder.happened(...next);
    const template = remembered((name) => world.template(name));
    const seen = { ...world, workspace, sandbox, gates: company.gates, template };
    const ports: EnginePorts = {
      ...{ ...world, journal, files, workspace, sandbox },
      processes: await world.processes(),
      agent: agentsOf(state, world),
      modelId: async (name) => (await world.models()).find(name).id,
      secrets: world.secrets(Object.values(state.agents)),
      gates: company.gates,
      conventions: conventionsOf({ ...world, state, workspace }),
      template,
      grownPlan: async (written) => (await import('./growing/examine-growth.ts')).examineGrowth(written, seen),
    };
    const { stop, wait } = company;
    const attendant = new RunAttendant({
      ...{ ports, recorder, watchers: company, actor: world.actor },
      messenger: (now) => messengerOf(now, { world, recorder, company, redact: ports.secrets.redact }),
    });
    const end = await runLoop({ ports, recorder, watchers: company, stop, wait, attendant });
    await publishFinal(end, desk);
    return end;
  } finally {
    ownership.release();
  }
}

type Telling = { world: World; recorder: Recorder; company: Company; redact: (text: string) => string };

/** The way to people elsewhere, where the run has any. */
async function messengerOf({ notify }: RunState, { world, recorder, company, redact }: Telling) {
  if (notify.length === 0) return undefined;
  const { Messenger } = await import('./ladder/messenger.ts');
  return new Messenger({
    ...{ notifier: await world.notifier(), clock: world.clock, redact, onNotice: company.onNotice },
    record: (think) => recorder.inThatState(think),
  });
}

/** Makes each thing once, when it is first asked for: what a run tells its agents does not change while it goes on. */
function remembered<T>(make: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (name) => {
    const made = known.get(name) ?? make(name);
    known.set(name, made);
    return made;
  };
}

/** Opens each agent when it is first needed: a cancelled run starts none. */
function agentsOf({ agents }: Pick<PreparedRun, 'agents'>, world: World): (name: string) => Promise<Agent> {
  return remembered(async (name) => {
    const settings = agents[name];
    if (settings === undefined) throw new HelixError('config', `the run has no agent ${name}`);
    return world.agent(settings);
  });
}
