import { type Finding, hasError } from '../../domain/finding.ts';
import type { Catalogue } from '../../domain/plan/models.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import { readYaml, type YamlFile } from '../../text/yaml/read-yaml.ts';
import { buildPhases } from '../build/build-plan.ts';
import { Ancestry } from '../build/order.ts';
import type { GateType } from '../build/parse-gate.ts';
import { type PhaseDraft, type PlanDraft, type PlanHeader, parsePhases } from '../build/parse-phases.ts';
import { checkPhaseAgents } from '../check/check-agents.ts';
import { checkPhaseNeeds } from '../check/check-capabilities.ts';
import type { FindProgram } from '../check/check-commands.ts';
import { checkModels, namedModels } from '../check/check-models.ts';
import type { ShippedNames } from '../check/check-names.ts';
import { checkPlan } from '../check/check-plan.ts';
import type { CheckedPhase, PlanCheck } from '../check/plan-check.ts';
import { checkCriteria, checkOwners, criteriaOfText } from '../criteria/check-criteria.ts';
import { ESCALATION_FILE, loadEscalation } from '../read/load-escalation.ts';
import { ProjectFiles } from '../read/project-files.ts';
import { PLAN_READING } from '../read/reading.ts';
import { addGates } from './added-gates.ts';
import { checkHeader } from './check-header.ts';
import { checkTaken } from './check-taken.ts';
import { generatedPhases } from './generated-phases.ts';
import type { Growing, WrittenFile } from './growing.ts';
import { withKnownTests } from './known-tests.ts';

/** What the check looks into. */
export type GrowthOptions = {
  /** What is worked on, as the new phases find it. */
  readonly work: Project;
  /** Where the plan lies. */
  readonly own: Project;
  readonly gates: readonly GateType[];
  readonly findProgram: FindProgram;
  readonly models: () => Promise<Catalogue>;
  readonly shippedConfig: (name: string) => string;
  readonly shippedNames: () => ShippedNames;
};

/** The plan with what was written, or what is wrong with that. */
export type GrownPlan = {
  /** Undefined where an error makes it unusable. */
  readonly plan: Plan | undefined;
  readonly findings: readonly Finding[];
};

/** What a phase wrote: the plan, gates beside it, and what the work is to come to. */
export type Written = {
  readonly plan: WrittenFile;
  readonly gates?: WrittenFile | undefined;
  readonly spec?: WrittenFile | undefined;
};

/**
 * The plan of a run with what one of its phases wrote: the phases that have not begun are replaced by the written ones or, by a phase
 * that generates phases, get those before them. All else stays as it is, and the whole of it is checked like one written by hand.
 */
export async function growPlan(written: Written, growing: Growing, options: GrowthOptions): Promise<GrownPlan> {
  const file = readYaml(written.plan.path, written.plan.text, PLAN_READING);
  const findings = new FileFindings(file.yaml);
  if (!file.yaml.complete) return { plan: undefined, findings: [...onlyYaml(file), ...findings.sorted] };
  const draft = growthDraft(file, findings, { growing, gates: options.gates });
  if (draft === undefined) return { plan: undefined, findings: [...onlyYaml(file), ...findings.sorted] };
  checkHeader(draft.header, growing.plan, findings);
  const phases = await checkedWhole(draft, growing, { options, findings });
  const added = await addGates(written.gates, phases, { growing, ...options });
  checkTrace(written.spec, added.phases, findings);
  const all = [...findings.sorted, ...added.findings];
  const known = withKnownTests(added.phases, growing);
  return { plan: hasError(all) ? undefined : { ...growing.plan, phases: known }, findings: all };
}

/** Whether each criterion is somebody's, and whether anything will show that it is met. */
function checkTrace(spec: WrittenFile | undefined, phases: readonly Phase[], findings: FileFindings): void {
  if (spec === undefined) return;
  const criteria = criteriaOfText(spec.text, spec.path);
  checkOwners(criteria, phases, findings);
  checkCriteria(criteria, phases, findings);
}

/** Agents like to say something around what they were asked for. */
function onlyYaml({ path, text, yaml }: YamlFile): Finding[] {
  const fence = text.split('\n').findIndex((line) => line.trimStart().startsWith('```'));
  if (yaml.complete && fence === -1 && typeof yaml.value !== 'string') return [];
  return [
    {
      severity: 'error',
      check: 'only-yaml',
      message: 'the file must hold the plan and nothing else',
      hint: 'take out what stands around the YAML: sentences and lines of ```',
      location: { file: path, line: Math.max(1, fence + 1), column: 1 },
    },
  ];
}

type Reading = { readonly growing: Growing; readonly gates: readonly GateType[] };

