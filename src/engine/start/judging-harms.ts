import { APPROVALS_PATH, parseApprovals } from '../../approval/approval-settings.ts';
import type { LinkedSource } from '../../approval/linked-files.ts';
import { DEFINITION_LIMITS } from '../../approval/load-definition.ts';
import { definitionPlaces } from '../../approval/make-question.ts';
import type { Judges } from '../../domain/facts/run-event.ts';
import type { ApprovalsFile } from '../../domain/judge/approval.ts';
import { phasesBefore } from '../../domain/ladder/plan-graph.ts';
import { plain } from '../../domain/plain-line.ts';
import type { EscalationSettings } from '../../domain/plan/escalation-settings.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import {
  approvalHarms,
  assumedHarm,
  guards,
  ownWordsHarm,
  roleGuard,
  skippableHarm,
  substituteHarm,
} from '../../domain/plan/trust-guards.ts';
import type { Project } from '../../ports/project.ts';
import { sha256 } from '../../text/digest.ts';
import { normalisePath } from '../../text/safe-path.ts';
import { YAML_LIMITS } from '../../text/yaml/yaml-guard.ts';
import { isConsulted } from './choose-consultant.ts';
import { rolesAsked } from './choose-judges.ts';

const RULES_BYTES = 10 * 1024 * 1024;

/** What the config/escalation.yaml that HELIX ships lets a consultant choose from. */
const SHIPPED_MODELS: ReadonlySet<string> = new Set(['opus', 'sonnet']);

type Judged = {
  readonly plan: Plan;
  readonly judges: Judges;
  readonly escalation: EscalationSettings;
  readonly agents: Readonly<Record<string, unknown>>;
};

/** The lines of who and what looks at the work of a plan, and of what need not pass. */
export function judgingHarms({ plan, judges, escalation, agents }: Judged): string[] {
  const { phases } = plan;
  return [
    ...guards(plan, (phase) => phasesBefore(phase, plan)),
    ...roles(plan, judges),
    ...assumedHarm(plan),
    ...phases.filter(({ optional }) => optional).map(skippableHarm),
    ...models(plan, escalation)
      .filter((name) => !SHIPPED_MODELS.has(name) && !Object.hasOwn(agents, name))
      .map(substituteHarm),
  ];
}

/** Whom the user names for everything came with no pull. */
function roles({ phases }: Plan, judges: Judges): string[] {
  if (judges.fixed === true) return [];
  const asked = new Set(phases.flatMap(rolesAsked));
  return [
    ...[...asked].map((role) => roleGuard(role, judges[role])),
    ...phases
      .filter(isJudge)
      .flatMap(({ id, agent }) => (agent === undefined ? [] : [roleGuard(`phase ${id}`, agent)])),
  ];
}

function models({ phases }: Plan, escalation: EscalationSettings): readonly string[] {
  const { actions, models: named } = escalation.consultant;
  return actions.includes('model_switch') && isConsulted(phases, escalation) ? named : [];
}

/** The lines of how a project has work judged, in the state of its files that a run goes by. */
export async function judgedBy({ phases }: Plan, source: LinkedSource): Promise<string[]> {
  const gates = phases.flatMap((phase) => phase.gates);
  const types = new Set(gates.flatMap(approvalType));
  const rules = new Set(gates.flatMap(rulesOf));
  const words = [...types].map(async (type) => {
    const places = [...(await definitionPlaces(type, source))].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const texts = places.map(async ([name, path]) => [name, await source.read(path, DEFINITION_LIMITS.fileBytes)]);
    const digest = sha256(JSON.stringify(await Promise.all(texts)));
    return places.length === 0
      ? []
      : [ownWordsHarm(`approvals of ${plain(type)} are judged`, `approvals/${type}`, digest)];
  });
  const own = [...rules].map(async (path) => {
    const text = await source.read(path, RULES_BYTES);
    return text === undefined ? [] : [ownWordsHarm('ADRs are judged', path, sha256(text))];
  });
  return [...approvalHarms(await approvalsIn(source)), ...(await Promise.all([...words, ...own])).flat()];
}

function approvalType({ type, settings }: Gate): string[] {
  if (type === 'verification') return [type];
  if (type === 'adr_complete') return ['adr'];
  return type === 'approval' ? [String(settings.approval_type)] : [];
}

function rulesOf({ type, settings }: Gate): string[] {
  if (type !== 'adr_complete') return [];
  return [typeof settings.rules === 'string' ? normalisePath(settings.rules) : 'config/adr-completeness-rules.yaml'];
}

/** How a project has its approvals judged, as far as it can be read; what is wrong with it is told where it is used. */
export async function approvalsIn(files: Pick<Project, 'read'>): Promise<ApprovalsFile> {
  const text = await files.read(APPROVALS_PATH, YAML_LIMITS.bytes);
  return text === undefined ? {} : parseApprovals(text, APPROVALS_PATH).file;
}
