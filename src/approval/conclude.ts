import { type ApprovalFinding, type ApprovalResult, type Evidence, JudgeAnswer } from '../domain/approval.ts';
import { excerpt, oneLine } from '../text/sanitise.ts';
import { type Checked, checkEvidence } from './check-evidence.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Question } from './question.ts';

const MAX_MESSAGE = 2000;
const MAX_SHOWN = 5;

/** What an answer comes to: never more than its evidence carries. */
export type Conclusion =
  | {
      readonly kind: 'refused';
      readonly why: string;
      /** The pinned files that are no longer what they were. */
      readonly tampered?: readonly string[];
    }
  | {
      readonly kind: 'concluded';
      readonly result: ApprovalResult['result'];
      readonly confidence: number;
      readonly findings: readonly ApprovalFinding[];
      readonly recommendations: readonly string[];
      readonly checks: ApprovalResult['checks'];
      readonly unsure?: true;
    };

type Answered = JudgeAnswer['checks'][number];
type Outcome = ApprovalResult['checks'][number];
type Lookup = (evidence: Evidence) => Checked;

/** Works out the verdict from a judge's answer, which is checked again whoever handed it over. */
export async function conclude(answer: unknown, question: Question): Promise<Conclusion> {
  const tampered = await question.snapshot.changed();
  if (tampered.length > 0) return refusedAsTampered(tampered);
  const parsed = JudgeAnswer.safeParse(answer);
  if (!parsed.success) return { kind: 'refused', why: whyNot(answer, parsed.error.issues[0]) };
  const lookup = await lookUp(parsed.data, question);
  const checks = question.checks.map((check) => judgeCheck(check, parsed.data.checks, lookup));
  const ids = new Set(question.checks.map(({ id }) => id));
  const stray = new Set(parsed.data.checks.map(({ id }) => id).filter((id) => !ids.has(id)));
  const findings = parsed.data.findings.map((finding) => judgeFinding(finding, ids, lookup));
  const doubts = [
    ...checks.flatMap(({ doubt }) => doubt ?? []),
    ...[...stray].map((id) =>
      warning('unanswered-check', `the judge answered a check nobody asked for: ${oneLine(id, 100)}`),
    ),
    ...unexplained(checks, findings),
  ];
  return verdict(parsed.data, { question, checks: checks.map(({ outcome }) => outcome), findings, doubts });
}

function refusedAsTampered(tampered: readonly string[]): Conclusion {
  const shown = tampered.slice(0, MAX_SHOWN).map((path) => oneLine(path, 200));
  const more = tampered.length > MAX_SHOWN ? ` and ${tampered.length - MAX_SHOWN} more` : '';
  return { kind: 'refused', why: `what was judged is not what had been pinned: ${shown.join(', ')}${more}`, tampered };
}

function whyNot(answer: unknown, issue: { path: PropertyKey[]; message: string } | undefined): string {
  if (answer === undefined) return 'there is no answer';
  return excerpt(`${issue?.path.map(String).join('.') || 'the answer'}: ${issue?.message}`, 500);
}

async function lookUp({ checks, findings }: JudgeAnswer, { snapshot }: Question): Promise<Lookup> {
  const all = [...checks.flatMap(({ evidence }) => evidence), ...findings.flatMap(({ evidence }) => evidence ?? [])];
  const checked = await checkEvidence(all, snapshot);
  const answers = new Map(all.map((evidence, index) => [evidence, checked[index]]));
  return (evidence) => answers.get(evidence) ?? { holds: false, why: 'it was not looked up' };
}

type JudgedCheck = { readonly outcome: Outcome; readonly doubt?: ApprovalFinding };

function judgeCheck(check: Question['checks'][number], answers: readonly Answered[], lookup: Lookup): JudgedCheck {
  const { id, sha256 } = check;
  const own = answers.filter((answer) => answer.id === id);
  const [first] = own;
  const unanswered = (why: string): JudgedCheck => ({
    outcome: { id, sha256, outcome: 'unanswered' },
    doubt: warning('unanswered-check', `the check ${id} is not answered: ${why}`),
  });
  if (first === undefined) return unanswered('the judge left it out');
  if (own.length > 1) return unanswered(`it was answered ${own.length} times`);
  if (first.outcome === 'not_applicable') return { outcome: { id, sha256, outcome: first.outcome } };
  const looked = first.evidence.map(lookup);
  if (looked.some(({ holds }) => holds)) return { outcome: { id, sha256, outcome: first.outcome } };
  const [why] = looked.flatMap((each) => (each.holds ? [] : each.why));
  return unanswered(why ?? 'there is no evidence');
}

