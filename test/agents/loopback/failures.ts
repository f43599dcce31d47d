import { fail } from './answer.ts';

/** The model's servers have too much to do. */
export const overloaded = fail(529, 'overloaded_error', 'Overloaded');

/** They are broken. */
export const serverError = fail(500, 'api_error', 'Internal server error');

/** Too much was asked of them; the headers say when to come again. */
export function rateLimited(headers: Readonly<Record<string, string>> = {}) {
  return fail(429, 'rate_limit_error', "This request would exceed your account's rate limit.", headers);
}

/** The key is wrong. */
export const unauthorised = fail(401, 'authentication_error', 'invalid x-api-key');

/** The login was withdrawn. */
export const revoked = fail(403, 'permission_error', 'OAuth token has been revoked. Please obtain a new token.');

/** Nobody has paid. */
export const creditTooLow = fail(
  400,
  'invalid_request_error',
  'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
);

/** The request is larger than what the model can take in. */
export const promptTooLong = fail(400, 'invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum');

/** There is no such model. */
export const modelUnknown = fail(404, 'not_found_error', 'model: claude-none');
