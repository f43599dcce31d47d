import { z } from 'zod';
import { Cost } from '../facts/run-event.ts';
import { ApprovalResult } from '../judge/approval.ts';
import { ApprovalMark } from '../judge/approval-mark.ts';
import { FailureClass } from '../verdict.ts';

/** `helix approve --format json`: approval-result.json with the name of its format. */
export const ApprovalDocument = z.strictObject({
  schema: z.literal('helix.approval/1'),
  ...ApprovalResult.shape,
});
export type ApprovalDocument = z.infer<typeof ApprovalDocument>;

/** `helix approve mark --json`: what a verdict turned out to be. */
export const MarkDocument = z.strictObject({
  schema: z.literal('helix.approval-mark/1'),
  ...ApprovalMark.shape,
  approval_type: z.string(),
  result: ApprovalResult.shape.result,
  /** The run it was given in, if any. */
  run: z.string().optional(),
});
export type MarkDocument = z.infer<typeof MarkDocument>;

/** interruption-N.json: why a judge outside of any run gave no verdict, and what that cost. */
export const ApprovalInterruption = z.strictObject({
  approval_id: z.string(),
  approval_type: z.string(),
  timestamp: z.iso.datetime(),
  failure: FailureClass,
  message: z.string(),
  agent: z.string(),
  model: z.string().optional(),
  simulated: z.boolean(),
  cost: Cost.optional(),
  duration_seconds: z.number().nonnegative(),
  until: z.string().optional(),
});
export type ApprovalInterruption = z.infer<typeof ApprovalInterruption>;
