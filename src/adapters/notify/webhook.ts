import { createHmac } from 'node:crypto';
import { HelixError } from '../../domain/helix-error.ts';
import type { NoticeDocument } from '../../domain/ladder/notice.ts';
import type { NotifySettings } from '../../domain/plan/notify-settings.ts';
import { oneLine } from '../../text/sanitise.ts';

const TIMEOUT_MS = 10_000;
const REDIRECTS = 3;
const ANSWER_BYTES = 4096;
const SHOWN = 200;
/** Of all redirects only these say that the same message is wanted elsewhere. */
const SAME_MESSAGE = new Set([307, 308]);

type Webhook = Extract<NotifySettings, { webhook: string }>;

/** Posts a notice, signed where a key is named; throws HelixError `io` unless the receiver took it. */
export async function postWebhook(settings: Webhook, notice: NoticeDocument, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify(notice);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'helix',
    'x-helix-request': notice.request,
    ...signature(settings.secret_env, body),
  };
  const message = { method: 'POST', headers, body, redirect: 'manual' } as const;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let address = addressOf(settings.webhook);
  for (let n = 0; n <= REDIRECTS; n += 1) {
    const { status, location, words } = await post(address, { ...message, signal: limit });
    if (status >= 200 && status < 300) return;
    if (!SAME_MESSAGE.has(status)) throw undelivered(address, `answered ${status}${words === '' ? '' : `: ${words}`}`);
    address = redirected(address, location);
  }
  throw undelivered(address, `redirected more than ${REDIRECTS} times`);
}

/** Whoever has the key can tell that the message is from here and not an old one. */
function signature(variable: string | undefined, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  if (variable === undefined) return { 'x-helix-timestamp': timestamp };
  const key = process.env[variable];
  if (!key) throw new HelixError('io', `the environment variable ${variable} with the key is not set`);
  const digest = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-helix-timestamp': timestamp, 'x-helix-signature': `sha256=${digest}` };
}

function addressOf(written: string): URL {
  if (!written.startsWith('$')) return new URL(written);
  const value = process.env[written.slice(1)] ?? '';
  if (value === '')
    throw new HelixError('io', `the environment variable ${written.slice(1)} with the address is not set`);
  if (!/^https?:/.test(value) || !URL.canParse(value)) {
    throw new HelixError('io', `the environment variable ${written.slice(1)} does not hold an http or https address`);
  }
  return new URL(value);
}

type Answer = { readonly status: number; readonly location: string | null; readonly words: string };

async function post(address: URL, message: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(address, message);
    return { status: response.status, location: response.headers.get('location'), words: await beginning(response) };
  } catch (error) {
    throw undelivered(address, reasonOf(error), error);
  }
}

/** What a receiver says about a refusal; whatever else it sends is not waited for. */
async function beginning({ body, ok }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of ok ? [] : (body ?? [])) {
    pieces.push(piece);
    size += piece.length;
    if (size > ANSWER_BYTES) break;
  }
  if (ok) await body?.cancel();
  return oneLine(Buffer.concat(pieces).toString('utf8', 0, ANSWER_BYTES), SHOWN);
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `did not answer within ${TIMEOUT_MS / 1000} s`;
  return `could not be reached: ${oneLine(cause?.code ?? cause?.message ?? message, SHOWN)}`;
}

/** The same message may only go where the user wanted it: to the same server. */
function redirected(from: URL, location: string | null): URL {
  const to = location === null ? null : URL.parse(location, from.href);
  if (to === null) throw undelivered(from, 'redirects to nowhere');
  if (to.origin !== from.origin) {
    throw undelivered(from, `redirects to ${oneLine(to.origin, SHOWN)}, where nobody wants it told`);
  }
  return to;
}

/** An address is known to its user and may be a secret, so that only its server is named. */
function undelivered(address: URL, reason: string, cause?: unknown): HelixError {
  return new HelixError('io', `${address.origin} ${reason}`, { cause });
}
