import { APPROVALS_PATH, parseApprovals } from '../../approval/approval-settings.ts';
import type { Judges } from '../../domain/facts/run-event.ts';
import type { ApprovalsFile } from '../../domain/judge/approval.ts';
import { phasesBefore } from '../../domain/ladder/plan-graph.ts';
import type { EscalationSettings } from '../../domain/plan/escalation-settings.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { assumedHarm, guards, roleGuard, skippableHarm, substituteHarm } from '../../domain/plan/trust-guards.ts';
import type { Project } from '../../ports/project.ts';
import { YAML_LIMITS } from '../../text/yaml/yaml-guard.ts';
import { isConsulted } from './choose-consultant.ts';
import { rolesAsked } from './choose-judges.ts';

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

/** How a project has its approvals judged, as far as it can be read; what is wrong with it is told where it is used. */
export async function approvalsIn(files: Pick<Project, 'read'>): Promise<ApprovalsFile> {
  const text = await files.read(APPROVALS_PATH, YAML_LIMITS.bytes);
  return text === undefined ? {} : parseApprovals(text, APPROVALS_PATH).file;
}
