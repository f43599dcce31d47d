import type { LinkedSource } from '../../approval/linked-files.ts';
import type { Learned, Size } from '../../domain/facts/change-size.ts';
import { CONTRACT, type Judges, type NewEvent, type Owner, type Tried } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { ApprovalsFile } from '../../domain/judge/approval.ts';
import { CAPABILITIES } from '../../domain/plan/driver.ts';
import type { EscalationSettings } from '../../domain/plan/escalation-settings.ts';
import type { AgentSettings, HelixFile, Isolation } from '../../domain/plan/helix-file.ts';
import { isJudge, isReview } from '../../domain/plan/judging-phase.ts';
import type { NotifySettings } from '../../domain/plan/notify-settings.ts';
import type { Budget, Phase, Plan } from '../../domain/plan/plan.ts';
import { askedHarm, harms, priceHarms, simulatedHarm } from '../../domain/plan/trust.ts';
import { approvalAgents } from '../../domain/plan/trust-guards.ts';
import { present } from '../../domain/present.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import type { LoadedPlan } from '../../plan/load-plan.ts';
import type { Project } from '../../ports/project.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { PROVIDERS_PATH, parseProviders } from '../../text/yaml/parse-providers.ts';
import { YAML_LIMITS } from '../../text/yaml/yaml-guard.ts';
import { guardedOutputHarms } from '../attempt/protected.ts';
import { projectFiles } from '../step/question-source.ts';
import { substitutes } from './choose-consultant.ts';
import { agentsFor, consulted, refuseJudges } from './choose-judges.ts';
import { detectedHarms } from './detected-commands.ts';
import { approvalsIn, judgedBy, judgingHarms } from './judging-harms.ts';
import { askedByPlan } from './require-task.ts';

/** What the user asked for on top of the plan. */
export type RunOptions = {
  readonly agent?: string;
  readonly model?: string;
  readonly budget?: Budget;
  readonly phase?: string;
  /** The run whose results are taken over, and the phase to begin with. */
  readonly from?: { readonly run: string; readonly phase: string };
  /** Above this a human is asked whether a change may be that large. */
  readonly growth?: Size;
  /** What an earlier run showed that turned out too large. */
  readonly learned?: Learned;
  /** The run on whose result this one builds, on the same branch. */
  readonly continues?: string;
  /** Take along what the user has not committed. */
  readonly includeDirty?: boolean;
  /** What scripted agents say and do and replayed ones play, in place of what their settings name. */
  readonly script?: string;
  /** The branch accepted work goes to, where it is not one named after the run. */
  readonly branch?: string;
  /** The user named the tests themselves: they may fail before the work in a way that cannot be read. */
  readonly namedTests?: boolean;
  /** The user trusts whatever work that is taken over starts, unseen. */
  readonly trust?: boolean;
  /** Keep cassettes of all attempts. */
  readonly record?: boolean;
};

/** The gates that are built. */
type Gates = ReadonlyMap<string, GateDefinition>;

/** A plan ready to be started: its agents chosen, and nothing in it that HELIX cannot do. */
export type PreparedRun = {
  readonly plan: Plan;
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly creator: string;
  readonly judges: Judges;
  readonly escalation: EscalationSettings;
  readonly notify: readonly NotifySettings[];
  readonly simulated: boolean;
  readonly budget: Budget;
  readonly settings: HelixFile;
  readonly source: LoadedPlan['source'];
  readonly options: RunOptions;
};

/** Chooses the agents and refuses, before anything starts, what cannot be done. */
export function prepareRun(loaded: LoadedPlan, options: RunOptions, gates: Gates): PreparedRun {
  if (loaded.plan === undefined)
    throw new HelixError('plan', 'the plan has errors', { hint: 'See them all: helix plan' });
  const { agents: chosen, creator } = chooseAgents(loaded, options);
  const agents = withScript(chosen, options.script);
  const phases = loaded.plan.phases.map((phase) =>
    options.agent === undefined ? withReviewer(phase, loaded.settings) : withoutAgent(phase),
  );
  const plan: Plan = { ...loaded.plan, phases };
  if (options.phase !== undefined && !phases.some((phase) => phase.id === options.phase)) {
    throw new HelixError('usage', `the plan has no phase ${options.phase}`, {
      hint: `It has: ${phases.map(({ id }) => id).join(', ')}`,
    });
  }
  const worked = options.phase === undefined ? phases : phases.filter((phase) => phase.id === options.phase);
  const { settings, source, notify, ownModels } = loaded;
  const crew = { phases, agents, creator, settings, ownModels, agent: options.agent };
  const { judges, escalation } = consulted(crew, loaded.escalation);
  const used = agentsFor(worked, { creator, judges, escalation });
  refuseJudges(worked, judges, agents);
  if (options.model !== undefined) refuseModel(used, agents);
  const refusals = [
    ...unbuiltGates(worked, gates),
    ...unbuiltRest(plan, loaded.settings),
    ...unnamedAgents(used, agents),
  ];
  if (refusals.length > 0) {
    throw new HelixError(
      'not_built',
      `this plan needs what HELIX cannot do yet:\n${refusals.map((line) => `  ${line}`).join('\n')}`,
      {
        hint: 'It can be checked with: helix plan',
      },
    );
  }
  const simulated = [...used].some((name) => isSimulated(agents[name]));
  if (simulated && options.agent === undefined && loaded.settings.allow_simulated !== true) {
    throw new HelixError('config', 'this plan would be worked on by a simulated agent', {
      hint: 'Say so with --agent scripted, or write allow_simulated: true in helix.yaml.',
    });
  }
  const budget = { ...plan.budget, ...options.budget };
  return { plan, agents, creator, judges, escalation, notify, simulated, budget, settings, source, options };
}

