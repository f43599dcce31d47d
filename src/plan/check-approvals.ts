import { PHASE_ID } from '../domain/plan.ts';
import { suggestion } from '../text/did-you-mean.ts';
import { oneLine } from '../text/sanitise.ts';
import type { YamlPath } from '../text/yaml.ts';
import type { CheckedPhase, PlanCheck } from './plan-check.ts';

const APPROVAL_TYPES = ['adr', 'code', 'docs', 'architecture', 'security', 'compliance', 'migration', 'verification'];

/** Checks that every approval has a type somebody defined, and that settings of approvals stand where they have an effect. */
export async function checkApprovals(check: PlanCheck): Promise<void> {
  const known = new Set(APPROVAL_TYPES);
  for (const checked of check.phases) {
    checkPlace(checked, check);
    checkDiff(checked, check);
    for (const { at, type } of approvalTypes(checked)) {
      if (known.has(type)) continue;
      if (!PHASE_ID.test(type)) reportName(at, type, check);
      else if (await check.files.hasDirectory(`approvals/${type}`)) known.add(type);
      else reportUnknown(at, type, check);
    }
  }
}

function approvalTypes({ draft }: CheckedPhase): { at: YamlPath; type: string }[] {
  const own = { at: [...draft.path, 'approval_type'], type: draft.entry.approval_type };
  const gates = draft.gates.map(({ path, settings }) => ({
    at: [...path, 'approval_type'],
    type: settings.approval_type,
  }));
  return [own, ...gates].flatMap(({ at, type }) => (typeof type === 'string' ? [{ at, type }] : []));
}

function checkPlace({ draft, phase }: CheckedPhase, { findings }: PlanCheck): void {
  const { entry, path } = draft;
  if (draft.type === 'approval') {
    if (phase.approvalType === undefined) {
      const hint = `add approval_type, one of: ${APPROVAL_TYPES.join(', ')}`;
      findings.error(path, { check: 'missing-key', message: '"approval_type" is missing in an approval phase', hint });
    }
    return;
  }
  for (const key of ['approval_type', 'on_rejection'] as const) {
    if (entry[key] === undefined) continue;
    const message = `"${key}" has no effect in a phase of type "${oneLine(draft.type, 40)}"`;
    findings.warningAtKey([...path, key], { check: 'no-effect', message, hint: 'use it in a phase of type approval' });
  }
}

/** What starts with a dash would reach git as an option. */
function checkDiff({ draft }: CheckedPhase, { findings }: PlanCheck): void {
  for (const { path, settings } of draft.gates) {
    if (typeof settings.diff !== 'string' || !settings.diff.startsWith('-')) continue;
    const message = `"${oneLine(settings.diff, 60)}" cannot be a git revision`;
    findings.error([...path, 'diff'], { check: 'invalid-value', message, hint: 'name a branch, tag or commit' });
  }
}

function reportName(at: YamlPath, type: string, { findings }: PlanCheck): void {
  const message = `"${oneLine(type, 60)}" cannot be an approval type`;
  findings.error(at, { check: 'approval-type', message, hint: 'use letters, digits, - and _' });
}

function reportUnknown(at: YamlPath, type: string, { findings }: PlanCheck): void {
  const message = `unknown approval type "${type}": there is no approvals/${type}/`;
  findings.warning(at, { check: 'approval-type', message, hint: suggestion(type, APPROVAL_TYPES) });
}
