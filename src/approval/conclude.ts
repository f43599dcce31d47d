import {
  type ApprovalFinding,
  type ApprovalResult,
  type CheckEvidence,
  type Evidence,
  JudgeAnswer,
} from '../domain/judge/approval.ts';
import { excerpt, oneLine } from '../text/sanitise.ts';
import { type Checked, checkEvidence } from './check-evidence.ts';
import { fingerprintOf } from './fingerprint.ts';
import { alwaysApplies } from './load-definition.ts';
import type { Check, Question } from './question.ts';

const MAX_MESSAGE = 2000;
const MAX_SHOWN = 5;
const MAX_QUOTE = 500;
const MAX_SHOWS = 300;

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
      /** The judge approves, and nothing but what it left out or could not show stands in the way: whose work it is can mend none of it. */
      readonly noOpinion?: string;
    };

type Answered = JudgeAnswer['checks'][number];
type Outcome = ApprovalResult['checks'][number];
type Lookups = {
  readonly at: (evidence: Evidence) => Checked;
  /** Tells whether a quote stands in a file that is to be judged, and not in one beside it. */
  readonly isInput: (place: Checked) => boolean;
};

/** Works out the verdict from a judge's answer, which is checked again whoever handed it over. */
export async function conclude(answer: unknown, question: Question): Promise<Conclusion> {
  const tampered = await question.snapshot.changed();
  if (tampered.length > 0) return refusedAsTampered(tampered);
  const parsed = JudgeAnswer.safeParse(answer);
  if (!parsed.success) return { kind: 'refused', why: whyNot(answer, parsed.error.issues[0]) };
  const lookup = await lookUp(parsed.data, question);
  const checks = question.checks.map((check) => judgeCheck(check, parsed.data.checks, lookup));
  const ids = new Set([...question.checks, ...question.settledChecks].map(({ id }) => id));
  const stray = new Set(parsed.data.checks.map(({ id }) => id).filter((id) => !ids.has(id)));
  const findings = parsed.data.findings.map((finding) => judgeFinding(finding, ids, lookup));
  const doubts = [
    ...[...stray].map((id) =>
      warning('unanswered-check', `the judge answered a check nobody asked for: ${oneLine(id, 100)}`),
    ),
    ...unexplained(checks, findings),
    ...findings.flatMap(({ demoted, message }) => (demoted === 'error' ? unproven(message) : [])),
  ];
  const remarks = checks.flatMap((check) => check.remarks ?? []);
  const unanswered = checks.filter(({ why }) => why !== undefined);
  const outcomes = checks.map(({ outcome }) => outcome);
  return verdict(parsed.data, { question, checks: outcomes, unanswered, findings, doubts, remarks });
}

