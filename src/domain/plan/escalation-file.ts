import { z } from 'zod';
import { CONSULTANT_ACTIONS } from './escalation-settings.ts';

/** What the lists of actions know, by level. */
export const LEVEL_ACTIONS = {
  stufe_1: [...CONSULTANT_ACTIONS, 'switch_model', 'revert'],
  stufe_2: ['notify', 'ask'],
} as const;

/** How often a pattern, a model or a channel may be named. */
const MOST = 100;

/** A name that a program cannot take for an option. */
const Name = z.string().regex(/^[^\s\p{C}-][^\s\p{C}]{0,199}$/u);

const level = { name: z.string().optional(), description: z.string().optional() };

const Consultant = z.strictObject({
  ...level,
  actions: z
    .array(z.strictObject({ type: z.enum(LEVEL_ACTIONS.stufe_1), models: z.array(Name).max(MOST).optional() }))
    .max(MOST)
    .optional(),
  /** Attempts with what the consultant changed; 0: there is no consultant. */
  max_attempts: z.int().min(0).max(100).optional(),
});

const Human = z.strictObject({
  ...level,
  actions: z
    .array(z.strictObject({ type: z.enum(LEVEL_ACTIONS.stufe_2), channels: z.array(Name).max(MOST).optional() }))
    .max(MOST)
    .optional(),
  /** So long an answer is waited for before `on_timeout` is done. */
  wait_timeout_hours: z.number().positive().max(8760).optional(),
  on_timeout: z.enum(['retry', 'abort', 'wait']).optional(),
});

/** config/escalation.yaml: what happens when a gate keeps failing. */
export const EscalationFile = z.strictObject({
  escalation: z
    .strictObject({
      /** Attempts before the consultant, where no gate, phase or plan says how many. */
      max_retries_per_level: z.int().min(1).max(100).optional(),
      /** Minutes an attempt may take, where its phase has no timeout. */
      attempt_timeout: z.number().positive().max(10_080).optional(),
      levels: z
        .strictObject({
          stufe_1: Consultant.optional(),
          stufe_2: Human.optional(),
          'stufe-1': Consultant.optional(),
          'stufe-2': Human.optional(),
        })
        .optional(),
    })
    .optional(),
  error_patterns: z
    .array(
      z.strictObject({
        /** RE2, sought in the check and message of every error. */
        pattern: z.string().min(1).max(500),
        level: z.enum(['stufe_1', 'stufe_2', 'stufe-1', 'stufe-2', 'retry']).optional(),
        action: z.enum(['escalate', 'abort']).optional(),
      }),
    )
    .max(MOST)
    .optional(),
});
export type EscalationFile = z.infer<typeof EscalationFile>;
