import { z } from 'zod';

/** A place in a file; lines and columns count from 1. */
export const Location = z.strictObject({
  file: z.string().optional(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
});
export type Location = z.infer<typeof Location>;

/** One thing a check noticed. */
export const Finding = z.strictObject({
  severity: z.enum(['error', 'warning', 'info']),
  check: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  location: Location.optional(),
  /** The end of what the command said, in lines, where the message does not hold all of it. */
  output: z.string().optional(),
  /** The words of the work that a judge goes by. */
  evidence: z.string().optional(),
  /** Names the finding over attempts, wherever it moves to. */
  fingerprint: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;

/** Tells whether any of the findings is an error. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}
