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
