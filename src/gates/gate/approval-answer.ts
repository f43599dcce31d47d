import { type Finding, hasError, type Location } from '../../domain/finding.ts';
import type { ApprovalFinding, ApprovalResult } from '../../domain/judge/approval.ts';
import { present } from '../../domain/present.ts';
import type { GateAnswer } from './gate-context.ts';
import type { JudgedFiles } from './judged-files.ts';

/** What an approval must be like for its gate. */
export type Wanted = {
  /** What the free checks found before it. */
  readonly found: readonly Finding[];
  /** `needs_revision` lets that pass, too, where it is an opinion. */
  readonly result?: 'approved' | 'needs_revision' | undefined;
  readonly confidence?: number | undefined;
};

/** What a gate that asks judges answers where there is nobody to ask. */
export const NOBODY_TO_ASK: GateAnswer = {
  kind: 'interrupted',
  failure: 'setup',
  message: 'this gate asks an agent; use helix approve, or run the plan',
};

/** A file that is wanted and not there ends an approval: a judge who does not see it could not miss it. */
export function rejectAbsent(absent: JudgedFiles['absent']): GateAnswer {
  const findings = absent.map((absence): Finding => ({ severity: 'error', check: 'approval', ...absence }));
  return { kind: 'judged', outcome: 'reject', findings };
}

const OUTCOMES = { approved: 'pass', needs_revision: 'revise', rejected: 'reject' } as const;

/** What an approval means for its gate: with an error, whoever found it, nothing passes. */
export function approvalAnswer(approval: ApprovalResult, { found, result, confidence = 0 }: Wanted): GateAnswer {
  const findings = allFindings(approval, found);
  const given = OUTCOMES[approval.result];
  if (hasError(findings)) return { kind: 'judged', outcome: 'reject', findings };
  if (given === 'pass' && approval.confidence < confidence) {
    const message = `the judge is less sure than it has to be: ${approval.confidence}, and ${confidence} is asked for`;
    const doubt: Finding = { severity: 'warning', check: 'confidence', message };
    return { kind: 'judged', outcome: 'revise', findings: [doubt, ...findings], unsure: true };
  }
  const wanted = isOpinion(approval) ? result : 'approved';
  const outcome = given === 'revise' && wanted === 'needs_revision' ? 'pass' : given;
  const unsure = outcome !== 'pass' && approval.unsure === true;
  return { kind: 'judged', outcome, findings, ...(unsure && { unsure }) };
}

/** What HELIX notes of what a judge left out or could not show: nobody can mend it in the work. */
const JUDGES_OWN = new Set([
  ...['unanswered-check', 'unproven-error', 'failed-check'],
  ...['nothing-checked', 'unexplained-result', 'unsure-opinion'],
]);

/** What HELIX notes of an answer that says too little to be let pass. */
const NO_OPINION = new Set(['unproven-error', 'nothing-checked', 'unsure-opinion']);

/** Who left a check out, accuses without proof or is not sure of what is wrong has no opinion that could be put up with. */
function isOpinion({ checks, findings }: ApprovalResult): boolean {
  if (checks.some(({ outcome }) => outcome === 'unanswered')) return false;
  return !findings.some(({ severity, check }) => severity === 'warning' && NO_OPINION.has(check));
}

/** What the free checks found stands first, once, whether the approval repeats it or not. */
function allFindings({ findings, recommendations }: ApprovalResult, found: readonly Finding[]): Finding[] {
  const about = findings.filter(({ severity, check }) => severity !== 'warning' || !JUDGES_OWN.has(check));
  const objects = about.some(({ severity }) => severity !== 'info');
  const told = (objects ? about : findings).map(findingOf);
  const repeated = new Set(told.map(same));
  return [
    ...found.filter((finding) => !repeated.has(same(finding))),
    ...told,
    ...recommendations.map((message): Finding => ({ severity: 'info', check: 'recommendation', message })),
  ];
}

function same({ check, message, location: { file, line } = {} }: Finding): string {
  return JSON.stringify([check, message, file, line]);
}

function findingOf({ severity, check, message, hint, location, evidence, fingerprint }: ApprovalFinding): Finding {
  return {
    severity,
    check,
    message,
    ...present({ hint, evidence }),
    ...(location !== undefined && location !== '' && { location: locationOf(location) }),
    fingerprint,
  };
}

/** Reads `file:line:column`, of which the numbers may be missing. */
function locationOf(text: string): Location {
  const [, file = text, ...numbers] = /^(.+?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/s.exec(text) ?? [];
  const [line = 0, column = 0] = numbers.map((digits) => Number(digits ?? 0));
  return { file, ...(line > 0 && { line }), ...(line > 0 && column > 0 && { column }) };
}