/** A review phase is done by the reviewer of helix.yaml, unless its plan names somebody. */
function withReviewer(phase: Phase, { roles }: HelixFile): Phase {
  const reviewer = isReview(phase) ? (phase.agent ?? roles?.reviewer) : phase.agent;
  return { ...phase, ...present({ agent: reviewer }) };
}

function refuseModel(used: ReadonlySet<string>, agents: PreparedRun['agents']): void {
  for (const name of used) {
    const driver = agents[name]?.driver;
    if (driver === undefined || CAPABILITIES[driver].model) continue;
    throw new HelixError('usage', `the agent ${name} (${driver}) cannot be told which model to use`, {
      hint: 'Leave out --model, and choose the model in the settings of the agent itself.',
    });
  }
}

function chooseAgents(loaded: LoadedPlan, { agent }: RunOptions) {
  const creator = agent ?? loaded.settings.roles?.creator ?? 'default';
  if (Object.hasOwn(loaded.agents, creator)) return { agents: loaded.agents, creator };
  if (agent === 'scripted' || agent === 'replay' || agent === 'claude-code' || agent === 'codex')
    return { agents: { ...loaded.agents, [agent]: { driver: agent } as const }, creator };
  throw new HelixError('usage', `there is no agent called ${creator}`, {
    hint: `Known: ${[...Object.keys(loaded.agents), 'scripted'].join(', ')}. Agents are named in helix.yaml.`,
  });
}

/** The script belongs to the run: whoever takes it up again plays the same one. */
function withScript(agents: PreparedRun['agents'], script: string | undefined): PreparedRun['agents'] {
  const own = Object.values(agents).find(
    (agent) => agent.script !== undefined && unsafePath(agent.script) !== undefined,
  );
  if (own !== undefined) {
    throw new HelixError('config', `the script ${JSON.stringify(own.script)} is not a file of the project`, {
      hint: 'Name one below the project in helix.yaml, or give it with --script.',
    });
  }
  if (script === undefined) return agents;
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [name, isSimulated(agent) ? { ...agent, script } : agent]),
  );
}

/** It does what somebody has written down, or what another one once did. */
function isSimulated(agent: AgentSettings | undefined): boolean {
  return agent?.driver === 'scripted' || agent?.driver === 'replay';
}

function withoutAgent({ agent: _own, ...phase }: Phase): Phase {
  return phase;
}

function unbuiltGates(phases: readonly Phase[], gates: Gates): string[] {
  return phases.flatMap((phase) => [
    ...phase.gates.filter((gate) => !gates.has(gate.type)).map((gate) => `phase ${phase.id}: the gate ${gate.type}`),
    ...(phase.generatesPhases && isJudge(phase) ? [`phase ${phase.id}: generates_phases in a ${phase.type}`] : []),
    ...(phase.rollback === undefined ? [] : [`phase ${phase.id}: rollback`]),
  ]);
}

function unbuiltRest(plan: Plan, settings: HelixFile): string[] {
  return [
    ...(plan.workspace.mode === 'phase-dirs' && isFurnished(plan.workspace)
      ? ['set-up, copy and cache outside a repository (they belong to workspace: repo)']
      : []),
    ...(settings.database === undefined ? [] : ['another database than the built-in one']),
  ];
}

function isFurnished({ setup, copy, cache }: Plan['workspace']): boolean {
  return setup.length + copy.length + cache.length > 0;
}

function unnamedAgents(used: ReadonlySet<string>, agents: PreparedRun['agents']): string[] {
  return [...used]
    .filter((name) => agents[name] === undefined)
    .map((name) => `the agent ${name}, which helix.yaml does not name`);
}

/** The parts of a run that can do harm; without judges it is one that is only planned. */
export type Wanting = Pick<PreparedRun, 'plan' | 'agents' | 'creator' | 'settings' | 'escalation'> & {
  readonly judges?: Judges;
};

/** What lies where a run began, in place of what lies in the checkout now. */
export type Found = { readonly commands: readonly string[]; readonly source: LinkedSource };

/**
 * What the agents and commands of a run could do, and how its work is judged, line by line; also commands that gates find in the
 * project, or what they found in another state of it.
 */
