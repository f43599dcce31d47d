import { z } from 'zod';
import { APPROVAL_TYPE } from './approval-type.ts';

const Outcome = z.enum(['approved', 'needs_revision', 'rejected']);

const Severity = z.enum(['error', 'warning', 'info']);

/** A place in what was judged, and the words that stand there. */
export const Evidence = z.strictObject({
  file: z.string().min(1).max(1000),
  line: z.int().positive().optional(),
  quote: z.string().min(1).max(2000),
});
export type Evidence = z.infer<typeof Evidence>;

/** Evidence of a check, which may name the part of the task or the criterion that it shows. */
const CheckEvidence = Evidence.extend({ shows: z.string().max(500).optional() });
export type CheckEvidence = z.infer<typeof CheckEvidence>;

/**
 * What a judge must answer; the verdict is computed from it, never taken from it. It is written in this order: whoever must
 * explain first finds reasons to reject what is right.
 */
export const JudgeAnswer = z.strictObject({
  result: Outcome,
  confidence: z.number().min(0).max(1),
  checks: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(100),
        outcome: z.enum(['pass', 'fail', 'not_applicable']),
        evidence: z.array(CheckEvidence).max(20),
      }),
    )
    .max(100),
  findings: z
    .array(
      z.strictObject({
        severity: Severity,
        check: z.string().min(1).max(100),
        message: z.string().min(1).max(4000),
        hint: z.string().max(2000).optional(),
        evidence: Evidence.optional(),
        /** Of a conflict the other side: what the evidence cannot be true together with. */
        against: Evidence.optional(),
      }),
    )
    .max(200),
  recommendations: z.array(z.string().max(2000)).max(50),
});
export type JudgeAnswer = z.infer<typeof JudgeAnswer>;

/** One thing an approval noticed, as its result file tells it. */
export const ApprovalFinding = z.strictObject({
  severity: Severity,
  check: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  /** file:line:column, as far as it is known. */
  location: z.string().optional(),
  evidence: z.string().optional(),
  /** Names the finding over attempts, wherever it moves to. */
  fingerprint: z.string(),
});
export type ApprovalFinding = z.infer<typeof ApprovalFinding>;

/** approval-result.json. */
export const ApprovalResult = z.strictObject({
  approval_id: z.string(),
  approval_type: z.string(),
  timestamp: z.string(),
  result: Outcome,
  confidence: z.number().min(0).max(1),
  findings: z.array(ApprovalFinding),
  recommendations: z.array(z.string()),
  agent_context: z.strictObject({
    model: z.string().optional(),
    duration_seconds: z.number().nonnegative(),
    tokens_used: z.int().nonnegative().optional(),
    cost_usd: z.number().nonnegative().optional(),
    cost_basis: z.enum(['reported', 'estimated', 'unknown', 'simulated']),
    agent: z.string().optional(),
    agent_version: z.string().optional(),
    simulated: z.boolean(),
  }),
  inputs: z.array(z.strictObject({ path: z.string(), sha256: z.string() })),
  checks: z.array(
    z.strictObject({
      id: z.string(),
      sha256: z.string(),
      outcome: z.enum(['pass', 'fail', 'not_applicable', 'unanswered', 'not_asked']),
      /** What it goes by, as it was looked up; older results do not keep it. */
      evidence: z.array(CheckEvidence).optional(),
      /** It was found out without asking a judge. */
      by: z.literal('helix').optional(),
    }),
  ),
  definition_sha256: z.string(),
  cached: z.boolean(),
  stage: z.enum(['pre_check', 'agent']),
  /** The judge would approve but is less sure than is asked for: what happens then is the project's choice. */
  unsure: z.boolean().optional(),
});
export type ApprovalResult = z.infer<typeof ApprovalResult>;

/** What a judge could see and do: kept beside its result. */
export const ApprovalRecord = z.strictObject({
  approval_id: z.string(),
  approval_type: z.string(),
  started: z.string(),
  /** The key an equal question is known by. */
  key: z.string(),
  files: z.array(z.strictObject({ path: z.string(), sha256: z.string() })),
  definition: z.array(z.strictObject({ path: z.string(), sha256: z.string() })),
  brief_sha256: z.string(),
  tools: z.array(z.string()),
  sandbox: z.string(),
  agent: z.string(),
  driver: z.string(),
  agent_version: z.string().optional(),
  model: z.string().optional(),
  simulated: z.boolean(),
  /** What it tried and was not allowed to do. */
  denied: z.array(z.string()),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

const settings = {
  model: z.string().min(1).optional(),
  timeout: z.number().positive().max(86_400).optional(),
  retry_on_failure: z.boolean().optional(),
  required_confidence: z.number().min(0).max(1).optional(),
  checks: z.array(z.string().min(1)).optional(),
  agent: z.string().min(1).optional(),
  fallback_model: z.string().min(1).optional(),
  budget: z.number().positive().optional(),
  on_low_confidence: z.enum(['human', 'revise', 'reject']).optional(),
};

/** config/approvals.yaml. */
export const ApprovalsFile = z.strictObject({
  approvals: z
    .record(z.string().regex(APPROVAL_TYPE), z.strictObject({ enabled: z.boolean().optional(), ...settings }))
    .optional(),
  defaults: z.strictObject(settings).optional(),
});
export type ApprovalsFile = z.infer<typeof ApprovalsFile>;

/** How approvals of one type are asked for, with every default filled in. */
export type ApprovalSettings = {
  readonly enabled: boolean;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly timeoutSeconds: number;
  readonly retryOnFailure: boolean;
  readonly requiredConfidence: number;
  /** The checks to ask, by id; without any, all the type has. */
  readonly checks?: readonly string[];
  readonly agent?: string;
  /** Dollars one approval may cost. */
  readonly budgetUsd?: number;
  readonly onLowConfidence: 'human' | 'revise' | 'reject';
};
