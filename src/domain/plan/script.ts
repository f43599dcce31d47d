import { z } from 'zod';
import { APPROVAL_TYPE } from '../judge/approval-type.ts';
import { FailureClass } from '../verdict.ts';

/** One thing the scripted agent does when it is its turn. */
export const Move = z.strictObject({
  writes: z.record(z.string(), z.string()).optional(),
  deletes: z.array(z.string()).optional(),
  prints: z.union([z.string(), z.array(z.string())]).optional(),
  sleep: z.number().nonnegative().max(86_400).optional(),
  forks: z.int().min(0).max(64).optional(),
  floods: z.int().min(0).optional(),
  answer: z.unknown().optional(),
  result: z.union([z.literal('ok'), FailureClass]).optional(),
  cost: z.number().nonnegative().optional(),
});
export type Move = z.infer<typeof Move>;

const Moves = z.array(Move).min(1);

/** scripted.yaml: the words and deeds of the scripted agent, per phase, per type of approval and per role. */
export const Script = z.strictObject({
  phases: z.record(z.string(), Moves).optional(),
  approvals: z.record(z.string().regex(APPROVAL_TYPE), Moves).optional(),
  roles: z
    .strictObject({
      reviewer: Moves.optional(),
      verifier: Moves.optional(),
      consultant: Moves.optional(),
      /** Of a meeting: its experts one after the other, who has questions, and who says by what the work is judged. */
      expert: Moves.optional(),
      questions: Moves.optional(),
      criteria: Moves.optional(),
    })
    .optional(),
});
export type Script = z.infer<typeof Script>;
