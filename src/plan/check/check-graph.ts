import { isJudge, isReview } from '../../domain/plan/judging-phase.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import type { CheckedPhase, PlanCheck } from './plan-check.ts';

/** Guessing what a huge plan meant is dear, so only its first ids are candidates. */
const MAX_SUGGESTED = 1000;

/** Checks that ids are unique, that everything a phase refers to exists and that no phases wait for each other. */
export function checkGraph(check: PlanCheck): void {
  const ids = check.phases.slice(0, MAX_SUGGESTED).map(({ phase }) => phase.id);
  checkUnique(check);
  for (const checked of check.phases) {
    if (check.findings.full) return;
    checkDependencies(checked, check, ids);
    checkFromPhase(checked, check, ids);
    checkTarget(checked, check, ids);
  }
  checkCycles(check);
}

/** Ids that differ only in case would share a directory on some systems. */
function checkUnique({ phases, findings }: PlanCheck): void {
  const seen = new Map<string, CheckedPhase>();
  for (const checked of phases) {
    const { id } = checked.phase;
    const first = seen.get(id.toLowerCase());
    seen.set(id.toLowerCase(), first ?? checked);
    if (first === undefined) continue;
    const line = findings.lineOf([...first.draft.path, 'id']);
    const how = first.phase.id === id ? 'already used' : `too similar to "${first.phase.id}"`;
    findings.error([...checked.draft.path, 'id'], {
      check: 'duplicate-id',
      message: `the id "${oneLine(id, 64)}" is ${how} in line ${line}`,
      hint: 'give every phase an id of its own',
    });
  }
}

function checkDependencies(
  { draft, phase }: CheckedPhase,
  { ancestry, findings }: PlanCheck,
  ids: readonly string[],
): void {
  for (const key of ['depends_on', 'dependencies'] as const) {
    const written = draft.entry[key];
    const entries = typeof written === 'string' ? [written] : (written ?? []);
    for (const [index, id] of entries.entries()) {
      if (findings.full) return;
      const path = [...draft.path, key, ...(typeof written === 'string' ? [] : [index])];
      if (id === phase.id) {
        const message = `phase "${oneLine(id, 64)}" depends on itself`;
        findings.error(path, { check: 'self-dependency', message, hint: 'remove it' });
      } else if (!ancestry.has(id)) findings.error(path, unknownPhase(id, ids));
    }
  }
}

function checkFromPhase(
  { draft, phase }: CheckedPhase,
  { ancestry, findings }: PlanCheck,
  ids: readonly string[],
): void {
  const id = phase.input?.fromPhase;
  if (id === undefined) return;
  const path = [...draft.path, 'input', 'from_phase'];
  if (!ancestry.has(id)) findings.error(path, unknownPhase(id, ids));
  else if (id === phase.id) {
    const message = 'a phase cannot take its input from itself';
    findings.error(path, { check: 'input-phase', message, hint: 'name an earlier phase' });
  } else if (!ancestry.isBefore(id, phase.id)) {
    const message = `"${oneLine(id, 64)}" is not finished before phase "${oneLine(phase.id, 64)}" starts`;
    findings.error(path, { check: 'input-phase', message, hint: `add it to depends_on of "${oneLine(phase.id, 64)}"` });
  }
}

function checkTarget({ draft, phase }: CheckedPhase, { ancestry, findings }: PlanCheck, ids: readonly string[]): void {
  const rejection = phase.onRejection;
  if (rejection === undefined || !isJudge(phase)) return;
  const path = [...draft.path, 'on_rejection'];
  const { target_phase: id } = rejection;
  if (id === undefined) {
    // Whose work a review rejects is told by its findings.
    if (rejection.action !== 'retry_phase' || isReview(phase)) return;
    const message = '"target_phase" is missing, and it is not clear which phase to repeat';
    findings.error(path, { check: 'rejection-target', message, hint: 'name the phase that gets the feedback' });
  } else if (!ancestry.has(id)) findings.error([...path, 'target_phase'], unknownPhase(id, ids));
  else if (!ancestry.isBefore(id, phase.id)) {
    const message = `"${oneLine(id, 64)}" is not an earlier phase that "${oneLine(phase.id, 64)}" depends on`;
    const hint = `name a phase whose work this ${phase.type} judges`;
    findings.error([...path, 'target_phase'], { check: 'rejection-target', message, hint });
  }
}

function checkCycles({ phases, ancestry, findings }: PlanCheck): void {
  const byId = new Map(phases.map((checked) => [checked.phase.id, checked] as const).reverse());
  for (const cycle of ancestry.cycles) {
    const shown = cycle.length > 8 ? [...cycle.slice(0, 8), '…'] : cycle;
    const way = [...shown, cycle[0] ?? ''].map((id) => oneLine(id, 64)).join(' -> ');
    findings.error(placeOfCycle(cycle, byId), {
      check: 'cycle',
      message: `these phases wait for each other: ${way}`,
      hint: 'remove one of the dependencies; each arrow means "depends on"',
    });
  }
}

function placeOfCycle(cycle: readonly string[], byId: ReadonlyMap<string, CheckedPhase>): YamlPath {
  const drafts = cycle.flatMap((id) => byId.get(id)?.draft ?? []);
  const written = drafts.find(({ entry }) => entry.depends_on !== undefined || entry.dependencies !== undefined);
  const draft = written ?? drafts[0];
  if (draft === undefined) return [];
  return [...draft.path, draft.entry.depends_on === undefined ? 'dependencies' : 'depends_on'];
}

function unknownPhase(id: string, ids: readonly string[]) {
  return { check: 'unknown-phase', message: `there is no phase "${oneLine(id, 64)}"`, hint: suggestion(id, ids) };
}