type JudgedFinding = ApprovalFinding & { readonly demoted?: ApprovalFinding['severity'] };

function judgeFinding(
  finding: JudgeAnswer['findings'][number],
  ids: ReadonlySet<string>,
  lookup: Lookup,
): JudgedFinding {
  const { severity, evidence, hint } = finding;
  const known = ids.has(finding.check);
  const check = known ? finding.check : 'other';
  const said = oneLine(known ? finding.message : `${oneLine(finding.check, 100)}: ${finding.message}`, MAX_MESSAGE);
  const place = evidence === undefined ? ({ holds: false, why: 'it has no evidence' } as const) : lookup(evidence);
  const shared = { check, ...(hint !== undefined && hint.trim() !== '' && { hint: oneLine(hint, MAX_MESSAGE) }) };
  if (!place.holds || evidence === undefined) {
    const why = place.holds ? '' : place.why;
    const message = severity === 'info' ? said : `${said} (counts as a remark, not as ${article(severity)}: ${why})`;
    const fingerprint = fingerprintOf({ check, message: said });
    return { severity: 'info', ...shared, message, fingerprint, ...(severity !== 'info' && { demoted: severity }) };
  }
  const told = place.moved ? ` (said to be at line ${evidence.line})` : '';
  const quoted = excerpt(evidence.quote, MAX_MESSAGE);
  return {
    severity,
    ...shared,
    message: `${said}${told}`,
    location: `${place.file}:${place.line}`,
    evidence: quoted,
    fingerprint: fingerprintOf({ check, message: said, file: place.file, evidence: evidence.quote }),
  };
}

function article(severity: string): string {
  return severity === 'error' ? 'an error' : `a ${severity}`;
}

/** A check that failed for no reason anybody can read. */
function unexplained(checks: readonly JudgedCheck[], findings: readonly JudgedFinding[]): ApprovalFinding[] {
  return checks.flatMap(({ outcome: { id, outcome } }) => {
    const explained = findings.some(({ check, severity }) => check === id && severity !== 'info');
    return outcome === 'fail' && !explained
      ? [warning('failed-check', `the check ${id} failed, and no finding that holds says why`)]
      : [];
  });
}

type Judged = {
  readonly question: Question;
  readonly checks: ApprovalResult['checks'];
  readonly findings: readonly JudgedFinding[];
  readonly doubts: readonly ApprovalFinding[];
};

function verdict(answer: JudgeAnswer, { question, checks, findings, doubts }: Judged): Conclusion {
  const { requiredConfidence, onLowConfidence } = question.settings;
  const nothing = checks.every(({ outcome }) => outcome === 'not_applicable')
    ? [warning('nothing-checked', 'the judge found no check applicable, so nothing was judged')]
    : [];
  const standing = findings.some(({ severity }) => severity === 'error');
  const accused = findings.some(({ demoted }) => demoted === 'error');
  const failed = checks.some(({ outcome }) => outcome === 'fail');
  const silent =
    answer.result !== 'approved' && !failed && !findings.some(({ severity, demoted }) => severity !== 'info' || demoted)
      ? [warning('unexplained-result', `the judge says ${answer.result} and names nothing that must be mended`)]
      : [];
  const told = [...doubts, ...nothing, ...silent];
  const clean = answer.result === 'approved' && !standing && !accused && !failed && told.length === 0;
  const sure = answer.confidence >= requiredConfidence;
  const low = clean && !sure ? [warning('low-confidence', unsureText(answer.confidence, requiredConfidence))] : [];
  const rejected = standing || answer.result === 'rejected' || (low.length > 0 && onLowConfidence === 'reject');
  const otherwise = clean && sure ? 'approved' : 'needs_revision';
  return {
    kind: 'concluded',
    result: rejected ? 'rejected' : otherwise,
    confidence: answer.confidence,
    findings: [...findings.map(({ demoted: _, ...finding }) => finding), ...told, ...low],
    recommendations: answer.recommendations.map((text) => oneLine(text, MAX_MESSAGE)).filter((text) => text !== ''),
    checks,
    ...(low.length > 0 && onLowConfidence === 'human' && { unsure: true }),
  };
}

function unsureText(confidence: number, required: number): string {
  return `the judge would approve but is less sure than is asked for: ${confidence} of ${required}`;
}

function warning(check: string, message: string): ApprovalFinding {
  return { severity: 'warning', check, message, fingerprint: fingerprintOf({ check, message }) };
}
