import { z } from 'zod';

/** How well this machine can wall programs in: `strict` prevents, `basic` detects and limits, `none` does neither. */
export const Sandbox = z.strictObject({ level: z.enum(['strict', 'basic', 'none']), why: z.string() });
export type Sandbox = z.infer<typeof Sandbox>;
