import type { Plan } from '../../domain/plan/plan.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import type { PlanHeader } from '../build/parse-phases.ts';

/** What holds for a whole run was said when it began: a grown plan may repeat it and lower it, never change it. */
export function checkHeader(header: PlanHeader, plan: Plan, findings: FileFindings): void {
  checkBudget(header, plan, findings);
  checkWorkspace(header, plan, findings);
  if (header.agents !== undefined) {
    fixed(
      'agents',
      'the agents of a run are those it began with',
      'remove it, and name one of them in a phase',
      findings,
    );
  }
  const { concurrency = 1 } = header;
  if (concurrency > plan.concurrency) {
    fixed('concurrency', `at most ${plan.concurrency} phases of this run go on side by side`, 'remove it', findings);
  }
  for (const key of ['max_dynamic_phases', 'dynamic_phase_template', 'protected'] as const) {
    if (header[key] === undefined) continue;
    const message = `"${key}" has no effect here: it is as the plan said with which the run began`;
    findings.warningAtKey([key], { check: 'no-effect', message, hint: 'remove it' });
  }
}

function checkBudget({ budget = {} }: PlanHeader, plan: Plan, findings: FileFindings): void {
  for (const key of ['usd', 'minutes', 'attempts'] as const) {
    const [wanted, given] = [budget[key], plan.budget[key]];
    if (wanted === undefined || given === undefined || wanted <= given) continue;
    findings.error(['budget', key], {
      check: 'budget-raised',
      message: `the run may spend ${given} ${key}, and a plan that grows cannot raise that to ${wanted}`,
      hint: 'remove it; only who started the run can raise its budget',
    });
  }
}

function checkWorkspace({ workspace }: PlanHeader, plan: Plan, findings: FileFindings): void {
  if (workspace === undefined) return;
  const { mode, ...rest } = typeof workspace === 'string' ? { mode: workspace } : workspace;
  if ((mode === undefined || mode === plan.workspace.mode) && Object.keys(rest).length === 0) return;
  const message = `where and with what set-up a run works was said when it began (${plan.workspace.mode})`;
  fixed('workspace', message, 'remove it', findings);
}

function fixed(key: string, message: string, hint: string, findings: FileFindings): void {
  findings.errorAtKey([key], { check: 'fixed-setting', message, hint });
}
