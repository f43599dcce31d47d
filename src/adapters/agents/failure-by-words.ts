import type { FailureClass } from '../../domain/verdict.ts';

/** Agents that report failures as text alone; the first pattern that fits is the class. */
const CLASSES: readonly (readonly [RegExp, FailureClass])[] = [
  [/\b401\b|not logged in|refresh token|log in again|authentication required|access token could not/i, 'auth'],
  [/quota exceeded|billing|payment required|\b402\b|credit balance|insufficient_quota/i, 'billing'],
  [/usage limit|\b429\b|rate.?limit/i, 'rate_limit'],
  [/\b403\b/, 'auth'],
  [/context[ _]?(window|length)|too long|exceeds the maximum/i, 'context_too_long'],
  [/model.{0,80}(not exist|not found|not supported|unknown)|model_not_found/i, 'model_unavailable'],
  [/high demand|at capacity|overloaded|\b5\d\d\b|server had an error|internal server error/i, 'overloaded'],
  [/max_output_tokens|output token/i, 'output_limit'],
  [/content_filter|content policy|safeguards|refus(al|ed to)/i, 'refusal'],
  [/stream disconnected|error sending request|timed? ?out|connection|lookup address|ECONN|ENOTFOUND/i, 'network'],
];

/** Why an agent failed, by the words it has for it. */
export function failureByWords(message: string): FailureClass {
  return CLASSES.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown';
}
