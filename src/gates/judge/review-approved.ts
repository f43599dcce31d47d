import { posix } from 'node:path';
import { z } from 'zod';
import type { Finding } from '../../domain/finding.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { defineGate } from '../gate/define-gate.ts';

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
const Review = z.looseObject({
  approved: z.boolean(),
  findings: z.array(Remark).optional(),
  issues: z.array(Remark).optional(),
  comments: z.array(Remark).optional(),
  suggestions: z.array(z.unknown()).optional(),
});

function reviewPath(file: string | undefined, phase: Phase): string {
  return posix.normalize(file ?? posix.join(phase.output.directory, 'review.json'));
}

/** Passes when the review of this attempt says `approved: true` and names no error. */
export const reviewApproved = defineGate({
  type: 'review_approved',
  settings: GATE_SETTINGS.review_approved,
  fresh: ({ file }, phase) => [reviewPath(file, phase)],
  judge: async ({ file }, { tree, phase }) => {
    const path = reviewPath(file, phase);
    const bytes = await tree.read(path, LIMIT + 1);
    if (bytes === undefined) return reject([error(path, `${path} is missing`)]);
    if (bytes.length > LIMIT) return reject([error(path, `${path} is larger than 1 MB`)]);
    return judgeText(path, bytes.toString('utf8'));
  },
});

function judgeText(path: string, text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return reject([error(path, `${path} is not JSON: ${(cause as Error).message}`)]);
  }
  const review = Review.safeParse(value);
  if (!review.success) {
    const issues = review.error.issues.map((issue) => `${issue.path.join('.') || 'the document'}: ${issue.message}`);
    return reject([error(path, `${path} is not a review: ${issues.join('; ')}`)]);
  }
  const { approved, findings = [], issues = [], comments = [] } = review.data;
  const found = [
    ...[...findings, ...issues].map((remark) => finding(remark, 'error')),
    ...comments.map((remark) => finding(remark, 'info')),
  ];
  if (!approved) found.unshift(error(path, 'the review does not approve'));
  const bad = found.some(({ severity }) => severity === 'error');
  return { kind: 'judged', outcome: bad ? 'reject' : 'pass', findings: found } as const;
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

function error(file: string, message: string): Finding {
  return {
    severity: 'error',
    check: 'review_approved',
    message,
    hint: 'Write {"approved": true|false, "findings": [{"severity", "message"}]} in this attempt.',
    location: { file },
  };
}

function reject(findings: Finding[]) {
  return { kind: 'judged', outcome: 'reject', findings } as const;
}