export async function harmsOf(
  wanted: Wanting,
  project: Pick<Project, 'match' | 'read' | 'fromTop' | 'links' | 'target'>,
  found?: Found,
): Promise<string[]> {
  const wanting = { ...wanted, plan: withReviewers(wanted) };
  const { plan, agents, settings } = wanting;
  const source = found?.source ?? projectFiles(project);
  const approvals = await approvalsIn(source);
  const used = new Set([...agentsOf(wanting), ...judgesNamed(wanting, approvals)]);
  const written = harms(plan, Object.fromEntries(Object.entries(agents).filter(([name]) => used.has(name))), settings);
  const simulated = [...used].filter((name) => isSimulated(agents[name])).sort();
  const isReal = simulated.length < used.size;
  const counts =
    isReal && (settings.allow_simulated === true || simulated.length > 0) ? [simulatedHarm(simulated)] : [];
  const asked = isReal ? (await askedByPlan(plan, project)).map(askedHarm) : [];
  const guarded = guardedOutputHarms(plan);
  const prices = isReal ? await pricesIn(project) : [];
  const judged = isReal
    ? [...judgingHarms({ plan, agents, ...crewOf(wanting) }), ...(await judgedBy(plan, source))]
    : [];
  const detected = found?.commands ?? (await detectedHarms(plan, project));
  return [...written, ...counts, ...asked, ...guarded, ...prices, ...judged, ...detected].sort();
}

/** Tells whether somebody works or judges who does not play a script. */
export function isReal(wanting: Wanting): boolean {
  return [...agentsOf(wanting)].some((name) => !isSimulated(wanting.agents[name]));
}

/** A plan that is not prepared yet says of its reviews only whom it names itself. */
function withReviewers({ plan, settings, judges }: Wanting): Plan {
  if (judges?.fixed === true) return plan;
  return { ...plan, phases: plan.phases.map((phase) => withReviewer(phase, settings)) };
}

function judgesNamed({ agents, judges }: Wanting, approvals: ApprovalsFile): string[] {
  return judges?.fixed === true ? [] : approvalAgents(approvals).filter((name) => Object.hasOwn(agents, name));
}

/** The prices a project sets itself; what is wrong with them is told where they are used. */
async function pricesIn(project: Pick<Project, 'read'>): Promise<string[]> {
  const text = await project.read(PROVIDERS_PATH, YAML_LIMITS.bytes);
  return text === undefined ? [] : priceHarms((await parseProviders(text)).providers);
}

/** The names of all agents that a run may start: who works, judges and is consulted, and who stands in for them. */
export function agentsOf(wanting: Wanting): Set<string> {
  const { creator, agents, plan } = wanting;
  const crew = crewOf(wanting);
  return new Set([...agentsFor(plan.phases, { creator, ...crew }), ...substitutes(plan.phases, { agents, ...crew })]);
}

function crewOf({ plan: { phases }, agents, creator, judges, settings, escalation }: Wanting) {
  if (judges !== undefined) return { judges, escalation };
  return consulted({ phases, agents, creator, settings, ownModels: true }, escalation);
}

/** How the agents and commands of a run are to be walled in, as its facts tell it. */
export function isolationOf({ sandbox, network, limits }: HelixFile): { isolation?: Isolation } {
  if (sandbox === undefined && network === undefined && limits === undefined) return {};
  return { isolation: { ...present({ sandbox, network, limits }) } };
}

type StartedData = Extract<NewEvent, { type: 'run_started' }>['data'];

/** Where a run begins: in which state of its repository, with what known and what taken over. */
export type Beginning = Partial<
  Pick<
    StartedData,
    'base' | 'from' | 'continues' | 'simulated' | 'sandbox' | 'guidelines' | 'preparedMs' | 'attended' | 'showsPlans'
  >
> & {
  readonly tried?: readonly Tried[];
};

/** The first fact of a run. */
export function runStarted(
  prepared: PreparedRun,
  identity: { run: string; marker: string; helix: string; owner: Owner; request?: string },
  beginning: Beginning = {},
): Extract<NewEvent, { type: 'run_started' }> {
  const { plan, agents, creator, judges, escalation, notify, simulated, budget, source, options, settings } = prepared;
  const { request, ...who } = identity;
  return {
    type: 'run_started',
    data: {
      ...who,
      contract: CONTRACT,
      plan,
      source: { path: source.path, sha256: source.sha256 },
      agents,
      creator,
      judges,
      escalation,
      notify: [...notify],
      ...present({ language: settings.language, model: options.model, only: options.phase }),
      ...present({ growth: options.growth, learned: options.learned }),
      budget,
      ...present({ request }),
      simulated: simulated || beginning.simulated === true,
      ...(options.record === true && { recorded: true }),
      ...isolationOf(settings),
      ...present({ sandbox: beginning.sandbox, base: beginning.base, guidelines: beginning.guidelines }),
      ...present({ preparedMs: beginning.preparedMs }),
      ...(beginning.tried !== undefined && { tried: [...beginning.tried] }),
      ...present({
        from: beginning.from,
        continues: beginning.continues,
        attended: beginning.attended,
        showsPlans: beginning.showsPlans,
      }),
    },
  };
}
