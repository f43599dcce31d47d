import { z } from 'zod';

/** What a verdict turned out to be: an objection to work that was right, or an approval of work that was not. */
export const MARKS = ['false-positive', 'missed'] as const;

/** What people found out later about a verdict. */
export const ApprovalMark = z.strictObject({
  approval: z.string().min(1).max(200),
  as: z.enum(MARKS),
  note: z.string().min(1).max(2000).optional(),
});
export type ApprovalMark = z.infer<typeof ApprovalMark>;

/** mark.json beside an approval outside of any run. */
export const KeptMark = z.strictObject({ ...ApprovalMark.shape, actor: z.string(), timestamp: z.string() });
export type KeptMark = z.infer<typeof KeptMark>;
