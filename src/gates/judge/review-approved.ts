import { type Finding, hasError } from '../../domain/finding.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { defineGate } from '../gate/define-gate.ts';
import { readReview, reviewPath } from './review.ts';

/** Passes when the review of this attempt says `approved: true` and names no error. */
export const reviewApproved = defineGate({
  type: 'review_approved',
  settings: GATE_SETTINGS.review_approved,
  fresh: ({ file }, phase) => [reviewPath(file, phase)],
  judge: async ({ file }, { tree, phase }) => {
    const path = reviewPath(file, phase);
    const review = await readReview(tree, path);
    if ('unreadable' in review) return reject([error(path, review.unreadable)]);
    const { approved, findings, rejects } = review;
    // Where there is room for one finding it has to be a reason.
    const found =
      approved || hasError(findings) ? [...findings] : [error(path, 'the review does not approve'), ...findings];
    return rejects ? reject(found) : ({ kind: 'judged', outcome: 'pass', findings: found } as const);
  },
});

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
