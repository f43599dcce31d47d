import { describe, expect, it } from 'vitest';
import { agentFailure, statusIn } from './agent-failure.ts';

const answer = (code: string, message: string) => JSON.stringify({ error: { type: code, code, message } });
const invalid = (message: string) => answer('invalid_request_error', message);

describe('why an agent failed', () => {
  it.each([
    ['unexpected status 401 Unauthorized: Incorrect API key provided, url: http://x/responses', 'auth'],
    ['unexpected status 403 Forbidden: no, url: http://x/responses', 'auth'],
    ['unexpected status 402 Payment Required: pay, url: http://x/responses', 'billing'],
    ['unexpected status 503 Service Unavailable: y, url: http://x/responses', 'overloaded'],
    ['unexpected status 413 Payload Too Large: big, url: http://x/responses', 'context_too_long'],
    ['unexpected status 404 Not Found: no such page, url: http://x/responses', 'unknown'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit'],
    ['unexpected status 429 Too Many Requests: check your plan and billing details', 'billing'],
    ['You’ve hit your usage limit. Try again later.', 'rate_limit'],
    ['Quota exceeded. Check your plan and billing details.', 'billing'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
    ['Selected model is at capacity. Please try a different model.', 'overloaded'],
    ['The model does not exist', 'model_unavailable'],
    ['stream disconnected before completion: error sending request', 'network'],
    ['stream disconnected before completion: Incomplete response returned, reason: max_output_tokens', 'output_limit'],
    ['Credit balance is too low', 'billing'],
    ['Internal error: API Error: 529 Overloaded. This is a server-side issue', 'overloaded'],
    ['Internal error: API Error: Request rejected (429) · limit', 'rate_limit'],
    [
      "There's an issue with the selected model (x). It may not exist or you may not have access to it.",
      'model_unavailable',
    ],
    ['something nobody has seen', 'unknown'],
  ])('is told by its words: %s', (message, failure) => {
    expect(agentFailure({ message })).toBe(failure);
  });

  it.each([
    [answer('context_length_exceeded', 'Your input is 500 tokens over'), 'context_too_long'],
    [answer('insufficient_quota', 'Rate limit reached'), 'billing'],
    [answer('server_error', 'oops'), 'overloaded'],
    [`unexpected status 400 Bad Request: ${answer('model_not_found', 'no')}, url: http://x`, 'model_unavailable'],
    [JSON.stringify({ status: 429, error: { message: 'slower' } }), 'rate_limit'],
    [invalid('Your credit balance is too low to access the API.'), 'billing'],
    [invalid('prompt is too long: 250000 tokens > 200000 maximum'), 'context_too_long'],
  ])('is told by the code or status in an answer that is handed on: %s', (message, failure) => {
    expect(agentFailure({ message })).toBe(failure);
  });

  it.each([
    ['API Error: Connection dropped (ECONNRESET).', 'server_error', 'network'],
    ['Something else', 'server_error', 'overloaded'],
    ['Request too large (max 32MB).', 'invalid_request', 'context_too_long'],
    ['API Error: 400 Your input exceeds the context window', 'unknown', 'context_too_long'],
    ['No more today', 'rate_limit', 'rate_limit'],
    ['No', 'constructor', 'unknown'],
  ])('is told by what came beside the words: %s, %s', (message, errorKind, failure) => {
    expect(agentFailure({ message, details: { errorKind } })).toBe(failure);
  });

  it.each([
    'Invalid value for field: must be at most 512 characters',
    'Too many items: 401 given',
    'Invalid tool connection settings',
    'the field rate_limit is unknown',
    'the field timeout is not an overloaded function',
  ])('is not told by numbers and words of a request that was not taken: %s', (message) => {
    expect(agentFailure({ message: invalid(message) })).toBe('unknown');
    expect(agentFailure({ message: `unexpected status 400 Bad Request: ${message}, url: http://x:503/` })).toBe(
      'unknown',
    );
    expect(agentFailure({ message: `API Error: 400 ${message}`, details: { errorKind: 'unknown' } })).toBe('unknown');
  });
});

describe('a status', () => {
  it.each([
    ['HTTP 503', 503],
    ['HTTP/1.1 429 Too Many Requests', 429],
    ['status code 401', 401],
    ['at most 512 characters', undefined],
    ['http://host:500/status', undefined],
    ['exit status 1', undefined],
  ])('is found in %s: %s', (message, status) => {
    expect(statusIn(message)).toBe(status);
  });
});
