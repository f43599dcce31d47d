import type { FailureClass } from '../../../domain/verdict.ts';

/** The program reports all failures as text; the first pattern that fits is the class. */
const CLASSES: readonly (readonly [RegExp, FailureClass])[] = [
  [/\b401\b|not logged in|refresh token|log in again|access token could not be refreshed/i, 'auth'],
  [/quota exceeded|billing|payment required|\b402\b|insufficient_quota/i, 'billing'],
  [/usage limit|\b429\b|rate.?limit/i, 'rate_limit'],
  [/\b403\b/, 'auth'],
  [/context[ _]?(window|length)|too long|exceeds the maximum/i, 'context_too_long'],
  [/model.{0,80}(does not exist|not found|not supported|unknown)|model_not_found/i, 'model_unavailable'],
  [/high demand|at capacity|overloaded|\b5\d\d\b|server had an error|internal server error/i, 'overloaded'],
  [/max_output_tokens|incomplete response/i, 'output_limit'],
  [/content_filter|content policy|cyber|safety|refus/i, 'refusal'],
  [/stream disconnected|error sending request|timed? ?out|connection|idle timeout|lookup address/i, 'network'],
];

/** Why a turn failed, by the words the program has for it. */
export function codexFailure(message: string): FailureClass {
  return CLASSES.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown';
}

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
