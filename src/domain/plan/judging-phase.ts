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

const SCRATCH: ReadonlySet<Phase['type']> = new Set(['meeting', 'planning', 'review']);

/** Tells whether what a phase writes is about the work and no part of it, so that it stays off the result branch. */
export function isScratch({ type }: Kind): boolean {
  return SCRATCH.has(type);
}
