import type { FailureClass } from '../../../domain/verdict.ts';
import { TRY_AGAIN } from '../agent-texts.ts';

const ADVICE: Partial<Record<FailureClass, string>> = {
  auth: `Log in again with \`codex login\`, or set CODEX_API_KEY; then ${TRY_AGAIN}`,
  billing: `See to the account that pays for it; then ${TRY_AGAIN}`,
  model_unavailable: 'Name another model for the phase in the plan, and go on with helix resume --replan',
  context_too_long: 'Give the phase less to read or split it in the plan, and go on with helix resume --replan',
};

/** What a user can do about a failure. */
export function codexAdvice(failure: FailureClass): string {
  const advice = ADVICE[failure];
  return advice === undefined ? '' : `. ${advice}`;
}