/** What was written, in the place it has in the whole plan; undefined where it is not even that. */
function growthDraft(file: YamlFile, findings: FileFindings, { growing, gates }: Reading): PlanDraft | undefined {
  const { value } = file.yaml;
  if (isEmptyPlan(value)) return whole({}, [], growing);
  const completed = growing.from.generatesPhases ? generatedPhases(value, growing, findings) : value;
  const { header, phases } = parsePhases(completed, { findings, gates });
  if (phases.length === 0) return undefined;
  const added = countAdded(phases, growing);
  if (added > growing.most) {
    findings.error(['phases'], {
      check: 'too-many-phases',
      message: `with these ${phases.length} phases agents would have added ${added} to the plan, and may add ${growing.most}`,
      hint: 'put together what belongs together; the limit is max_dynamic_phases of the plan that was started',
    });
    return undefined;
  }
  return whole(header, phases, growing);
}

/** How many phases of the grown plan are of agents' making: those that have begun, and those that are written now. */
function countAdded(written: readonly PhaseDraft[], { plan, fixed, grown }: Growing): number {
  const known = new Set(plan.phases.map(({ id }) => id));
  const stays = new Set(fixed.map(({ id }) => id));
  const made = written.filter(({ id }) => !stays.has(id) && (!known.has(id) || grown.has(id)));
  return made.length + [...stays].filter((id) => grown.has(id)).length;
}

/** `phases: []` leaves the plan as it is. */
function isEmptyPlan(value: unknown): boolean {
  const phases = typeof value === 'object' && value !== null && 'phases' in value ? value.phases : undefined;
  return Array.isArray(phases) && phases.length === 0;
}

/** The phases in the order they have in the grown plan; what stays as it is has no draft of its own. */
function whole(header: PlanHeader, written: readonly PhaseDraft[], { plan, from, fixed }: Growing): PlanDraft {
  const stays = written.length === 0 || from.generatesPhases;
  if (stays) {
    const drafts = plan.phases.map((phase) => draftOf(phase));
    const at = plan.phases.findIndex(({ id }) => id === from.id) + 1;
    return { header, phases: [...drafts.slice(0, at), ...written, ...drafts.slice(at)] };
  }
  const ids = new Set(written.map(({ id }) => id));
  // Whoever names nothing to wait for follows the phase that wrote the plan.
  const before = fixed.filter(({ id }) => !ids.has(id));
  const ordered = [...before.filter(({ id }) => id !== from.id), ...before.filter(({ id }) => id === from.id)];
  return { header, phases: [...ordered.map((phase) => draftOf(phase)), ...written] };
}

/** A phase that nobody has written into this file: all that is said about it is said about the list. */
function draftOf({ id, type, output, approvalType }: Phase): PhaseDraft {
  const entry = {
    id,
    type,
    output: { directory: output.directory },
    ...(type === 'approval' && approvalType !== undefined && { approval_type: approvalType }),
  };
  return { path: ['phases'], id, type, entry, gates: [] };
}

type Checking = { readonly options: GrowthOptions; readonly findings: FileFindings };

async function checkedWhole(
  draft: PlanDraft,
  growing: Growing,
  { options, findings }: Checking,
): Promise<CheckedPhase[]> {
  const { plan, agents, creator } = growing;
  const { mode } = plan.workspace;
  const header = { ...headerOf(plan), ...maxRetries(draft.header) };
  const usual = await loadEscalation(options.own, options.shippedConfig(ESCALATION_FILE));
  const built = buildPhases({ header, phases: draft.phases.map((each) => asBefore(each, plan)) }, mode, usual);
  const phases = checkTaken({ draft, built, growing }, findings);
  const check: PlanCheck = {
    ...{ header, phases, mode, findings },
    ancestry: new Ancestry(phases.map(({ phase }) => phase)),
    files: new ProjectFiles(options.work),
    own: new ProjectFiles(options.own),
    experts: plan.experts,
  };
  await checkPlan(check, { ...options, types: [plan.project.type] });
  checkPhaseAgents(phases, new Set(['default', ...Object.keys(agents)]), findings);
  checkPhaseNeeds(check, { roles: { creator } }, agents);
  const named = namedModels(
    check,
    [[agents, new FileFindings(readYaml('helix.yaml', '', PLAN_READING).yaml)]],
    creator,
  );
  const asked = named.filter((each) => each.findings === findings);
  if (asked.length > 0) checkModels(asked, await options.models());
  return phases;
}

/** What an entry leaves open of a phase there is stays as it is. */
function asBefore(draft: PhaseDraft, { phases }: Plan): PhaseDraft {
  const before = phases.find(({ id }) => id === draft.id);
  if (before === undefined) return draft;
  const { max_retries = before.maxRetries, timeout = before.timeoutSeconds } = draft.entry;
  return { ...draft, entry: { ...draft.entry, max_retries, ...present({ timeout }) } };
}

/** What the plan of the run says of all phases holds for the new ones, too. */
function headerOf({ project }: Plan): PlanHeader {
  return { project: { type: project.type } };
}

function maxRetries({ max_retries, project }: PlanHeader): PlanHeader {
  const retries = project?.max_retries ?? max_retries;
  return retries === undefined ? {} : { max_retries: retries };
}
