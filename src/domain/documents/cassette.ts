import { z } from 'zod';
import { Cost } from '../facts/run-event.ts';
import { FailureClass } from '../verdict.ts';

const file = { path: z.string(), before: z.string().optional() };

/** What an attempt did to a file; `before` is the sha256 of what was there, absent for a new one. */
export const CassetteFile = z.union([
  z.strictObject({ ...file, text: z.string(), executable: z.boolean().optional() }),
  z.strictObject({ ...file, base64: z.base64(), executable: z.boolean().optional() }),
  z.strictObject({ ...file, deleted: z.literal(true) }),
]);
export type CassetteFile = z.infer<typeof CassetteFile>;

/** One attempt, recorded so that it can be played again. */
export const Cassette = z.strictObject({
  schema: z.literal('helix.cassette/1'),
  phase: z.string(),
  attempt: z.int().positive(),
  /** How many tries at the phase had ended by themselves before. */
  turn: z.int().nonnegative(),
  driver: z.string(),
  model: z.string().optional(),
  version: z.string().optional(),
  brief: z.strictObject({ sha256: z.string(), text: z.string() }),
  inputs: z.array(z.strictObject({ path: z.string(), digest: z.string() })),
  /** What the agent said, as people saw it. */
  said: z.array(z.string()),
  files: z.array(CassetteFile),
  end: z.union([
    z.strictObject({ kind: z.literal('done') }),
    z.strictObject({ kind: z.literal('interrupted'), failure: FailureClass, message: z.string() }),
  ]),
  cost: Cost.optional(),
  /** Why it cannot be played. */
  incomplete: z.string().optional(),
});
export type Cassette = z.infer<typeof Cassette>;
