import { z } from 'zod';

/** What a consultant may do by itself. */
export const CONSULTANT_ACTIONS = ['model_switch', 'plan_revert', 'hints', 'spec_updates', 'skills'] as const;

/** Where findings that match a pattern lead at once. */
export const ErrorPattern = z.strictObject({
  /** RE2, sought in the check and message of every error. */
  pattern: z.string(),
  level: z.enum(['retry', 'stufe-1', 'stufe-2']),
  /** `abort` ends the run; else the level decides. */
  action: z.enum(['escalate', 'abort']).optional(),
});
export type ErrorPattern = z.infer<typeof ErrorPattern>;

/** How a run climbs its ladder, from config/escalation.yaml; gates say the rest. */
export const EscalationSettings = z.strictObject({
  consultant: z.strictObject({
    /** How many attempts its decision is given; 0: there is no consultant; absent: as many as the gate has. */
    attempts: z.int().nonnegative().optional(),
    actions: z.array(z.enum(CONSULTANT_ACTIONS)),
    /** The models and agents it may switch to. */
    models: z.array(z.string()),
  }),
  human: z.strictObject({
    /** After so many hours `onTimeout` is done. */
    waitHours: z.number().positive().optional(),
    onTimeout: z.enum(['retry', 'abort', 'wait']),
  }),
  errorPatterns: z.array(ErrorPattern),
});
export type EscalationSettings = z.infer<typeof EscalationSettings>;

/** How runs climb whose journal does not say. */
export const DEFAULT_ESCALATION: EscalationSettings = {
  consultant: { actions: [...CONSULTANT_ACTIONS], models: [] },
  human: { onTimeout: 'wait' },
  errorPatterns: [],
};
