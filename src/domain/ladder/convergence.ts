import type { PhaseState, RungState } from '../facts/run-state.ts';
import type { Finding } from '../finding.ts';
import type { Phase } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';

/** A finding that has outlived so many attempts to mend it is stuck. */
const STUCK_AFTER = 2;

/** How a judgement compares with the one before it: what still stands, and for how long, and what was mended. */
export type Progress = Pick<RungState, 'seen'> & Pick<PhaseState, 'mended'>;

/** Compares a judgement with the one before it. */
export function convergence(
  { rung: { seen }, lastVerdicts }: Pick<PhaseState, 'rung' | 'lastVerdicts'>,
  verdicts: readonly Verdict[],
): Progress {
  const now = new Set(objections(verdicts).flatMap(({ fingerprint }) => fingerprint ?? []));
  return {
    seen: Object.fromEntries([...now].map((fingerprint) => [fingerprint, (seen[fingerprint] ?? 0) + 1])),
    mended: objections(lastVerdicts).filter(({ fingerprint }) => fingerprint !== undefined && !now.has(fingerprint)),
  };
}

function objections(verdicts: readonly Verdict[]): Finding[] {
  return verdicts.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'info');
}

/** How many attempts to mend it a finding has outlived. */
export function survived({ seen }: Pick<RungState, 'seen'>, { fingerprint }: Finding): number {
  return fingerprint === undefined ? 0 : Math.max(0, (seen[fingerprint] ?? 0) - 1);
}

/** The findings that keep coming back. */
export function stuckFindings(at: Pick<PhaseState, 'rung' | 'lastVerdicts'>, after = STUCK_AFTER): Finding[] {
  return objections(at.lastVerdicts).filter((finding) => survived(at.rung, finding) >= after);
}

/** Tells whether a phase is to climb because a finding keeps coming back. */
export function isStuck({ stopWhenStuck = false }: Phase, at: PhaseState): boolean {
  if (stopWhenStuck === false) return false;
  return stuckFindings(at, stopWhenStuck === true ? STUCK_AFTER : stopWhenStuck).length > 0;
}
