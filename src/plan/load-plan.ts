import { basename } from 'node:path';
import { type Finding, hasError } from '../domain/finding.ts';
import type { EscalationSettings } from '../domain/plan/escalation-settings.ts';
import type { AgentSettings, HelixFile } from '../domain/plan/helix-file.ts';
import type { Catalogue } from '../domain/plan/models.ts';
import type { NotifySettings } from '../domain/plan/notify-settings.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { Project } from '../ports/project.ts';
import { sha256 } from '../text/digest.ts';
import { FileFindings } from '../text/yaml/file-findings.ts';
import { readYaml } from '../text/yaml/read-yaml.ts';
import { buildPhases, buildPlan, type Mode } from './build/build-plan.ts';
import { Ancestry } from './build/order.ts';
import type { GateType } from './build/parse-gate.ts';
import { type PlanDraft, type PlanHeader, parsePhases } from './build/parse-phases.ts';
import type { CheckedRules, CheckRules } from './check/check-adr-rules.ts';
import { checkAgents, checkPhaseAgents, checkRoles, mergeAgents } from './check/check-agents.ts';
import { checkPhaseNeeds, checkRoleDrivers, checkSettings } from './check/check-capabilities.ts';
import { checkAgentCommands, type FindProgram } from './check/check-commands.ts';
import { checkModels, type LoadedProviders, loadProviders, namedModels } from './check/check-models.ts';
import type { ShippedNames } from './check/check-names.ts';
import { checkPlan } from './check/check-plan.ts';
import { type CheckedRoot, checkRoot } from './check/check-root.ts';
import type { CheckedScript } from './check/check-scripts.ts';
import { type PhaseSummary, phaseSummary } from './check/phase-summary.ts';
import type { CheckedPhase, PlanCheck } from './check/plan-check.ts';
import { type FoundPlan, findPlan, type Templates } from './read/find-plan.ts';
import { ESCALATION_FILE, type LoadedEscalation, loadEscalation, toldBy } from './read/load-escalation.ts';
import { asksExperts, EXPERTS_FILE, type LoadedExperts, loadExperts } from './read/load-experts.ts';
import { type LoadedPhaseTypes, loadPhaseTypes } from './read/load-phase-types.ts';
import { agentNames, type LoadedSettings, loadSettings, SETTINGS_PATH } from './read/load-settings.ts';
import { ProjectFiles } from './read/project-files.ts';
import { PLAN_READING } from './read/reading.ts';

const SPEC_FILE = 'spec.yaml';

/** A plan and its settings, with all that is wrong with them. */
export type LoadedPlan = {
  /** Undefined when an error makes it unusable. */
  readonly plan: Plan | undefined;
  /** The phases as far as they could be read, errors or not. */
  readonly phases: readonly PhaseSummary[];
  readonly project: string;
  readonly findings: readonly Finding[];
  readonly source: { readonly path: string; readonly sha256: string; readonly origin: FoundPlan['origin'] };
  /** The text of every file a finding can point into. */
  readonly sources: ReadonlyMap<string, string>;
  readonly settings: HelixFile;
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly escalation: EscalationSettings;
  /** The project lists itself which models a consultant may switch to. */
  readonly ownModels: boolean;
  /** Who is told of questions. */
  readonly notify: readonly NotifySettings[];
};

/** What the loader needs from outside: templates, programs, models, and gates that are not HELIX's own. */
export type PlanOptions = Templates & {
  readonly gates?: readonly GateType[];
  readonly findProgram: FindProgram;
  readonly models: () => Promise<Catalogue>;
  readonly adrRules: CheckRules;
  /** The text of a file that HELIX ships in its folder `config`. */
  readonly shippedConfig: (name: string) => string;
  /** What of templates for agents, and of skills, HELIX ships. */
  readonly shippedNames: () => ShippedNames;
};

