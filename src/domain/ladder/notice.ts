import { z } from 'zod';
import { Analysis, Option } from '../facts/consultation.ts';

/** What people are told of a question, wherever they are. */
export const NoticeDocument = z.strictObject({
  schema: z.literal('helix.notice/1'),
  run: z.string(),
  /** Names the question: the same one may arrive twice, and counts once. */
  request: z.string(),
  project: z.string(),
  phase: z.string(),
  /** Why it is asked, as a sentence. */
  reason: z.string().optional(),
  /** The first thing that is wrong, with its place and the last lines of what was printed. */
  fails: z.strictObject({ check: z.string(), place: z.string().optional(), message: z.string() }).optional(),
  /** What the user asked for, and of the phase. */
  asked_for: z.string().optional(),
  task: z.string().optional(),
  left: z.string().optional(),
  question: z.string(),
  options: z.array(
    Option.pick({ id: true, description: true, effort: true, recommended: true }).extend({
      /** What choosing it will do. */
      effect: z.string().optional(),
    }),
  ),
  askedAt: z.string(),
  deadline: z.string().optional(),
  analysis: Analysis.optional(),
  /** The command that answers it. */
  answer: z.string(),
  /** All of it as one text, in the form that Slack and its like show. */
  text: z.string(),
});
export type NoticeDocument = z.infer<typeof NoticeDocument>;
