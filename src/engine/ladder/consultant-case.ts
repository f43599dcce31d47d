import { posix } from 'node:path';
import { type AttemptFacts, attemptLine } from '../../brief/consultant-attempts.ts';
import { consultantBrief } from '../../brief/consultant-brief.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { addressees } from '../../domain/ladder/authors.ts';
import type { ConsultantCase, Switch } from '../../domain/ladder/check-consultant.ts';
import { baselineLines, leftLine, placeLines } from '../../domain/ladder/circumstances.ts';
import { revertTargets } from '../../domain/ladder/revert.ts';
import { specChangeLines } from '../../domain/ladder/spec-changes.ts';
import { CAPABILITIES } from '../../domain/plan/driver.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import { type AttemptRecord, attemptHistory } from '../../report/run/attempts.ts';
import { briefPath } from '../../report/words/run-paths.ts';
import { changedFiles } from '../difference/changed-files.ts';
import { setupOf } from '../step/changed-phase.ts';
import type { EnginePorts, RunContext } from '../step/engine-ports.ts';
import { readSpec, type Spec } from '../step/read-spec.ts';
import { gateRules } from '../words/gate-notes.ts';
import { saidByAgent } from '../words/said-by-agent.ts';

const MOST_ATTEMPTS = 12;
const MOST_FILES = 500;
const MOST_CHARACTERS = 64 * 1024;

type ConsultStep = Extract<Step, { do: 'consult' }>;
type Case = RunContext<
  | ('journal' | 'files' | 'workspace' | 'project' | 'conventions' | 'modelId')
  | ('gates' | 'shippedConfig' | 'shippedApproval')
>;

/** What is known of a failing phase before a consultant is asked. */
export type GatheredCase = Pick<ConsultantCase, 'switches' | 'skills'> & {
  readonly attempts: readonly AttemptFacts[];
  readonly older: readonly string[];
  readonly reverts: readonly string[];
  readonly spec: Spec;
  readonly rules: readonly string[];
  readonly conventions: readonly string[];
};

/** Gathers what a consultant needs to know, attempt by attempt, and as little of each as will be told of it. */
export async function gatherCase({ phase }: ConsultStep, around: Case): Promise<GatheredCase> {
  const { ports, state } = around;
  const all = await ports.journal.read(state.run);
  const events = all.filter(({ data }) => 'phase' in data && data.phase === phase.id);
  const records = lastOfEach(attemptHistory(events).get(phase.id) ?? []);
  const shown = records.slice(-MOST_ATTEMPTS);
  const attempts: AttemptFacts[] = [];
  for (const record of shown)
    attempts.push(await attemptFacts(record, events, { ports, isNewest: record === shown.at(-1) }));
  const { skills = [], texts, more } = await ports.conventions([]);
  // Skills have a list of their own.
  const others = more.filter(({ file = '' }) => posix.basename(file) !== 'SKILL.md');
  const conventions = [...texts, ...others].map(({ path }) => path);
  const worker = workerOn(phase, state);
  const made = all.filter(({ data }) => 'phase' in data && data.phase === worker.id);
  const switches = await switchesOf(worker, triedIn(made), around);
  const spec = await readSpec(phase, around);
  const reverts = revertsOf(phase.id, all);
  const older = records.slice(0, records.length - shown.length).map((record) => attemptLine(shortFacts(record)));
  const rules = await gateRules(phase, around);
  return { attempts, older, reverts, switches, skills, spec, rules, conventions };
}

/** Who would go on: where a review rejects, the author of what it rejects. */
function workerOn(phase: Phase, state: RunState): Phase {
  const at = state.phases.get(phase.id);
  const [first] = at === undefined ? [] : addressees(at, state);
  return state.plan.phases.find(({ id }) => id === first) ?? phase;
}

/** When the run went back over a phase, in words. */
function revertsOf(phase: string, events: readonly RunEvent[]): string[] {
  let judged = 0;
  return events.flatMap(({ type, data }) => {
    if (type === 'attempt_judged' && data.phase === phase) judged = data.attempt;
    if (type !== 'plan_reverted' || !data.voided.includes(phase)) return [];
    return [`after attempt ${judged} the run went back to ${data.target}, by decision of a ${data.by}`];
  });
}

/** What a consultant is told of the case in the state it is asked in; `dir` is where the newest work lies. */
export function caseBrief(
  { phase, purpose, because }: ConsultStep,
  gathered: GatheredCase,
  { state, dir }: { readonly state: RunState; readonly dir: string | undefined },
): { brief: string; instructions: string } {
  const { plan, request, language, escalation, phases } = state;
  const at = phases.get(phase.id);
  const { changes = {}, guidance = [] } = at?.history ?? {};
  const refused = (at?.rung.refusals ?? 0) > 0 ? (at?.rung.refused ?? []) : [];
  return consultantBrief({
    ...{ purpose, because, plan, phase, request, language, changes, guidance, refused, dir },
    ...gathered,
    spec: gathered.spec.text,
    ...{ returns: at?.returns ?? [], rejection: at?.feedback },
    place: placeLines(phase, state),
    left: leftLine(state),
    baseline: baselineLines(state.tried),
    specChanges: specChangeLines(gathered.spec.changes),
    actions: escalation.consultant.actions,
    targets: revertTargets(phase.id, state),
  });
}

