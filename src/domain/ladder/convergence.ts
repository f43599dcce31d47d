import type { PhaseState, RungState } from '../facts/run-state.ts';
import type { Finding } from '../finding.ts';
import type { Phase } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';

/** A finding that has outlived so many attempts to mend it is stuck. */
const STUCK_AFTER = 2;

/** How a judgement compares with the one before it: what still stands, and for how long, and what was mended. */
export type Progress = Pick<RungState, 'seen'> & Pick<PhaseState, 'mended' | 'unasked'>;

/** Compares a judgement with those before it; what it did not look at again is not mended. */
export function convergence(
  {
    rung: { seen },
    lastVerdicts,
    unasked,
    returned,
  }: Pick<PhaseState, 'rung' | 'lastVerdicts' | 'unasked' | 'returned'>,
  verdicts: readonly Verdict[],
): Progress {
  const now = fingerprintsIn(verdicts);
  const { asked, left } = askedAgain(returned === true ? [] : [...lastVerdicts, ...unasked], verdicts);
  const open = new Set([...now, ...fingerprintsIn(left)]);
  const times = (fingerprint: string) => (seen[fingerprint] ?? 0) + (now.has(fingerprint) ? 1 : 0);
  return {
    seen: Object.fromEntries([...open].map((fingerprint) => [fingerprint, times(fingerprint)])),
    mended: objections(asked).filter(({ fingerprint }) => fingerprint !== undefined && !open.has(fingerprint)),
    unasked: left,
  };
}

/** Gates are asked in order, up to the first that does not pass: those behind it are left, each with what it said last. */
function askedAgain(former: readonly Verdict[], verdicts: readonly Verdict[]) {
  const answers = Map.groupBy(verdicts, ({ gate }) => gate);
  const met = new Map<string, number>();
  const asked: Verdict[] = [];
  const left: Verdict[] = [];
  for (const verdict of former) {
    const { gate } = verdict;
    const nth = (met.get(gate) ?? 0) + 1;
    met.set(gate, nth);
    // Whether conflicts are still there is looked at before any gate.
    const isAsked = gate === 'join' || nth <= (answers.get(gate)?.length ?? 0);
    (isAsked ? asked : left).push(verdict);
  }
  return { asked, left };
}

function fingerprintsIn(verdicts: readonly Verdict[]): Set<string> {
  return new Set(objections(verdicts).flatMap(({ fingerprint }) => fingerprint ?? []));
}

export function objections(verdicts: readonly Verdict[]): Finding[] {
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
