import { z } from 'zod';
import { FailureClass } from '../verdict.ts';

/** What an attempt cost; an unknown amount is absent, never 0. */
export const Cost = z.strictObject({
  usd: z.number().nonnegative().optional(),
  basis: z.enum(['reported', 'estimated', 'unknown', 'simulated']),
  tokens: z.int().nonnegative().optional(),
  /** What the same work would have cost by the token; a subscription pays for it. */
  equivalent: z.boolean().optional(),
});
export type Cost = z.infer<typeof Cost>;

/** The attempt a fact is about. */
export const attempt = { phase: z.string(), attempt: z.int().positive() };
/** Who worked. */
export const worker = { model: z.string().optional(), version: z.string().optional() };
/** Why something was cut short. */
export const cut = { failure: FailureClass, message: z.string() };
/** What is kept for an agent until it has ended. */
export const reserved = {
  /** Dollars that are kept for it until it has ended. */
  reserved: z.number().nonnegative().optional(),
  /** Milliseconds of agent time that are kept for it until it has ended. */
  reservedMs: z.int().nonnegative().optional(),
};
