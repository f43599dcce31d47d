import type { CalibrationCheck, CalibrationEntry } from '../../domain/documents/calibration-document.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import { exactInterval } from './exact-interval.ts';
import type { Trial } from './plan-trials.ts';

/** What a judge made of a trial. */
export type Judged = {
  readonly trial: Trial;
  readonly model: string;
  /** The checks under which it found an error or a warning that holds. */
  readonly accused: ReadonlySet<string>;
};

/** The checks under which an approval found something that counts: what has no evidence that holds is a remark by then. */
export function accusedBy({ findings }: Pick<ApprovalResult, 'findings'>): ReadonlySet<string> {
  return new Set(findings.flatMap(({ check, severity }) => (severity === 'info' ? [] : [check])));
}

/** What the trials say about each check and model, and about each model over all checks. */
export function tallyTrials(
  judged: readonly Judged[],
  checks: readonly string[],
): { checks: CalibrationCheck[]; overall: CalibrationEntry[] } {
  const models = [...Map.groupBy(judged, ({ model }) => model)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    checks: checks.flatMap((check) =>
      models.map(([model, own]) => ({ check, ...measure(own, { model, checks: [check] }) })),
    ),
    overall: models.map(([model, own]) => measure(own, { model, checks })),
  };
}

function measure(
  judged: readonly Judged[],
  { model, checks }: { readonly model: string; readonly checks: readonly string[] },
): CalibrationEntry {
  const planted = judged.flatMap(({ trial: { planted: defect }, accused }) =>
    defect !== undefined && checks.includes(defect.check) ? [{ missed: !accused.has(defect.check) }] : [],
  );
  const missed = planted.filter((each) => each.missed).length;
  const clean = judged.filter(({ trial }) => trial.planted === undefined);
  const alarms = clean.filter(({ accused }) => checks.some((check) => accused.has(check))).length;
  return {
    model,
    planted: planted.length,
    missed,
    falseNegative: exactInterval(missed, planted.length),
    clean: clean.length,
    alarms,
    falsePositive: exactInterval(alarms, clean.length),
  };
}