/** What an answer is held against in the state it takes effect in. */
export function caseIn(
  state: RunState,
  { phase, purpose }: ConsultStep,
  { switches, skills, spec }: GatheredCase,
): ConsultantCase {
  const { actions } = state.escalation.consultant;
  return {
    purpose,
    plan: state.plan,
    actions,
    switches,
    skills,
    targets: revertTargets(phase.id, state),
    spec: spec.now,
  };
}

/** An attempt that was interrupted and made again is told of once. */
function lastOfEach(records: readonly AttemptRecord[]): AttemptRecord[] {
  return [...new Map(records.map((record) => [record.attempt, record])).values()];
}

type Told = { readonly ports: Case['ports']; readonly isNewest: boolean };

async function attemptFacts(
  record: AttemptRecord,
  events: readonly RunEvent[],
  { ports, isNewest }: Told,
): Promise<AttemptFacts> {
  const { phase, attempt } = record;
  const told = () => words(async () => (await ports.files.readLines(briefPath(phase, attempt))).join('\n'));
  return {
    ...shortFacts(record),
    ...(isNewest && { brief: await told() }),
    difference: await words(() => differenceOf(attempt, events, ports)),
    said: await words(() => saidByAgent(record, ports.files, MOST_CHARACTERS)),
  };
}

/** What the journal alone knows of an attempt. */
function shortFacts(record: AttemptRecord): Omit<AttemptFacts, 'brief' | 'difference' | 'said'> {
  const { attempt, agent, model, verdicts = [], failure, message, stage } = record;
  const broken = failure !== undefined && stage === 'interrupted' ? `${failure}: ${message ?? ''}` : undefined;
  return { attempt, agent, verdicts, ...present({ model, broken }) };
}

/** What is no longer kept cannot be told; the consultant goes by the rest. */
async function words(read: () => Promise<string>): Promise<string> {
  try {
    return (await read()).slice(0, MOST_CHARACTERS);
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return `(it cannot be read: ${error.message})`;
  }
}

/** What an attempt made of what it began with, as a patch. */
async function differenceOf(
  attempt: number,
  events: readonly RunEvent[],
  { workspace }: Pick<EnginePorts, 'workspace'>,
): Promise<string> {
  let from: string | undefined;
  let to: string | undefined;
  for (const { type, data } of events) {
    if (type === 'attempt_started' && data.attempt === attempt) [from, to] = [data.start, undefined];
    if (type === 'attempt_finished' && data.attempt === attempt) to = data.tree;
  }
  if (from === undefined || to === undefined || from === to) return '';
  const patches: string[] = [];
  let room = MOST_CHARACTERS;
  for await (const { path, status, patch, only, note } of changedFiles([{ from, to, below: '' }], {
    workspace,
    top: '',
  })) {
    const text = patch?.toString('utf8') ?? `# ${status}: ${path} (${note ?? only ?? 'not shown'})\n`;
    patches.push(text.slice(0, room));
    room -= text.length;
    if (room > 0 && patches.length < MOST_FILES) continue;
    patches.push('# and more\n');
    break;
  }
  return patches.join('');
}

type Tried = { readonly models: ReadonlySet<string>; readonly agents: ReadonlySet<string> };

/** Who made the attempts so far; what a human did by hand tried nobody. */
function triedIn(events: readonly RunEvent[]): Tried {
  const models = new Set<string>();
  const agents = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'attempt_started' && data.manual !== true) agents.add(data.agent);
    if ((type === 'attempt_started' || type === 'attempt_finished') && data.model !== undefined) models.add(data.model);
  }
  return { models, agents };
}

/**
 * All that the settings allow to switch to; who named one agent for everything gets no other one, and no model helps an agent that
 * cannot be told which to use.
 */
async function switchesOf(phase: Phase, { models, agents }: Tried, { ports, state }: Case): Promise<Switch[]> {
  const switches: Switch[] = [];
  const driver = state.agents[setupOf(phase, state).agent]?.driver;
  for (const name of state.escalation.consultant.models) {
    if (Object.hasOwn(state.agents, name)) {
      if (state.judges.fixed !== true) switches.push({ name, kind: 'agent', tried: agents.has(name) });
      continue;
    }
    if (driver !== undefined && !CAPABILITIES[driver].model) continue;
    const id = await ports.modelId(name);
    switches.push({ name, kind: 'model', id, tried: models.has(id) || models.has(name) });
  }
  return switches;
}
