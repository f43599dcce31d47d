import { posix } from 'node:path';
import { z } from 'zod';
import { type Finding, hasError } from '../../domain/finding.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Tree } from '../../ports/tree.ts';

const LIMIT = 1024 * 1024;

const Remark = z.union([
  z.string(),
  z.looseObject({
    severity: z.string().optional(),
    message: z.string(),
    check: z.string().optional(),
    file: z.string().optional(),
    line: z.number().optional(),
  }),
]);
const ReviewFile = z.looseObject({
  approved: z.boolean(),
  findings: z.array(Remark).optional(),
  issues: z.array(Remark).optional(),
  comments: z.array(Remark).optional(),
  suggestions: z.array(z.unknown()).optional(),
});

/** What a reviewer answers who writes no file itself. */
export const ReviewAnswer = z.strictObject({
  approved: z.boolean(),
  findings: z
    .array(
      z.strictObject({
        severity: z.enum(['error', 'warning', 'info']),
        message: z.string().min(1).max(4000),
        file: z.string().max(1000).optional(),
        line: z.int().positive().optional(),
      }),
    )
    .max(200),
  suggestions: z.array(z.string().max(2000)).max(50),
});

/** What a review says of the work. */
export type Review = {
  readonly approved: boolean;
  readonly findings: readonly Finding[];
  /** It does not approve, or names an error. */
  readonly rejects: boolean;
};

/** Where the gate `review_approved` looks for the review of a phase. */
export function reviewPath(file: unknown, { output }: Pick<Phase, 'output'>): string {
  return posix.normalize(typeof file === 'string' ? file : posix.join(output.directory, 'review.json'));
}

/** All reviews that a phase is asked for. */
export function reviewPaths(phase: Pick<Phase, 'output' | 'gates'>): string[] {
  const gates = phase.gates.filter(({ type }: Gate) => type === 'review_approved');
  return [...new Set(gates.map(({ settings }) => reviewPath(settings.file, phase)))];
}

/** Reads a review, or says why nobody can. */
export async function readReview(
  tree: Pick<Tree, 'read'>,
  path: string,
): Promise<Review | { readonly unreadable: string }> {
  const bytes = await tree.read(path, LIMIT + 1);
  if (bytes === undefined) return { unreadable: `${path} is missing` };
  if (bytes.length > LIMIT) return { unreadable: `${path} is larger than 1 MB` };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    return { unreadable: `${path} is not JSON: ${(cause as Error).message}` };
  }
  const review = ReviewFile.safeParse(value);
  if (review.success) return reviewOf(review.data);
  const issues = review.error.issues.map((issue) => `${issue.path.join('.') || 'the document'}: ${issue.message}`);
  return { unreadable: `${path} is not a review: ${issues.join('; ')}` };
}

function reviewOf(review: z.infer<typeof ReviewFile>): Review {
  const { approved, findings = [], issues = [], comments = [], suggestions = [] } = review;
  const found = [
    ...[...findings, ...issues].map((remark) => finding(remark, 'error')),
    ...comments.map((remark) => finding(remark, 'info')),
    ...suggestions.map(recommendation).filter(({ message }) => message.trim() !== ''),
  ];
  return { approved, findings: found, rejects: !approved || hasError(found) };
}

/** Blocks nothing, whatever severity it claims, and is kept in whatever shape it has. */
function recommendation(said: unknown): Finding {
  const remark = Remark.safeParse(said);
  const told = finding(remark.success ? remark.data : JSON.stringify(said), 'info');
  return { ...told, severity: 'info', check: 'recommendation' };
}

/** A severity nobody knows counts as an error: what is unclear is not approved. */
function finding(remark: z.infer<typeof Remark>, plain: 'error' | 'info'): Finding {
  if (typeof remark === 'string') return { severity: plain, check: 'review_approved', message: remark };
  const { severity = plain, message, check = 'review_approved', file, line } = remark;
  const known = /^(error|warning|info)$/i.test(severity) ? (severity.toLowerCase() as Finding['severity']) : undefined;
  const mild = /^(low|minor|note|suggestion|nit)$/i.test(severity) ? 'info' : 'error';
  const location = {
    ...present({ file }),
    ...(line !== undefined && line >= 1 && Number.isSafeInteger(Math.trunc(line)) && { line: Math.trunc(line) }),
  };
  return {
    severity: known ?? (/^(medium|moderate)$/i.test(severity) ? 'warning' : mild),
    check,
    message,
    ...(Object.keys(location).length > 0 && { location }),
  };
}
