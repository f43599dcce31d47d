import type { Role } from '../../../domain/plan/driver.ts';
import type { FailureClass } from '../../../domain/verdict.ts';
import { listOf, textOf } from '../../../text/agent-words/fields.ts';
import { SHARED_ADVICE, TRY_AGAIN } from '../agent-texts.ts';
import type { ClaudeResult, ClaudeStream } from './claude-stream.ts';

const SUBTYPES: ReadonlyMap<string, FailureClass> = new Map([
  ['error_max_turns', 'max_turns'],
  ['error_max_budget_usd', 'budget'],
  ['error_max_structured_output_retries', 'schema'],
]);

const REASONS: ReadonlyMap<string, FailureClass> = new Map([
  ['prompt_too_long', 'context_too_long'],
  ['blocking_limit', 'context_too_long'],
  ['max_output_tokens', 'output_limit'],
  ['connection_failed', 'network'],
]);

const ERRORS: ReadonlyMap<string, FailureClass> = new Map([
  ['billing_error', 'billing'],
  ['model_not_found', 'model_unavailable'],
  ['authentication_failed', 'auth'],
  ['max_output_tokens', 'output_limit'],
]);

const STATUSES: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'auth'],
  [402, 'billing'],
  [403, 'auth'],
  [404, 'model_unavailable'],
  [413, 'context_too_long'],
  [429, 'rate_limit'],
  [500, 'overloaded'],
  [502, 'overloaded'],
  [503, 'overloaded'],
  [504, 'overloaded'],
  [529, 'overloaded'],
]);

/** A server that was never heard has no status. */
const WITHOUT_STATUS: ReadonlyMap<string, FailureClass> = new Map([
  ['rate_limit', 'rate_limit'],
  ['server_error', 'network'],
]);

/** Why a turn with a result did not succeed; neither the subtype nor the exit code alone tells the truth. */
export function failureClass(result: ClaudeResult, stream: Pick<ClaudeStream, 'error'>): FailureClass {
  const bySubtype = SUBTYPES.get(textOf(result.subtype) ?? '');
  if (bySubtype !== undefined) return bySubtype;
  if (textOf(result.startup_failure_reason) !== undefined) return 'spawn';
  if (result.stop_reason === 'refusal') return 'refusal';
  const reason = textOf(result.terminal_reason) ?? '';
  if (reason.startsWith('aborted')) return 'cancelled';
  const byReason = REASONS.get(reason) ?? REASONS.get(textOf(result.api_error) ?? '');
  if (byReason !== undefined) return byReason;
  const byError = ERRORS.get(stream.error ?? '');
  if (byError !== undefined) return byError;
  return STATUSES.get(Number(result.api_error_status)) ?? WITHOUT_STATUS.get(stream.error ?? '') ?? 'unknown';
}

/** What the program itself says about it. */
export function resultText(result: ClaudeResult): string {
  return textOf(result.result) || listOf(result.errors).map(String).join('; ') || textOf(result.subtype) || '';
}

const ADVICE: Partial<Record<FailureClass, string>> = {
  ...SHARED_ADVICE,
  auth: `Log in again with \`claude\`, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN; then ${TRY_AGAIN}`,
  context_too_long: 'Give the phase less to read, or split it',
  max_turns: 'Split the phase into smaller ones',
};

/** What a user can do about a failure of work they planned. */
export function adviceFor(failure: FailureClass, role: Role): string {
  const advice = role === 'creator' || failure === 'auth' || failure === 'billing' ? ADVICE[failure] : undefined;
  return advice === undefined ? '' : `. ${advice}`;
}
