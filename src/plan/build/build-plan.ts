import { isToGrow } from '../../domain/growing/growing-phase.ts';
import type { Expert } from '../../domain/kinds/experts-file.ts';
import { isMeeting, writesSpec } from '../../domain/ladder/meeting.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { HelixFile } from '../../domain/plan/helix-file.ts';
import type { PhaseEntry } from '../../domain/plan/phases-file.ts';
import { DEFAULT_BUDGET, type Phase, type PhaseConfig, type Plan } from '../../domain/plan/plan.ts';
import { PROTECTED } from '../../domain/plan/protected.ts';
import { PLAN_GATE } from '../../domain/plan-growth.ts';
import { joinPath, normaliseDirectory, normalisePath } from '../../text/safe-path.ts';
import { dependencies } from './order.ts';
import type { GateDraft } from './parse-gate.ts';
import type { PhaseDraft, PlanDraft, PlanHeader } from './parse-phases.ts';

export type Mode = Plan['workspace']['mode'];

const DEFAULT_CONCURRENCY: Readonly<Record<Mode, number>> = { repo: 1, 'phase-dirs': 4 };

/** The directory that is worked on, and where the plan lies seen from it. */
type Root = { readonly root: string; readonly home: string };

/** What a plan is made with beside its phases. */
type Surroundings = {
  readonly mode: Mode;
  readonly root: Root | undefined;
  readonly name: string;
  readonly settings: HelixFile;
  /** Whom its phases can ask, where they do. */
  readonly experts: readonly Expert[] | undefined;
};

/** The plan with every default filled in. */
export function buildPlan(
  { header }: PlanDraft,
  phases: readonly Phase[],
  { mode, root, name, settings, experts }: Surroundings,
): Plan {
  const workspace = typeof header.workspace === 'object' ? header.workspace : {};
  const description = header.project?.description ?? header.description;
  return {
    project: { name, type: projectType(header), ...present({ description }) },
    workspace: {
      mode,
      ...present({ root: root?.root, home: root?.home }),
      setup: commandsOf(workspace.setup ?? []),
      copy: (workspace.copy ?? []).map(normalisePath),
      cache: (workspace.cache ?? []).map(normaliseDirectory),
      ...present({ keepOut: workspace.keep_out?.map(normalisePath) }),
    },
    concurrency: header.concurrency ?? DEFAULT_CONCURRENCY[mode],
    budget: header.budget ?? settings.budget ?? DEFAULT_BUDGET,
    protected: [...PROTECTED, ...(header.protected ?? []).map(normalisePath)],
    ...present({ maxDynamicPhases: header.max_dynamic_phases, dynamicPhaseTemplate: header.dynamic_phase_template }),
    ...present({ experts: experts === undefined ? undefined : [...experts] }),
    ...present({ unattended: header.unattended }),
    phases: [...phases],
  };
}

export function projectType(header: PlanHeader): string {
  return header.project?.type ?? header.project_type ?? 'feature';
}

/** One command may be written without the outer list. */
export function commandsOf(setup: readonly string[] | readonly string[][]): string[][] {
  const words = setup.filter((entry) => typeof entry === 'string');
  return words.length > 0 ? [words] : setup.filter((entry) => typeof entry !== 'string');
}

/** The limits of phases that say none. */
type Limits = { readonly retries: number; readonly timeoutSeconds?: number };

