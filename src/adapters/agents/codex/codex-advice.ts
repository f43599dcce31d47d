import type { FailureClass } from '../../../domain/verdict.ts';

const ADVICE: Partial<Record<FailureClass, string>> = {
  auth: 'Log in again with `codex login`, or set CODEX_API_KEY; then go on with helix resume',
  billing: 'See to the account that pays for it, then go on with helix resume',
  model_unavailable: 'Name another model in the plan or helix.yaml and go on with helix resume --replan',
  context_too_long: 'Give the phase less to read, or split it',
};

/** What a user can do about a failure. */
export function codexAdvice(failure: FailureClass): string {
  const advice = ADVICE[failure];
  return advice === undefined ? '' : `. ${advice}`;
}
