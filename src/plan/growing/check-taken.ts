import { isJudge } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { growsPlan } from '../../domain/plan-growth.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import type { PlanDraft } from '../build/parse-phases.ts';
import type { CheckedPhase } from '../check/plan-check.ts';
import type { Growing } from './growing.ts';

type Built = { readonly draft: PlanDraft; readonly built: readonly Phase[]; readonly growing: Growing };

/**
 * The phases of a grown plan: those that stay are taken from the plan of the run, whatever was written about them. Who writes another
 * phase under their name is told, and so is who writes what cannot be run.
 */
export function checkTaken({ draft, built, growing }: Built, findings: FileFindings): CheckedPhase[] {
  const { plan, from, fixed } = growing;
  const stays = new Map(fixed.map((phase) => [phase.id, phase]));
  const all = new Map(plan.phases.map((phase) => [phase.id, phase]));
  const seen = new Set<string>();
  const added: string[] = [];
  const phases = draft.phases.flatMap((each, index): CheckedPhase[] => {
    const phase = built[index];
    if (phase === undefined) return [];
    const isWritten = each.path.length > 1;
    const own = isWritten ? stays.get(each.id) : all.get(each.id);
    if (own === undefined) {
      if (isWritten) added.push(each.id);
      checkRunnable(each, phase, findings);
      return [{ draft: each, phase }];
    }
    if (isWritten && !repeats(phase, own, { from, seen })) {
      findings.error([...each.path, 'id'], {
        check: 'phase-taken',
        message: `"${oneLine(each.id, 64)}" is a phase of this run that has begun, and stays as it is`,
        hint: 'give the new phase an id of its own',
      });
    }
    seen.add(each.id);
    return [{ draft: isWritten ? bare(each) : each, phase: own }];
  });
  return from.generatesPhases ? afterGenerated(phases, { from, added }) : phases;
}

/** The phase itself may be told in other words; of any other one it must be clear that it is the same. */
function repeats(phase: Phase, own: Phase, { from, seen }: { from: Phase; seen: ReadonlySet<string> }): boolean {
  if (from.generatesPhases || seen.has(own.id)) return false;
  if (own.id === from.id || growsPlan(own)) return phase.type === own.type;
  return workOf(phase) === workOf(own);
}

function workOf({ type, output, gates, description, config }: Phase): string {
  return JSON.stringify([type, output, gates.map((gate) => [gate.type, gate.settings]), description, config]);
}

/** What an entry says of a phase that stays is checked no further. */
function bare({ path, id, type }: PlanDraft['phases'][number]): PlanDraft['phases'][number] {
  return { path, id, type, entry: {}, gates: [] };
}

function checkRunnable({ path, entry }: PlanDraft['phases'][number], phase: Phase, findings: FileFindings): void {
  if (phase.rollback !== undefined) {
    const message = 'HELIX cannot roll back yet';
    findings.errorAtKey([...path, 'rollback'], { check: 'not-built', message, hint: 'remove it' });
  }
  if (entry.generates_phases === true && isJudge(phase)) {
    const message = `a ${phase.type} generates no phases`;
    findings.errorAtKey([...path, 'generates_phases'], { check: 'not-built', message, hint: 'remove it' });
  }
}

type Generated = { readonly from: Phase; readonly added: readonly string[] };

/** What waits for all generated phases: those marked so or, where none is, those that follow the phase which generates them. */
function afterGenerated(phases: readonly CheckedPhase[], { from, added }: Generated): CheckedPhase[] {
  const isNew = new Set(added);
  const others = phases.filter(({ phase }) => !isNew.has(phase.id));
  const marked = others.some(({ phase }) => phase.afterDynamic === true);
  return phases.map((checked) => {
    const { phase } = checked;
    const waits = marked ? phase.afterDynamic === true : phase.dependsOn.includes(from.id);
    if (isNew.has(phase.id) || !waits) return checked;
    return { ...checked, phase: { ...phase, dependsOn: [...new Set([...phase.dependsOn, ...added])] } };
  });
}