/** Finds, reads and checks the project's plan together with helix.yaml; whatever is wrong becomes a finding. */
export async function loadPlan(project: Project, options: PlanOptions): Promise<LoadedPlan> {
  const helix = await loadSettings(project);
  const ladder = await loadEscalation(project, options.shippedConfig(ESCALATION_FILE));
  const found = await findPlan(project, options, PLAN_READING);
  const kinds = await loadPhaseTypes(project);
  const { draft, findings } = readPlan(found, { gates: options.gates ?? [], types: kinds.types });
  const mode = await modeOf(draft.header, project);
  const phases = checkedPhases(draft, mode, ladder);
  const ancestry = new Ancestry(phases.map(({ phase }) => phase));
  const root = found.file?.yaml.complete ? await checkRoot(draft.header, { mode, project, findings }) : undefined;
  const own = new ProjectFiles(project);
  const files = root === undefined ? own : new ProjectFiles(root.project);
  const asked = await expertsFor(phases, { project, files, shippedConfig: options.shippedConfig });
  const { experts } = asked ?? {};
  const check: PlanCheck = { header: draft.header, phases, ancestry, mode, files, own, findings, experts };
  const findProgram = remembering(options.findProgram);
  const agents = agentsOf(helix.settings, check);
  const providers = await loadProviders(project);
  if (ladder.own !== undefined) {
    const { checkEscalation } = await import('./check/check-escalation.ts');
    await checkEscalation(ladder.own, { helix, agents, ...(isSound(providers) && { models: options.models }) });
  }
  let scripts: readonly CheckedScript[] = [];
  let rules: readonly CheckedRules[] = [];
  if (found.file?.yaml.complete) {
    const { shippedNames } = options;
    await checkPlan(check, { findProgram, shippedNames, types: await options.templateTypes() });
    await checkAllAgents({ helix, check, agents, findProgram, inPlan: agentNames(found.file.yaml.value) });
    if (helix.settings.notify !== undefined) {
      const { checkNotify } = await import('./check/check-notify.ts');
      await checkNotify(helix, { files: own, findProgram });
    }
    await checkNames({ helix, check, providers }, options.models);
    await checkSpec(check);
    scripts = await scriptsOf(agents, phases, project);
    rules = await rulesOf(check, project, options.adrRules);
  }
  const directory = basename(project.dir);
  return assemble({
    helix,
    found,
    draft,
    check,
    root,
    agents,
    ladder,
    scripts,
    rules,
    providers,
    asked,
    kinds,
    directory,
  });
}

function isSound(providers: LoadedProviders | undefined): boolean {
  return !hasError(providers?.findings.sorted ?? []);
}

type ModelCheck = Pick<Parts, 'helix' | 'check' | 'providers'>;

/** Most plans name no model, so the names there are get loaded only for those that do. */
async function checkNames({ helix, check, providers }: ModelCheck, models: PlanOptions['models']): Promise<void> {
  const named = namedModels(check, layersOf(helix, check), helix.settings.roles?.creator);
  if (named.length === 0 || !isSound(providers)) return;
  checkModels(named, await models());
}

/** The agents of each file, and where to report what is wrong with them. */
function layersOf({ settings, findings }: LoadedSettings, check: PlanCheck) {
  return [
    [settings.agents ?? {}, findings],
    [check.header.agents ?? {}, check.findings],
  ] as const;
}

/** Most plans begin without a specification. */
async function checkSpec({ files, phases, findings }: PlanCheck): Promise<void> {
  const text = await files.read(SPEC_FILE);
  if (text === undefined) return;
  const { checkCriteria, criteriaOfText } = await import('./criteria/check-criteria.ts');
  const all = phases.map(({ phase }) => phase);
  checkCriteria(criteriaOfText(text, SPEC_FILE), all, findings);
}

/** Most plans have no scripted agent, so its checks are loaded only for those that do. */
async function scriptsOf(
  agents: LoadedPlan['agents'],
  phases: readonly CheckedPhase[],
  project: Project,
): Promise<readonly CheckedScript[]> {
  if (!Object.values(agents).some(({ driver }) => driver === 'scripted')) return [];
  const { checkScripts } = await import('./check/check-scripts.ts');
  const all = phases.map(({ phase }) => phase);
  return checkScripts(agents, all, project);
}

/** Most plans have no gate for ADRs. */
async function rulesOf(check: PlanCheck, project: Project, checkRules: CheckRules): Promise<readonly CheckedRules[]> {
  if (!check.phases.some(({ draft }) => draft.gates.some(({ type }) => type.startsWith('adr_')))) return [];
  const { checkAdrRules } = await import('./check/check-adr-rules.ts');
  return checkAdrRules(check, project, checkRules);
}

type ExpertsIn = Pick<PlanOptions, 'shippedConfig'> & { readonly project: Project; readonly files: ProjectFiles };

/** Most plans ask no expert. */
async function expertsFor(
  phases: readonly CheckedPhase[],
  { project, files, shippedConfig }: ExpertsIn,
): Promise<LoadedExperts | undefined> {
  if (!phases.some(({ phase }) => asksExperts(phase))) return undefined;
  return loadExperts(project, files, shippedConfig(EXPERTS_FILE));
}