/** The phases with their order, paths, gates and limits filled in. */
export function buildPhases({ header, phases }: PlanDraft, mode: Mode, usual: Limits): Phase[] {
  const order = dependencies(
    phases.map(({ id, type, entry }) => ({ id, approval: type === 'approval', dependsOn: writtenDependencies(entry) })),
  );
  const approvals = new Set(phases.filter(({ type }) => type === 'approval').map(({ id }) => id));
  const retries = header.project?.max_retries ?? header.max_retries ?? usual.retries;
  const places = new Map(phases.map(({ id }, index) => [id, index]));
  // What a review let pass was made by somebody before it.
  const workerBehind = (id: string, depth = 0): string => {
    const place = places.get(id) ?? -1;
    if (phases[place]?.type !== 'review' || depth > phases.length) return id;
    const before = (order[place] ?? []).filter((each) => !approvals.has(each)).at(-1);
    return before === undefined ? id : workerBehind(before, depth + 1);
  };
  return phases.map((draft, index) => {
    const dependsOn = order[index] ?? [];
    const phase = buildPhase(draft, mode, { ...usual, retries });
    const nearest = dependsOn.filter((id) => !approvals.has(id)).map((id) => workerBehind(id));
    const maker = makerOf(phase.input, phases.slice(0, index), mode);
    const onRejection = rejection(draft.entry, maker === undefined ? [...new Set(nearest)] : [maker]);
    const gates = projectType(header) === 'bugfix' ? phase.gates.map(probing) : phase.gates;
    return { ...phase, gates, dependsOn, ...present({ onRejection }) };
  });
}

/** The one phase that makes what a phase is given, where the plan says so: the phase it names, else the last that declares each file it names. */
function makerOf(input: Phase['input'], before: readonly PhaseDraft[], mode: Mode): string | undefined {
  const { fromPhase, files = [] } = input ?? {};
  const workers = before.filter(({ type = '' }) => !JUDGING.has(type));
  const makerOfFile = (file: string) => workers.findLast(({ entry }) => outputOf(entry, mode).files.includes(file))?.id;
  const makers = fromPhase === undefined ? files.map(makerOfFile) : [workers.find(({ id }) => id === fromPhase)?.id];
  return new Set(makers).size === 1 ? makers[0] : undefined;
}

const JUDGING: ReadonlySet<string> = new Set(['approval', 'review']);

/** Tests that do not notice when a fix is broken do not show that it is one. */
function probing(gate: Gate): Gate {
  return gate.type === 'tests_pass' && gate.settings.expect === undefined
    ? { ...gate, settings: { probe: true, ...gate.settings } }
    : gate;
}

function buildPhase({ id, entry, gates, ownType }: PhaseDraft, mode: Mode, usual: Limits): Omit<Phase, 'dependsOn'> {
  const maxRetries = entry.max_retries ?? usual.retries;
  const input = inputOf(entry);
  const approvalType = entry.approval_type ?? gateApprovalType(gates);
  const output = outputOf(entry, mode);
  const type = entry.type ?? 'development';
  const generatesPhases = entry.generates_phases ?? false;
  const judged = withSpecGate(
    gatesOf(entry, { gates, approvalType, grows: isToGrow({ type, generatesPhases, output }) }),
    { type, output },
  );
  return {
    id,
    name: entry.name ?? id,
    type,
    config: configOf(entry),
    output,
    gates: judged.map(
      (gate): Gate => ({
        type: gate.type,
        settings: gate.settings,
        onFailure: gate.onFailure ?? 'retry',
        maxRetries: gate.maxRetries ?? maxRetries,
        ...present({ criteria: gate.criteria && [...gate.criteria] }),
      }),
    ),
    maxRetries,
    optional: entry.optional ?? false,
    requiresApproval: entry.requires_approval ?? false,
    verifyAgent: entry.verify_agent ?? false,
    generatesPhases,
    ...present({
      ownType,
      description: entry.description,
      input,
      approvalType,
      agent: entry.agent,
      // An approval has a time of its own, which config/approvals.yaml says.
      timeoutSeconds: entry.timeout ?? (entry.type === 'approval' ? undefined : usual.timeoutSeconds),
      budget: entry.budget,
      target: entry.target,
      rollback: entry.rollback,
      phaseConfig: phaseConfigOf(entry),
      afterDynamic: entry.after_dynamic,
      stopWhenStuck: entry.stop_when_stuck,
    }),
  };
}

type Judging = Pick<GateDraft, 'type' | 'settings' | 'onFailure' | 'maxRetries' | 'criteria'>;

type Written = {
  readonly gates: readonly GateDraft[];
  readonly approvalType: string | undefined;
  /** What it writes becomes part of the plan. */
  readonly grows: boolean;
};

