import { z } from 'zod';

/** What a run showed that turned out too large for one change; for those who plan what it was to do. */
export const Learned = z.strictObject({
  run: z.string(),
  /** Why it was too large. */
  because: z.string(),
  /** How its agent would cut the request. */
  parts: z.array(z.string()),
  /** What was found wrong with its work. */
  findings: z.array(z.string()),
  /** What it had changed, as a patch of bounded length. */
  difference: z.string(),
});
export type Learned = z.infer<typeof Learned>;