/** Follow-up findings of broken YAML would only confuse, so they go nowhere. */
function readPlan(
  { file }: FoundPlan,
  known: Pick<LoadedPhaseTypes, 'types'> & { readonly gates: readonly GateType[] },
): { draft: PlanDraft; findings: FileFindings } {
  const { yaml } = file ?? readYaml('phases.yaml', '', PLAN_READING);
  const findings = new FileFindings(yaml);
  if (file === undefined) return { draft: { header: {}, phases: [] }, findings };
  return {
    draft: parsePhases(yaml.value, { findings: yaml.complete ? findings : new FileFindings(yaml), ...known }),
    findings,
  };
}

async function modeOf({ workspace }: PlanHeader, project: Project): Promise<Mode> {
  const written = typeof workspace === 'object' ? workspace.mode : workspace;
  if (written !== undefined) return written;
  return (await project.inGit()) && !(await project.hasDirectory('phases')) ? 'repo' : 'phase-dirs';
}

function checkedPhases(draft: PlanDraft, mode: Mode, usual: LoadedEscalation): CheckedPhase[] {
  const phases = buildPhases(draft, mode, usual);
  return draft.phases.flatMap((each, index) => {
    const phase = phases[index];
    return phase === undefined ? [] : [{ draft: each, phase }];
  });
}

type AgentCheck = {
  readonly helix: LoadedSettings;
  readonly check: PlanCheck;
  readonly agents: LoadedPlan['agents'];
  readonly findProgram: FindProgram;
  readonly inPlan: readonly string[];
};

async function checkAllAgents({ helix, check, agents: all, findProgram, inPlan }: AgentCheck): Promise<void> {
  const known = new Set(['default', ...helix.agentNames, ...inPlan]);
  checkRoles(helix.settings, known, helix.findings);
  checkPhaseAgents(check.phases, known, check.findings);
  checkRoleDrivers(helix.settings, all, helix.findings);
  checkPhaseNeeds(check, helix.settings, all);
  for (const [agents, findings] of layersOf(helix, check)) {
    checkAgents(agents, findings);
    checkSettings(agents, findings);
    await checkAgentCommands(agents, { findings, files: check.own, findProgram });
  }
}

function agentsOf(
  { agents = {}, roles = {} }: HelixFile,
  { header, phases }: PlanCheck,
): Record<string, AgentSettings> {
  const named = [...Object.values(roles), ...phases.map(({ phase }) => phase.agent)];
  return mergeAgents([agents, header.agents ?? {}], new Set(named.filter((name) => name !== undefined)));
}

type Parts = {
  readonly helix: LoadedSettings;
  readonly found: FoundPlan;
  readonly draft: PlanDraft;
  readonly check: PlanCheck;
  readonly root: CheckedRoot | undefined;
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly ladder: LoadedEscalation;
  readonly scripts: readonly CheckedScript[];
  readonly rules: readonly CheckedRules[];
  readonly providers: LoadedProviders | undefined;
  readonly asked: LoadedExperts | undefined;
  readonly kinds: LoadedPhaseTypes;
  readonly directory: string;
};

function assemble(parts: Parts): LoadedPlan {
  const { helix, found, draft, check, root, agents, ladder, scripts, rules, providers, asked, kinds, directory } =
    parts;
  const { settings } = helix;
  const others = [...found.findings, ...[...scripts, ...rules].flatMap((file) => file.findings)];
  const own = [providers, ladder.own, asked?.own, kinds.own].filter((file) => file !== undefined);
  const files = [helix, check, ...own].flatMap((file) => file.findings.sorted);
  const findings = [...files, ...others];
  const name = draft.header.project?.name ?? draft.header.name ?? directory;
  const phases = check.phases.map(({ phase }) => phase);
  const texts = [{ path: SETTINGS_PATH, text: helix.text }, ...found.read, ...own, ...scripts, ...rules];
  return {
    plan: hasError(findings)
      ? undefined
      : buildPlan(draft, phases, { mode: check.mode, root, name, settings, experts: check.experts }),
    phases: check.phases.map(phaseSummary),
    project: name,
    findings,
    source: {
      path: found.file?.path ?? 'phases.yaml',
      // Only a run asks for it, and cryptography takes longer to load than a plan to check.
      get sha256() {
        return sha256(found.file?.text ?? '');
      },
      origin: found.origin,
    },
    sources: new Map(texts.map(({ path, text }) => [path, text])),
    settings,
    agents,
    escalation: ladder.settings,
    ownModels: ladder.ownModels,
    notify: toldBy(settings, ladder),
  };
}

function remembering(find: FindProgram): FindProgram {
  const known = new Map<string, Promise<string | undefined>>();
  return (name) => {
    const found = known.get(name) ?? find(name);
    known.set(name, found);
    return found;
  };
}
