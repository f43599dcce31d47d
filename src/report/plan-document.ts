import type { PlanDocument } from '../domain/documents.ts';
import type { Finding } from '../domain/finding.ts';
import type { Phase } from '../domain/plan.ts';

/** A plan as far as it could be read: what `helix plan` shows even where the plan is wrong. */
export type PlanView = {
  readonly project: { readonly name: string; readonly type?: string; readonly description?: string | undefined };
  readonly phases: readonly PhaseView[];
  readonly findings: readonly Finding[];
};

/** What is shown of a phase before anything has run. */
export type PhaseView = Pick<
  Phase,
  'id' | 'name' | 'type' | 'dependsOn' | 'gates' | 'agent' | 'config' | 'optional' | 'requiresApproval' | 'approvalType'
>;

/** `helix plan --format json`. */
export function planDocument(view: PlanView): PlanDocument {
  return {
    schema: 'helix.plan/1',
    project: view.project.name,
    phases: view.phases.map(({ id, name, type, dependsOn, gates, agent, config }) => ({
      id,
      name,
      type,
      dependsOn,
      gates: gates.map((gate) => gate.type),
      ...(agent !== undefined && { agent }),
      ...(config.model !== undefined && { model: config.model }),
    })),
    findings: [...view.findings],
  };
}
