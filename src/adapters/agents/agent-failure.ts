import type { FailureClass } from '../../domain/verdict.ts';
import { fieldsOf, textOf } from '../../text/agent-words/fields.ts';

type Classes = readonly (readonly [RegExp, FailureClass])[];

/** The codes and types that model servers and agents give their errors. */
const CODES: ReadonlyMap<string, FailureClass> = new Map([
  ['authentication_error', 'auth'],
  ['authentication_failed', 'auth'],
  ['invalid_api_key', 'auth'],
  ['permission_error', 'auth'],
  ['billing_error', 'billing'],
  ['insufficient_quota', 'billing'],
  ['rate_limit', 'rate_limit'],
  ['rate_limit_error', 'rate_limit'],
  ['rate_limit_exceeded', 'rate_limit'],
  ['usage_limit_reached', 'rate_limit'],
  ['overloaded_error', 'overloaded'],
  ['context_length_exceeded', 'context_too_long'],
  ['model_not_found', 'model_unavailable'],
  ['max_output_tokens', 'output_limit'],
  ['content_filter', 'refusal'],
]);

/** Codes of requests that will never be taken. */
const INVALID = new Set(['invalid_request', 'invalid_request_error', 'not_found_error']);
/** Codes of servers in trouble, which some agents also have for servers they never heard. */
const TROUBLE = new Set(['server_error', 'api_error', 'internal_server_error']);

const STATUSES: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'auth'],
  [402, 'billing'],
  [403, 'auth'],
  [413, 'context_too_long'],
  [429, 'rate_limit'],
]);

const BILLING = /quota exceeded|billing details|payment required|credit balance/i;

/** What a server says of a request it will never take; the first pattern that fits is the class. */
const OF_REQUESTS: Classes = [
  [BILLING, 'billing'],
  [/context[ _](window|length)|(prompt|input|request) (is )?too (long|large)/i, 'context_too_long'],
  [/unknown model|\bmodel\b.{0,80}not (exist|found|supported)/i, 'model_unavailable'],
];

/** What is said where no server has given a status, or none was heard. */
const OF_SERVICES: Classes = [
  [/not logged in|refresh token|log in again|authentication required|access token could not/i, 'auth'],
  [/usage limit|rate.?limit/i, 'rate_limit'],
  [/high demand|at capacity|overloaded|server had an error|internal server error/i, 'overloaded'],
  [/reason: max_output_tokens|output token (limit|maximum)/i, 'output_limit'],
  [/reason: content_filter|content policy|safeguards|\brefusal\b/i, 'refusal'],
  [/stream disconnected|error sending request|timed out|lookup address|ECONN|ENOTFOUND/i, 'network'],
  [/connection (refused|reset|closed|dropped|failed|error)/i, 'network'],
];

/** What an agent tells of its failure: words, and whatever its protocol has beside them. */
export type ToldFailure = { readonly message: string; readonly details?: unknown };

/** Why an agent failed: by the code or status it gives, else by the words it has for it. */
export function agentFailure(told: ToldFailure): FailureClass {
  const { codes, status, words } = read(told);
  const byCode = codes.map((code) => CODES.get(code)).find((failure) => failure !== undefined);
  if (byCode !== undefined) return byCode;
  if (status !== undefined && status >= 500) return 'overloaded';
  if (status === 429 && BILLING.test(words)) return 'billing';
  const byStatus = STATUSES.get(status ?? 0);
  if (byStatus !== undefined) return byStatus;
  const ofRequest = firstFit(OF_REQUESTS, words);
  if (ofRequest !== undefined || status !== undefined || codes.some((code) => INVALID.has(code))) {
    return ofRequest ?? 'unknown';
  }
  return firstFit(OF_SERVICES, words) ?? (codes.some((code) => TROUBLE.has(code)) ? 'overloaded' : 'unknown');
}

/** The HTTP status a message speaks of; other numbers in it are none. */
export function statusIn(message: string): number | undefined {
  const found = /\b(?:status(?: code)?:? |HTTP(?:\/[\d.]+)? |API Error: (?:Request rejected \()?)([45]\d\d)\b/i.exec(
    message,
  );
  return found === null ? undefined : Number(found[1]);
}

function firstFit(classes: Classes, words: string): FailureClass | undefined {
  return classes.find(([pattern]) => pattern.test(words))?.[1];
}

/** Some agents hand on the server's answer as it is, as a text. */
function read({ message, details }: ToldFailure): { codes: string[]; status: number | undefined; words: string } {
  const body = fieldsOf(bodyIn(message));
  const parts = [fieldsOf(details), fieldsOf(body.error), body];
  return {
    codes: parts.flatMap(({ code, errorKind, type }) => [code, errorKind, type].flatMap((each) => textOf(each) ?? [])),
    status: parts.map(({ status }) => status).find((status) => typeof status === 'number') ?? statusIn(message),
    words: textOf(fieldsOf(body.error).message) ?? message,
  };
}

function bodyIn(message: string): unknown {
  try {
    return JSON.parse(message.slice(message.indexOf('{'), message.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
