import { HelixError } from '../../domain/helix-error.ts';
import type { FailureClass } from '../../domain/verdict.ts';

/** The class of what a workspace threw, undefined for what is not an attempt's own trouble. */
export function failureOf(error: unknown): FailureClass | undefined {
  if (!(error instanceof HelixError)) return undefined;
  if (error.code === 'setup') return 'setup';
  if (error.code === 'stopped') return 'cancelled';
  return error.code === 'io' ? 'workspace' : undefined;
}

/** What happened and what to do, in one text. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof HelixError) || error.hint === undefined) return (error as Error).message;
  return `${error.message} (${error.hint})`;
}
