import { z } from 'zod';

/** The front matter of approvals/<type>/checks/<id>.md. */
export const CheckHeader = z.strictObject({
  /** What may be answered `not_applicable`, in short phrases; without any, nothing. */
  not_applicable: z.array(z.string().min(1).max(200)).max(20).optional(),
});