/** What is free comes first, then the verifier, then approvals; an approval phase is judged by its approval alone. */
function gatesOf(
  { type, config, concept, verify_agent }: Partial<PhaseEntry>,
  { gates, approvalType, grows }: Written,
): Judging[] {
  const approvals = gates.filter((gate) => gate.type === 'approval');
  if (type === 'approval') {
    const own = { type: 'approval', settings: present({ approval_type: approvalType, model: config?.model, concept }) };
    if (approvals.length === 0) return [own];
    return approvals.map((gate) => ({ ...gate, settings: { ...present({ concept }), ...gate.settings } }));
  }
  const free: Judging[] = gates.filter((gate) => gate.type !== 'approval');
  if (gates.length === 0) free.push({ type: 'files_exist', settings: {} });
  if (grows) free.push({ type: PLAN_GATE, settings: {} });
  return [...free, ...(verify_agent === true ? [{ type: 'verification', settings: {} }] : []), ...approvals];
}

/** Whoever is to specify what is built is held to a specification that others can build and check by. */
function withSpecGate(gates: readonly Judging[], phase: Pick<Phase, 'type' | 'output'>): Judging[] {
  if (!isMeeting(phase) || !writesSpec(phase) || gates.some(({ type }) => type === 'spec_valid')) return [...gates];
  const asked = gates.findIndex(({ type }) => type === 'verification' || type === 'approval');
  const place = asked === -1 ? gates.length : asked;
  return [...gates.slice(0, place), { type: 'spec_valid', settings: {} }, ...gates.slice(place)];
}

function gateApprovalType(gates: readonly GateDraft[]): string | undefined {
  const type = gates.find((gate) => gate.type === 'approval')?.settings.approval_type;
  return typeof type === 'string' ? type : undefined;
}

function writtenDependencies({ depends_on, dependencies: also }: Partial<PhaseEntry>): string[] | undefined {
  if (depends_on === undefined && also === undefined) return undefined;
  return [...listed(depends_on), ...listed(also)];
}

/** A rejection sends the work back to the only phase that made it or can have made it, unless the plan or the findings of a review say to which. */
function rejection({ type, on_rejection }: Partial<PhaseEntry>, workers: readonly string[]): Phase['onRejection'] {
  const [only, another] = workers;
  if (type === 'review') return on_rejection;
  if (on_rejection?.action !== 'retry_phase' || on_rejection.target_phase !== undefined) return on_rejection;
  return only === undefined || another !== undefined ? on_rejection : { ...on_rejection, target_phase: only };
}

function configOf({ config = {}, template }: Partial<PhaseEntry>): PhaseConfig {
  const { experts, skills, ...rest } = config;
  return {
    ...rest,
    ...present({
      template: config.template ?? template,
      experts: experts === undefined ? undefined : listed(experts),
      skills: skills === undefined ? undefined : listed(skills),
    }),
  };
}

function inputOf({ input }: Partial<PhaseEntry>): Phase['input'] {
  if (input === undefined) return undefined;
  if (Array.isArray(input)) return { files: input.map(normalisePath) };
  return { files: (input.files ?? []).map(normalisePath), ...present({ fromPhase: input.from_phase }) };
}

function outputOf({ output = [] }: Partial<PhaseEntry>, mode: Mode): Phase['output'] {
  const standard = mode === 'repo' ? '.' : 'output';
  if (Array.isArray(output)) return { directory: standard, files: output.map(normalisePath) };
  const directory = normaliseDirectory(output.directory ?? standard);
  const expected = (output.expected_files ?? []).map((file) => joinPath(directory, file));
  return { directory, files: [...new Set([...(output.files ?? []).map(normalisePath), ...expected])] };
}

function phaseConfigOf({ phase_config }: Partial<PhaseEntry>): Phase['phaseConfig'] {
  if (phase_config === undefined) return undefined;
  const { min_phases, max_phases, phase_template } = phase_config;
  return present({ minPhases: min_phases, maxPhases: max_phases, phaseTemplate: phase_template });
}

function listed(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : [...value];
}

/** The fields that have a value; what is absent stays absent, not undefined. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
