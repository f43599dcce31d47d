import { z } from 'zod';
import { Limits } from './limits.ts';

/** How well this machine can wall programs in: `strict` prevents, `basic` detects and limits, `none` does neither. */
export const Sandbox = z.strictObject({
  level: z.enum(['strict', 'basic', 'none']),
  why: z.string(),
  /** What each program behind the walls is limited to; only `strict` limits. */
  limits: Limits.optional(),
});
export type Sandbox = z.infer<typeof Sandbox>;
