import type { Cost } from '../domain/facts/run-event.ts';
import type { Finding } from '../domain/finding.ts';
import type { ApprovalFinding, ApprovalRecord, ApprovalResult } from '../domain/judge/approval.ts';
import { present } from '../domain/present.ts';
import { oneLine } from '../text/sanitise.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Check, Question } from './question.ts';

/** What a result says that the question does not. */
type Opinion = Pick<
  ApprovalResult,
  'approval_id' | 'timestamp' | 'result' | 'confidence' | 'agent_context' | 'cached' | 'stage'
> & {
  /** The judge's own; what the free checks found is put before them. */
  readonly findings: readonly ApprovalFinding[];
  readonly recommendations: readonly string[];
  readonly checks: ApprovalResult['checks'];
  readonly unsure?: boolean | undefined;
};

/** approval-result.json of an opinion about a question. */
export function approvalResult(question: Question, opinion: Opinion): ApprovalResult {
  return {
    approval_id: opinion.approval_id,
    approval_type: question.type,
    timestamp: opinion.timestamp,
    result: opinion.result,
    confidence: opinion.confidence,
    findings: [...question.found.map(asApprovalFinding), ...opinion.findings],
    recommendations: [...opinion.recommendations],
    agent_context: opinion.agent_context,
    inputs: [...question.inputs],
    checks: [...opinion.checks.filter(({ by }) => by === undefined), ...question.settledChecks.map(settledOutcome)],
    definition_sha256: question.definition.sha256,
    cached: opinion.cached,
    stage: opinion.stage,
    ...(opinion.unsure === true && { unsure: true }),
  };
}

/** What HELIX has found out needs no judge: had it failed, none would have been asked. */
function settledOutcome({ id, sha256 }: Check): ApprovalResult['checks'][number] {
  return { id, sha256, outcome: 'pass', by: 'helix' };
}

function asApprovalFinding({ severity, check, message, hint, location, fingerprint }: Finding): ApprovalFinding {
  const { file, line, column } = location ?? {};
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return {
    severity,
    check,
    message: oneLine(message, 2000),
    ...(hint !== undefined && { hint: oneLine(hint, 2000) }),
    ...(file !== undefined && { location: place }),
    fingerprint: fingerprint ?? fingerprintOf({ check, message, ...present({ file }) }),
  };
}

/** Who was asked, or would have been, and how. */
type Facts = Pick<
  ApprovalRecord,
  'approval_id' | 'started' | 'key' | 'brief_sha256' | 'sandbox' | 'agent' | 'driver' | 'simulated'
> & {
  readonly tools: readonly string[];
  readonly agent_version?: string;
  readonly model?: string;
  readonly denied?: readonly string[];
};

/** The record of what a judge could see and do. */
export function approvalRecord(question: Question, facts: Facts): ApprovalRecord {
  return {
    ...facts,
    approval_type: question.type,
    files: [...question.snapshot.files],
    definition: [...question.definition.files],
    tools: [...facts.tools],
    denied: [...(facts.denied ?? [])],
  };
}

/** What was paid for one thing in two turns; an amount nobody knows stays unknown. */
export function sumOf(first: Cost | undefined, second: Cost | undefined): Cost | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const usd = added(first.usd, second.usd);
  const tokens = added(first.tokens, second.tokens);
  const basis = (['unknown', 'estimated'] as const).find((each) => first.basis === each || second.basis === each);
  return {
    basis: basis ?? second.basis,
    ...present({ usd, tokens }),
    ...((first.equivalent === true || second.equivalent === true) && { equivalent: true }),
  };
}

function added(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined ? second : first + (second ?? 0);
}
