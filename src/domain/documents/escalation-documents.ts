import { z } from 'zod';
import { Analysis, Changes, ConsultantAnswer, Decision } from '../facts/consultation.ts';
import { Finding } from '../finding.ts';
import { PhaseConfig } from '../plan/plan.ts';

const Timestamp = z.iso.datetime();

/** How far up the ladder a question comes from. */
export const Level = z.enum(['stufe-1', 'stufe-2', 'start']);

/** escalation/stufe-N/trigger.json: why the ladder was climbed. */
export const TriggerDocument = z.strictObject({
  timestamp: Timestamp,
  phase: z.string(),
  level: Level,
  attempts: z.int().nonnegative(),
  reason: z.string(),
  findings: z.array(Finding),
});
export type TriggerDocument = z.infer<typeof TriggerDocument>;

const Answered = ConsultantAnswer.shape.decision.shape;
const Task = z.union([z.string(), z.int()]);

/** escalation/stufe-1/consultant-decision.json: what the consultant answered, as in ADR-004, and (not there) what of it takes effect. */
export const ConsultantDecisionDocument = z.strictObject({
  timestamp: Timestamp,
  run: z.string().optional(),
  phase: z.string().optional(),
  consultation: z.string().optional(),
  analysis: z.strictObject({
    failure_summary: z.string(),
    root_cause: z.string(),
    attempts_analyzed: z.int().nonnegative(),
    learning: z.string().optional(),
  }),
  decision: z.strictObject({
    action: Answered.action,
    model_switch: z.strictObject({ from: z.string(), to: z.string(), reasoning: z.string() }).nullable(),
    plan_revert: z.strictObject({
      enabled: z.boolean(),
      revert_to_task: Task.nullable(),
      current_task: Task,
      reasoning: z.string(),
    }),
    additional_hints: z.array(z.string()),
    spec_updates: z.record(z.string(), z.unknown()),
    additional_skills: z.array(z.string()),
  }),
  expected_outcome: z.string(),
  /** Null where the consultant does not say. */
  confidence: z.number().min(0).max(1).nullable(),
  /** Further attempts, a revert before them, or a question to a human. */
  outcome: z.enum(['retry', 'revert', 'ask']).optional(),
  applied: Changes.extend({ revert_to: z.string().optional() }).optional(),
});
export type ConsultantDecisionDocument = z.infer<typeof ConsultantDecisionDocument>;

/** escalation/stufe-1/consultations/<id>/refused-answer.json: an answer that could not be used. */
export const RefusedAnswerDocument = z.strictObject({
  timestamp: Timestamp,
  run: z.string(),
  phase: z.string(),
  consultation: z.string(),
  reasons: z.array(z.string()),
  /** As it was given: JSON, or text that is none. */
  answer: z.string(),
});
export type RefusedAnswerDocument = z.infer<typeof RefusedAnswerDocument>;

/** escalation/stufe-1/updated-config.yaml: what the next attempts of a phase really run with. */
export const UpdatedConfigDocument = z.strictObject({
  phase: z.string(),
  agent: z.string(),
  ...PhaseConfig.shape,
  skills: z.array(z.string()),
  hints: z.array(z.string()),
  /** What is added to the specification, by the dotted path it belongs to. */
  spec: z.record(z.string(), z.array(z.string())),
  /** The phase everything is done again from. */
  revert_to: z.string().optional(),
});
export type UpdatedConfigDocument = z.infer<typeof UpdatedConfigDocument>;

/** escalation/stufe-2/hil-request.json: the question to the human, as in ADR-004. */
export const HilRequestDocument = z.strictObject({
  timestamp: Timestamp,
  project_id: z.string(),
  phase: z.string(),
  run: z.string(),
  request: z.string(),
  level: Level,
  summary: z.strictObject({
    total_attempts: z.int().nonnegative(),
    stufe_1_interventions: z.int().nonnegative(),
    models_tried: z.array(z.string()),
    time_spent_minutes: z.number().nonnegative(),
  }),
  consultant_analysis: Analysis,
  options: z.array(
    z.strictObject({
      id: z.string(),
      description: z.string(),
      effort: z.string(),
      consultant_recommendation: z.boolean().optional(),
      /** What choosing it does, in words. */
      effect: z.string().optional(),
      decision: Decision,
    }),
  ),
  question_for_user: z.string(),
  /** (not in ADR-004) The protected files that were changed, where the question is about them. */
  protected: z.array(z.string()).optional(),
  /** (not in ADR-004) What a human should know who decides, as it was when the question was asked. */
  context: z
    .strictObject({
      request: z.string().optional(),
      task: z.string(),
      specification: z.string().optional(),
      spec_changes: z.array(z.string()),
      plan: z.array(z.string()),
      rules: z.array(z.string()),
      findings: z.array(Finding),
      attempts: z.array(z.string()),
      baseline: z.array(z.string()),
      came_back: z.array(z.string()),
      humans_said: z.array(z.string()),
      hints: z.array(z.string()),
      left: z.string(),
      /** What the agent says of its last attempt: its own words, proven by nothing. */
      claims: z.string().optional(),
      /** The language agents are told to write in. */
      language: z.string().optional(),
    })
    .optional(),
  attachments: z.strictObject({
    full_logs: z.string(),
    code_attempts: z.string(),
    consultant_transcript: z.string(),
  }),
});
export type HilRequestDocument = z.infer<typeof HilRequestDocument>;

/** escalation/stufe-2/user-decision.json: the human's answer, as in ADR-004; written by hand, so nulls are fine. */
export const UserDecisionDocument = z.strictObject({
  timestamp: z.string().nullish(),
  request: z.string().nullish(),
  chosen_option: z.string().min(1),
  user_comment: z.string().nullish(),
  additional_input: z
    .strictObject({
      spec_override: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
      manual_code: z.union([z.record(z.string(), z.string()), z.string()]).nullish(),
      priority_change: z.string().nullish(),
      /** The phase to go back to, with an option that goes back. */
      revert_to: z.string().nullish(),
    })
    .nullish(),
});
export type UserDecisionDocument = z.infer<typeof UserDecisionDocument>;

/** escalation/stufe-2/resolution.json: what was decided, by whom, and what came of it. */
export const ResolutionDocument = z.strictObject({
  timestamp: Timestamp,
  request: z.string(),
  decision: Decision,
  actor: z.string(),
  applied: z.boolean(),
  outcome: z.enum(['in_progress', 'passed', 'skipped', 'failed', 'aborted', 'asked_again', 'overridden', 'reverted']),
});
export type ResolutionDocument = z.infer<typeof ResolutionDocument>;
