import { APPROVAL_TYPE } from '../../domain/judge/approval-type.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { joinPath, normalisePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import type { CheckedPhase, PlanCheck } from './plan-check.ts';

/** The approval types HELIX ships, with their checks. */
const SHIPPED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    adr: 'completeness migration acceptance conflicts references',
    code: 'security performance tests patterns style',
    docs: 'completeness consistency examples links',
    architecture: 'modularity dependencies patterns',
    security: 'owasp credentials injection',
    compliance: 'licences gdpr company-rules',
    migration: 'rollback data-integrity',
    verification: 'expected-files syntax gate-criteria',
    change: 'task correctness tests safety',
  }).map(([type, checks]) => [type, checks.split(' ')]),
);
const TYPES = [...SHIPPED.keys()];
/** Other names the seeds use for a check. */
const CHECK_ALIASES: ReadonlyMap<string, string> = new Map([['migration-plan', 'migration']]);

/** Checks that every approval has a type somebody defined and something to judge, and that settings stand where they have an effect. */
export async function checkApprovals(check: PlanCheck): Promise<void> {
  for (const checked of check.phases) {
    checkPlace(checked, check);
    checkSubject(checked, check);
    if (checked.phase.type === 'approval') checkApprovalPhase(checked, check);
    checkDiff(checked, check);
    for (const asked of askedApprovals(checked)) await checkAsked(asked, check);
  }
}

/** An approval that the plan asks for, and where it says so. */
type Asked = { readonly at: YamlPath; readonly type: string; readonly checks: readonly unknown[] };

function askedApprovals({ draft }: CheckedPhase): Asked[] {
  const own = { at: draft.path, type: draft.entry.approval_type, checks: undefined };
  const gates = draft.gates.map(({ path, type, settings }) => ({
    at: path,
    type: settings.approval_type,
    checks: type === 'approval' ? settings.checks : undefined,
  }));
  return [own, ...gates].flatMap(({ at, type, checks }) =>
    typeof type === 'string' ? [{ at, type, checks: Array.isArray(checks) ? checks : [] }] : [],
  );
}

async function checkAsked({ at, type, checks }: Asked, check: PlanCheck): Promise<void> {
  const { own: files, findings } = check;
  const place = [...at, 'approval_type'];
  if (!APPROVAL_TYPE.test(type)) {
    const message = `"${oneLine(type, 60)}" cannot be an approval type`;
    const hint = 'use lower-case letters, digits, - and _, at most 64, the first one a letter or digit';
    return findings.error(place, { check: 'approval-type', message, hint });
  }
  const isOwn = (await files.find(`approvals/${type}/{CLAUDE.md,checks/*.md}`)).found;
  if (isOwn && !(await files.find(`approvals/${type}/CLAUDE.md`)).found) {
    const message = `approvals/${type}/CLAUDE.md is missing`;
    return findings.error(place, { check: 'approval-type', message, hint: 'write in it what the judge is to do' });
  }
  if (!isOwn && !SHIPPED.has(type)) {
    const message = `unknown approval type "${type}": there is no approvals/${type}/`;
    const known = [...new Set([...TYPES, ...(await ownTypes(check))])];
    return findings.error(place, { check: 'approval-type', message, hint: suggestion(type, known) });
  }
  for (const [index, id] of checks.entries()) {
    if (typeof id !== 'string' || (await hasCheck({ type, id, isOwn }, check))) continue;
    const message = `approvals of type "${type}" have no check "${oneLine(id, 60)}"`;
    const hint = isOwn ? `write approvals/${type}/checks/<check>.md` : suggestion(id, SHIPPED.get(type) ?? []);
    findings.error([...at, 'checks', index], { check: 'approval-check', message, hint });
  }
}

async function ownTypes({ own: files }: PlanCheck): Promise<string[]> {
  const definitions = await files.list('approvals/*/CLAUDE.md');
  return definitions.flatMap((path) => path.split('/')[1] ?? []).filter((type) => APPROVAL_TYPE.test(type));
}

type Named = { readonly type: string; readonly id: string; readonly isOwn: boolean };

async function hasCheck({ type, id, isOwn }: Named, { own: files }: PlanCheck): Promise<boolean> {
  for (const name of [id, CHECK_ALIASES.get(id) ?? id]) {
    if (!APPROVAL_TYPE.test(name)) return false;
    const known = isOwn
      ? (await files.find(`approvals/${type}/checks/${name}.md`)).found
      : SHIPPED.get(type)?.includes(name);
    if (known) return true;
  }
  return false;
}

const PLACES = {
  approval_type: 'use it in a phase of type approval',
  concept: 'use it in a phase of type approval, or in a gate of the type approval or adr_complete',
  on_rejection: 'use it in a phase of type approval or review',
} as const;

