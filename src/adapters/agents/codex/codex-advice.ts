import type { FailureClass } from '../../../domain/verdict.ts';
import { SHARED_ADVICE, TRY_AGAIN } from '../agent-texts.ts';

const ADVICE: Partial<Record<FailureClass, string>> = {
  ...SHARED_ADVICE,
  auth: `Log in again with \`codex login\`, or set CODEX_API_KEY; then ${TRY_AGAIN}`,
  context_too_long: 'Give the phase less to read or split it in the plan, and go on with helix resume --replan',
};

/** What a user can do about a failure. */
export function codexAdvice(failure: FailureClass): string {
  const advice = ADVICE[failure];
  return advice === undefined ? '' : `. ${advice}`;
}
