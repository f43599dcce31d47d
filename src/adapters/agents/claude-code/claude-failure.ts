import type { FailureClass } from '../../../domain/verdict.ts';
import { listOf, textOf } from '../../../text/agent-words/fields.ts';
import type { ClaudeResult, ClaudeStream } from './claude-stream.ts';

const SUBTYPES: Readonly<Record<string, FailureClass>> = {
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget',
  error_max_structured_output_retries: 'schema',
};

const REASONS: Readonly<Record<string, FailureClass>> = {
  prompt_too_long: 'context_too_long',
  blocking_limit: 'context_too_long',
  max_output_tokens: 'output_limit',
  connection_failed: 'network',
};

const ERRORS: Readonly<Record<string, FailureClass>> = {
  billing_error: 'billing',
  model_not_found: 'model_unavailable',
  authentication_failed: 'auth',
  max_output_tokens: 'output_limit',
};

const STATUSES: Readonly<Record<number, FailureClass>> = {
  401: 'auth',
  403: 'auth',
  404: 'model_unavailable',
  429: 'rate_limit',
  500: 'overloaded',
  502: 'overloaded',
  503: 'overloaded',
  504: 'overloaded',
  529: 'overloaded',
};

/** A server that was never heard has no status. */
const WITHOUT_STATUS: Readonly<Record<string, FailureClass>> = { rate_limit: 'rate_limit', server_error: 'network' };

/** Why a turn with a result did not succeed; neither the subtype nor the exit code alone tells the truth. */
export function failureClass(result: ClaudeResult, stream: Pick<ClaudeStream, 'error'>): FailureClass {
  const bySubtype = SUBTYPES[textOf(result.subtype) ?? ''];
  if (bySubtype !== undefined) return bySubtype;
  if (textOf(result.startup_failure_reason) !== undefined) return 'spawn';
  if (result.stop_reason === 'refusal') return 'refusal';
  const reason = textOf(result.terminal_reason) ?? '';
  if (reason.startsWith('aborted')) return 'cancelled';
  const byReason = REASONS[reason] ?? REASONS[textOf(result.api_error) ?? ''];
  if (byReason !== undefined) return byReason;
  const byError = ERRORS[stream.error ?? ''];
  if (byError !== undefined) return byError;
  return STATUSES[Number(result.api_error_status)] ?? WITHOUT_STATUS[stream.error ?? ''] ?? 'unknown';
}

/** What the program itself says about it. */
export function resultText(result: ClaudeResult): string {
  return textOf(result.result) || listOf(result.errors).map(String).join('; ') || textOf(result.subtype) || '';
}

const ADVICE: Partial<Record<FailureClass, string>> = {
  auth: 'Log in again with `claude`, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN; then go on with helix resume',
  billing: 'See to the account that pays for it, then go on with helix resume',
  model_unavailable: 'Name another model in the plan or helix.yaml and go on with helix resume --replan',
  context_too_long: 'Give the phase less to read, or split it',
  max_turns: 'Split the phase, or allow more with config.max_iterations',
};

/** What a user can do about a failure. */
export function adviceFor(failure: FailureClass): string {
  const advice = ADVICE[failure];
  return advice === undefined ? '' : `. ${advice}`;
}
