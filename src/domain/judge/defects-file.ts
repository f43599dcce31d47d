import { z } from 'zod';

/** One way to plant a defect: what is looked for in a document, and what it becomes. */
export const DefectEntry = z.strictObject({
  id: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/),
  /** The check that should notice it. */
  check: z.string().min(1).max(64),
  about: z.string().min(1).max(500),
  /** An RE2 expression, in which upper and lower case are the same, ^ and $ stand at lines, and . is every character. */
  find: z.string().min(1).max(2000),
  /** What each match becomes; $1 is what the first group matched, $$ a dollar. */
  replace: z.string().max(10_000),
});
export type DefectEntry = z.infer<typeof DefectEntry>;

/** approvals/<type>/defects.yaml. */
export const DefectsFile = z.strictObject({ defects: z.array(DefectEntry).max(500) });
