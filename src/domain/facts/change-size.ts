import { z } from 'zod';

/** How much a change changes: files, and lines added and removed. */
export const Size = z.strictObject({ files: z.int().nonnegative(), lines: z.int().nonnegative() });
export type Size = z.infer<typeof Size>;

/** Where an agent says that a request is too large for one change. */
export const SPLIT_FILE = 'helix-split.json';

const Line = z.string().trim().min(1).max(500);

/** What an agent writes there: why, and the parts it would cut the request into, the first of them to be done now. */
export const SplitProposal = z.strictObject({ reason: Line, parts: z.array(Line).min(2).max(10) });
export type SplitProposal = z.infer<typeof SplitProposal>;

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
