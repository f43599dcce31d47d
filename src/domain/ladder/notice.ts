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
  question: z.string(),
  options: z.array(Option.pick({ id: true, description: true, effort: true, recommended: true })),
  askedAt: z.string(),
  deadline: z.string().optional(),
  analysis: Analysis.optional(),
  /** The command that answers it. */
  answer: z.string(),
  /** All of it as one text, in the form that Slack and its like show. */
  text: z.string(),
});
export type NoticeDocument = z.infer<typeof NoticeDocument>;
