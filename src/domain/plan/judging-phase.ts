import type { Phase } from './plan.ts';

type Kind = Pick<Phase, 'type'>;

/** Tells whether a phase reads the work of others and approves or rejects it. */
export function isReview({ type }: Kind): boolean {
  return type === 'review';
}

/** Tells whether a phase judges the work of others and makes none of its own. */
export function isJudge(phase: Kind): boolean {
  return phase.type === 'approval' || isReview(phase);
}