/** Why checks count as unanswered, each reason once. */
function faultsOf(unanswered: readonly JudgedCheck[]): string[] {
  return [...Map.groupBy(unanswered, ({ why }) => why)].map(([why, same]) => {
    const ids = same.map(({ outcome }) => outcome.id);
    return `${ids.length === 1 ? `the check ${ids[0]} is` : `the checks ${ids.join(', ')} are`} not answered: ${why}`;
  });
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

async function lookUp({ checks, findings }: JudgeAnswer, { snapshot, inputs }: Question): Promise<Lookups> {
  const told = findings.flatMap(({ evidence, against }) => [evidence, against].filter((each) => each !== undefined));
  const all = [...checks.flatMap(({ evidence }) => evidence), ...told];
  const checked = await checkEvidence(all, snapshot);
  const answers = new Map(all.map((evidence, index) => [evidence, checked[index]]));
  const judged = new Set(inputs.map(({ path }) => path));
  const isInput = (place: Checked) => place.holds && judged.has(place.file);
  const at: Lookups['at'] = (evidence) => answers.get(evidence) ?? { holds: false, why: 'it was not looked up' };
  return { at, isInput };
}

type JudgedCheck = {
  readonly outcome: Outcome;
  /** Why it counts as unanswered. */
  readonly why?: string;
  readonly doubt?: ApprovalFinding;
  readonly remarks?: readonly ApprovalFinding[];
};

/** An answer counts as far as it can be looked up: every quote must stand there, one of them in what is judged. */
function judgeCheck(check: Check, answers: readonly Answered[], { at, isInput }: Lookups): JudgedCheck {
  const { id, sha256 } = check;
  const own = answers.filter((answer) => answer.id === id);
  const [first] = own;
  const unanswered = (why: string): JudgedCheck => ({
    outcome: { id, sha256, outcome: 'unanswered' },
    why,
    doubt: warning('unanswered-check', `the check ${id} is not answered: ${why}`),
  });
  if (first === undefined) return unanswered('the judge left it out');
  if (own.length > 1) return unanswered(`it was answered ${own.length} times`);
  if (first.outcome === 'not_applicable' && alwaysApplies(check))
    return unanswered('it always applies, as its file says');
  if (first.evidence.length === 0) return unanswered('there is no evidence');
  const looked = first.evidence.map((evidence) => ({ evidence, place: at(evidence) }));
  for (const { evidence, place } of looked) {
    if (!place.holds) return unanswered(`of its evidence "${oneLine(evidence.quote, 80)}" does not hold: ${place.why}`);
  }
  if (!looked.some(({ place }) => isInput(place)))
    return unanswered('nothing in its evidence is from the files to be judged');
  const remarks = looked.flatMap(({ evidence, place }) => misplaced(id, evidence, place));
  const evidence = looked.flatMap(({ evidence: said, place }) => (place.holds ? [kept(said, place)] : []));
  return { outcome: { id, sha256, outcome: first.outcome, evidence }, remarks };
}

/** What a judge quoted, at the place where it stands. */
function kept({ quote, shows = '' }: CheckEvidence, { file, line }: Extract<Checked, { holds: true }>): CheckEvidence {
  const part = oneLine(shows, MAX_SHOWS);
  return { file, line, quote: excerpt(quote, MAX_QUOTE), ...(part !== '' && { shows: part }) };
}

function misplaced(id: string, { line }: Evidence, place: Checked): ApprovalFinding[] {
  if (!place.holds || !place.moved) return [];
  const { file } = place;
  const message = `the check ${id} quotes line ${line} of ${file} for what stands at line ${place.line}`;
  const fingerprint = fingerprintOf({ check: 'wrong-line', message, file });
  return [{ severity: 'info', check: 'wrong-line', message, location: `${file}:${place.line}`, fingerprint }];
}

type SaidFinding = JudgeAnswer['findings'][number];
type JudgedFinding = ApprovalFinding & { readonly demoted?: ApprovalFinding['severity'] };

function judgeFinding(finding: SaidFinding, ids: ReadonlySet<string>, lookups: Lookups): JudgedFinding {
  const { severity, evidence, hint } = finding;
  const known = ids.has(finding.check);
  const check = known ? finding.check : 'other';
  const said = oneLine(known ? finding.message : `${oneLine(finding.check, 100)}: ${finding.message}`, MAX_MESSAGE);
  const place = placeOf(finding, lookups);
  const shared = { check, ...(hint !== undefined && hint.trim() !== '' && { hint: oneLine(hint, MAX_MESSAGE) }) };
  if (!place.holds || evidence === undefined) {
    const why = place.holds ? '' : place.why;
    const message = severity === 'info' ? said : `${said} (counts as a remark, not as ${article(severity)}: ${why})`;
    const fingerprint = fingerprintOf({ check, message: said });
    return { severity: 'info', ...shared, message, fingerprint, ...(severity !== 'info' && { demoted: severity }) };
  }
  const told = `${place.moved ? ` (said to be at line ${evidence.line})` : ''}${otherSide(finding, lookups)}`;
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

/** The check about what cannot be true together, which nobody can see from one side. */
const CONFLICTS = 'conflicts';

/** What may only be consulted shows nothing about what is judged; a conflict shows both of its sides. */
function placeOf({ severity, check, evidence, against }: SaidFinding, { at, isInput }: Lookups): Checked {
  if (evidence === undefined) return { holds: false, why: 'it has no evidence' };
  const place = at(evidence);
  if (!place.holds) return place;
  if (!isInput(place)) return { holds: false, why: `${oneLine(place.file, 200)} is not among the files to be judged` };
  if (against === undefined)
    return check === CONFLICTS && severity === 'error'
      ? { holds: false, why: 'a conflict has two sides, and only one is quoted' }
      : place;
  const other = at(against);
  if (!other.holds) return { holds: false, why: `of its other side: ${other.why}` };
  const isSame = other.file === place.file && other.line === place.line;
  return isSame ? { holds: false, why: 'both sides of it are the same place' } : place;
}

/** The other side of a conflict, as it was looked up. */
function otherSide({ against }: SaidFinding, { at }: Lookups): string {
  const place = against === undefined ? undefined : at(against);
  if (against === undefined || place?.holds !== true) return '';
  return ` (against ${oneLine(place.file, 200)}:${place.line}: "${oneLine(against.quote, 300)}")`;
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

/** An error nobody can look up refutes nothing, and yet nobody can say that all is well. */
function unproven(message: string): ApprovalFinding {
  return warning('unproven-error', `the judge names an error that cannot be looked up: ${oneLine(message, 200)}`);
}

type Judged = {
  readonly question: Question;
  readonly checks: ApprovalResult['checks'];
  readonly unanswered: readonly JudgedCheck[];
  readonly findings: readonly JudgedFinding[];
  readonly doubts: readonly ApprovalFinding[];
  readonly remarks: readonly ApprovalFinding[];
};

function verdict(answer: JudgeAnswer, judged: Judged): Conclusion {
  const { question, checks, unanswered, findings, doubts, remarks } = judged;
  const { requiredConfidence, onLowConfidence } = question.settings;
  const nothing = checks.every(({ outcome }) => outcome === 'not_applicable')
    ? [warning('nothing-checked', 'the judge found no check applicable, so nothing was judged')]
    : [];
  const standing = findings.some(({ severity }) => severity === 'error');
  const failed = checks.some(({ outcome }) => outcome === 'fail');
  const silent =
    answer.result !== 'approved' && !failed && !findings.some(({ severity, demoted }) => severity !== 'info' || demoted)
      ? [warning('unexplained-result', `the judge says ${answer.result} and names nothing that must be mended`)]
      : [];
  const others = [...doubts, ...nothing, ...silent];
  const told = [...unanswered.flatMap(({ doubt }) => doubt ?? []), ...others];
  const faults = [...faultsOf(unanswered), ...others.map(({ message }) => message)].join('; ');
  const clean = answer.result === 'approved' && !standing && !failed && told.length === 0;
  const sure = answer.confidence >= requiredConfidence;
  const low = clean && !sure;
  const rejected = standing || answer.result === 'rejected' || (low && onLowConfidence === 'reject');
  const unsure = sure || (rejected && !low) ? [] : [unsureOf(answer.confidence, requiredConfidence, low)];
  const otherwise = clean && sure ? 'approved' : 'needs_revision';
  return {
    kind: 'concluded',
    result: rejected ? 'rejected' : otherwise,
    confidence: answer.confidence,
    findings: [...findings.map(({ demoted: _, ...finding }) => finding), ...told, ...unsure, ...remarks],
    recommendations: answer.recommendations.map((text) => oneLine(text, MAX_MESSAGE)).filter((text) => text !== ''),
    checks,
    ...(low && onLowConfidence === 'human' && { unsure: true }),
    ...(answer.result === 'approved' && faults !== '' && !isObjection(checks, findings) && { noOpinion: faults }),
  };
}

/** Tells whether a judge that approves objects all the same to something that can be looked up. */
function isObjection(checks: Judged['checks'], findings: Judged['findings']): boolean {
  const failed = new Set(checks.flatMap(({ id, outcome }) => (outcome === 'fail' ? id : [])));
  return findings.some(({ severity, check }) => severity === 'error' || (severity === 'warning' && failed.has(check)));
}

function unsureOf(confidence: number, required: number, clean: boolean): ApprovalFinding {
  const amount = `less sure than is asked for: ${confidence} of ${required}`;
  return clean
    ? warning('low-confidence', `the judge would approve but is ${amount}`)
    : warning('unsure-opinion', `the judge does not approve and is ${amount}`);
}

function warning(check: string, message: string): ApprovalFinding {
  return { severity: 'warning', check, message, fingerprint: fingerprintOf({ check, message }) };
}
