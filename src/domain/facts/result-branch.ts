import { z } from 'zod';

/** A file that was accepted and is kept off the result branch, and the phase that changed it last. */
export const KeptFile = z.strictObject({ path: z.string(), phase: z.string() });
export type KeptFile = z.infer<typeof KeptFile>;

/** What of accepted work is on the result branch, where that is not all of it. */
export const Published = z.strictObject({
  /** Absent where nothing has come to be on it yet. */
  commit: z.string().optional(),
  tree: z.string(),
  keptOut: z.array(KeptFile),
});
export type Published = z.infer<typeof Published>;

/** Where a run in a repository starts, and the branch its accepted work goes to. */
export const RunBase = z.strictObject({
  /** Absent in a repository without a commit. */
  commit: z.string().optional(),
  tree: z.string(),
  branch: z.string(),
  /** It holds what the user had not committed. */
  dirty: z.boolean().optional(),
  /** Of work taken over from another run: what of it was on that run's branch, and the tree that run began with. */
  published: Published.optional(),
  origin: z.string().optional(),
});
export type RunBase = z.infer<typeof RunBase>;
