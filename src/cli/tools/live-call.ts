import type { DoctorDocument } from '../../domain/documents/documents.ts';
import type { AgentSettings, Isolation } from '../../domain/plan/helix-file.ts';
import { DEFAULT_BUDGET, type Phase, type Plan } from '../../domain/plan/plan.ts';
import { lostBeside } from '../../domain/plan/trust.ts';
import { present } from '../../domain/present.ts';
import { type PreparedRun, prepareRun, type Wanting } from '../../engine/start/prepare-run.ts';
import { GATES } from '../../gates/registry.ts';
import type { AgentEnd } from '../../ports/agent.ts';
import type { World } from '../../ports/world.ts';
import { load, refuseErrors } from '../call/load.ts';
import { requireTrust } from '../call/require-trust.ts';
import type { Terminal } from '../call/terminal.ts';

const LIVE_MS = 60_000;
const LIVE_USD = 0.05;
const BRIEF = 'Answer with the single word "ready". Use no tools, and write no files.';

type LiveCall = NonNullable<DoctorDocument['live']>;
type Chosen = {
  readonly name: string;
  readonly settings: AgentSettings;
  readonly isolation: Isolation;
};

/** The agent to be called: the one that is named, or whoever works on this project's plan; without a plan, Claude Code. */
export async function chooseLive(world: World, named: string | undefined, terminal: Terminal): Promise<Chosen> {
  const hasPlan = (await world.project.match('phases.yaml')).length > 0;
  if (!hasPlan && named === undefined) {
    return { name: 'claude-code', settings: { driver: 'claude-code' }, isolation: {} };
  }
  const loaded = await load(world);
  refuseErrors(loaded, terminal);
  const prepared = prepareRun(loaded, named === undefined ? {} : { agent: named }, GATES);
  const { agents, creator, settings } = prepared;
  await requireTrust(world, onlyCalling(prepared), false, { lostOf: lostBeside });
  return { name: creator, settings: agents[creator] ?? { driver: 'claude-code' }, isolation: settings };
}

/** What a live call could do: its settings may name any program, but nothing else of the plan is started. */
function onlyCalling({ plan, agents, creator, settings: { sandbox, limits }, escalation }: PreparedRun): Wanting {
  const agent = agents[creator];
  const { description: _unsaid, ...called } = plan.project;
  const workspace: Plan['workspace'] = { mode: 'phase-dirs', setup: [], copy: [], cache: [] };
  return {
    plan: { ...plan, project: called, phases: [LIVE_PHASE], workspace, budget: DEFAULT_BUDGET },
    agents: agent === undefined ? {} : { [creator]: agent },
    ...{ creator, escalation, settings: present({ sandbox, limits }) },
  };
}

/** Makes one tiny call to an agent, in an empty directory, with a minute and a few cents to spend. */
export async function callLive(world: World, { name, settings, isolation }: Chosen): Promise<LiveCall> {
  const { dir, dispose } = await world.neutralDirectory();
  const began = world.clock.monotonic();
  const seconds = () => Math.round(world.clock.monotonic() - began) / 1000;
  try {
    const agent = await world.agent(settings);
    const sandbox = await world.sandbox(isolation.sandbox ?? 'auto', isolation.limits);
    const end = await agent.perform({
      ...{ role: 'creator', phase: LIVE_PHASE, attempt: 1, turn: 0, brief: BRIEF, dir, inputs: [] },
      ...{ writable: [], protect: [], network: [], sandbox, marker: world.newMarker() },
      ...{ wallMs: LIVE_MS, spendUsd: LIVE_USD, signal: new AbortController().signal, onLine: () => undefined },
      ...(settings.model !== undefined && { model: (await world.models()).find(settings.model).id }),
    });
    return { agent: name, driver: settings.driver, seconds: seconds(), ...toldBy(end) };
  } finally {
    await dispose();
  }
}

function toldBy(end: AgentEnd): Pick<LiveCall, 'works' | 'model' | 'version' | 'cost' | 'failure' | 'message'> {
  const { model, version, cost } = end;
  return {
    works: end.kind === 'done',
    ...present({ model, version, cost }),
    ...(end.kind === 'interrupted' && { failure: end.failure, message: end.message }),
  };
}

/** A phase that wants nothing. */
const LIVE_PHASE: Phase = {
  ...{ id: 'doctor', name: 'doctor', type: 'documentation', dependsOn: [], config: {}, gates: [], maxRetries: 1 },
  output: { directory: '.', files: [] },
  ...{ optional: false, requiresApproval: false, verifyAgent: false, generatesPhases: false },
};
