import { describe, expect, it } from 'vitest';
import { type FailureClass, failurePolicy } from '../../../domain/verdict.ts';
import { adviceFor, failureClass, resultText } from './claude-failure.ts';

/** Measured with Claude Code 2.1.325; what is common to them is left out. */
const FAILED = { subtype: 'success', is_error: true, terminal_reason: 'api_error' };

describe('why a turn with a result did not succeed', () => {
  it.each<[what: string, result: object, error: string | undefined, is: FailureClass]>([
    ['too many turns', { subtype: 'error_max_turns', terminal_reason: 'max_turns' }, undefined, 'max_turns'],
    ['its own budget', { subtype: 'error_max_budget_usd', terminal_reason: 'budget_exhausted' }, undefined, 'budget'],
    ['wrong answers only', { subtype: 'error_max_structured_output_retries' }, undefined, 'schema'],
    ['a refusal', { stop_reason: 'refusal', api_error_status: null }, 'invalid_request', 'refusal'],
    ['too long', { terminal_reason: 'prompt_too_long', api_error_status: 400 }, 'invalid_request', 'context_too_long'],
    ['far too long', { terminal_reason: 'blocking_limit' }, undefined, 'context_too_long'],
    [
      'tools broken off',
      { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' },
      undefined,
      'cancelled',
    ],
    ['words broken off', { terminal_reason: 'aborted_streaming' }, undefined, 'cancelled'],
    ['an answer too long', { api_error: 'max_output_tokens' }, 'max_output_tokens', 'output_limit'],
    ['an answer too long, in other words', { terminal_reason: 'max_output_tokens' }, undefined, 'output_limit'],
    ['a broken connection', { api_error: 'connection_failed', api_error_status: null }, 'server_error', 'network'],
    ['no answer in time', { api_error_status: null }, 'server_error', 'network'],
    ['no money', { api_error_status: 400 }, 'billing_error', 'billing'],
    ['no such model', { api_error_status: 404 }, 'model_not_found', 'model_unavailable'],
    ['nobody logged in', { api_error_status: null }, 'authentication_failed', 'auth'],
    ['a wrong key', { api_error_status: 401 }, 'authentication_failed', 'auth'],
    ['a wrong key, told by its status only', { api_error_status: 401 }, undefined, 'auth'],
    ['a login withdrawn', { api_error_status: 403 }, undefined, 'auth'],
    ['too fast', { api_error_status: 429 }, 'rate_limit', 'rate_limit'],
    ['too fast, told by its error only', { api_error_status: null }, 'rate_limit', 'rate_limit'],
    ['a quota used up', { api_error_status: 429, api_error: 'usage_limit_reached' }, 'rate_limit', 'rate_limit'],
    ...[500, 502, 503, 504, 529].map(
      (status) =>
        [`status ${status}`, { api_error_status: status }, 'server_error', 'overloaded'] satisfies [
          string,
          object,
          string,
          FailureClass,
        ],
    ),
    [
      'no walls for its shell',
      {
        subtype: 'error_during_execution',
        terminal_reason: null,
        startup_failure_reason: 'sandbox_required_unavailable',
      },
      undefined,
      'spawn',
    ],
    ['a status nobody knows', { api_error_status: 418 }, undefined, 'unknown'],
    ['nothing known', {}, undefined, 'unknown'],
    ['what every object has', { subtype: 'constructor', terminal_reason: 'toString' }, 'valueOf', 'unknown'],
    ['a bill nobody pays', { api_error_status: 402 }, undefined, 'billing'],
    ['a request that is too large', { api_error_status: 413 }, undefined, 'context_too_long'],
    [
      'values of other types',
      { subtype: 3, terminal_reason: [], api_error: {}, api_error_status: 'x' },
      'x',
      'unknown',
    ],
  ])('%s', (_, result, error, is) => {
    expect(failureClass({ ...FAILED, ...result }, { error })).toBe(is);
  });

  it('asks a human at once where only one can help, parks where time does, and tries the rest again', () => {
    const policies = (...classes: FailureClass[]) => new Set(classes.map(failurePolicy));
    expect(
      policies('auth', 'billing', 'model_unavailable', 'spawn', 'refusal', 'context_too_long', 'max_turns', 'unknown'),
    ).toEqual(new Set(['human']));
    expect(policies('rate_limit', 'overloaded')).toEqual(new Set(['park']));
    expect(policies('network', 'timeout_idle', 'crash', 'protocol', 'schema')).toEqual(new Set(['retry']));
  });
});

describe('what is said about it', () => {
  it('is the words of the program, else its errors, else its subtype', () => {
    expect(resultText({ result: 'Overloaded', errors: ['x'] })).toBe('Overloaded');
    expect(resultText({ errors: ['one', 'two'], subtype: 'error_max_turns' })).toBe('one; two');
    expect(resultText({ subtype: 'error_max_turns' })).toBe('error_max_turns');
    expect(resultText({})).toBe('');
  });

  it('names what a user can do', () => {
    expect(adviceFor('auth', 'reviewer')).toContain('helix decide');
    expect(adviceFor('billing', 'creator')).toContain('helix decide');
    expect(adviceFor('max_turns', 'creator')).toContain('Split the phase');
    expect(adviceFor('max_turns', 'reviewer')).toBe('');
    expect(adviceFor('overloaded', 'creator')).toBe('');
  });
});