function checkPlace({ draft, phase }: CheckedPhase, { findings }: PlanCheck): void {
  const { entry, path } = draft;
  if (draft.type === 'approval') {
    if (phase.approvalType === undefined) {
      const hint = `add approval_type, one of: ${TYPES.join(', ')}`;
      findings.error(path, { check: 'missing-key', message: '"approval_type" is missing in an approval phase', hint });
    }
    return;
  }
  for (const key of ['approval_type', 'concept', 'on_rejection'] as const) {
    if (entry[key] === undefined || (key === 'on_rejection' && draft.type === 'review')) continue;
    const message = `"${key}" has no effect in a phase of type "${oneLine(draft.type, 40)}"`;
    findings.warningAtKey([...path, key], { check: 'no-effect', message, hint: PLACES[key] });
  }
}

/** An approval of nothing would pass whatever comes. */
function checkSubject({ draft, phase }: CheckedPhase, { findings }: PlanCheck): void {
  if (draft.type !== 'approval') return;
  const { files = [], fromPhase } = phase.input ?? {};
  const isGiven = phase.input === undefined ? phase.dependsOn.length > 0 : files.length > 0 || fromPhase !== undefined;
  if (isGiven || draft.gates.some(({ settings }) => Array.isArray(settings.files))) return;
  const message = `the approval phase "${oneLine(phase.id, 64)}" has nothing to judge`;
  const hint = 'name the files under input, or the phases that write them under depends_on';
  const note = { check: 'nothing-to-approve', message, hint };
  if (draft.entry.input === undefined) findings.error([...draft.path, 'id'], note);
  else findings.error([...draft.path, 'input'], note);
}

/** What an approval phase says must have an effect, and none on what it approves. */
function checkApprovalPhase(checked: CheckedPhase, check: PlanCheck): void {
  const { draft, phase } = checked;
  const { findings } = check;
  for (const { path, type, settings } of draft.gates) {
    // A gate on its own result says what holds without it, too.
    if (type === 'approval' || (type === 'approval_passed' && isOwnResult(settings.result_file, phase))) continue;
    const message = `the gate "${oneLine(type, 40)}" has no effect in a phase of type "approval"`;
    findings.warning(path, { check: 'no-effect', message, hint: 'its approval alone decides; use the gate elsewhere' });
  }
  if (draft.entry.verify_agent === true) {
    const message = '"verify_agent" has no effect in a phase of type "approval"';
    const hint = 'an approval phase makes nothing that could be verified; use it elsewhere';
    findings.warningAtKey([...draft.path, 'verify_agent'], { check: 'no-effect', message, hint });
  }
  const { input } = draft.entry;
  const { files = [] } = phase.input ?? {};
  for (const [index, file] of files.entries()) {
    if (files.indexOf(file) === index) continue;
    const message = `"${oneLine(file, 80)}" is named twice`;
    const at = [...draft.path, 'input', ...(Array.isArray(input) ? [] : ['files']), index];
    findings.error(at, { check: 'duplicate-input', message, hint: 'name each file once' });
  }
  const judged = phase.output.files.length > 0 ? subjectsOf(checked, check) : new Set<string>();
  for (const file of phase.output.files.filter((path) => judged.has(path))) {
    const message = `the result would replace "${oneLine(file, 80)}", which this phase approves`;
    const hint = 'let it write the result to a file of its own, such as approval-result.json';
    findings.error([...draft.path, 'output'], { check: 'output-is-input', message, hint });
  }
}

function isOwnResult(file: unknown, { output }: Phase): boolean {
  return file === undefined || (typeof file === 'string' && output.files.includes(normalisePath(file)));
}

/** The files an approval phase is known to approve: those it names or, where it names none, what is made before it. */
function subjectsOf({ phase }: CheckedPhase, { phases, ancestry }: PlanCheck): ReadonlySet<string> {
  const { fromPhase, files = [] } = phase.input ?? {};
  const isGiven = (id: string) => (fromPhase === undefined ? ancestry.isBefore(id, phase.id) : id === fromPhase);
  const makers = phases.map((each) => each.phase).filter(({ id, type }) => type !== 'approval' && isGiven(id));
  if (files.length === 0) return new Set(makers.flatMap(({ output }) => output.files));
  const made = makers.flatMap(({ output }) => files.map((file) => joinPath(output.directory, file)));
  return new Set([...files, ...made]);
}

/** What starts with a dash would reach git as an option. */
function checkDiff({ draft }: CheckedPhase, { findings }: PlanCheck): void {
  for (const { path, settings } of draft.gates) {
    if (typeof settings.diff !== 'string' || !settings.diff.startsWith('-')) continue;
    const message = `"${oneLine(settings.diff, 60)}" cannot be a git revision`;
    findings.error([...path, 'diff'], { check: 'invalid-value', message, hint: 'name a branch, tag or commit' });
  }
}
