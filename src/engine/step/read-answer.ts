import type { ZodType } from 'zod';
import { sanitise } from '../../text/sanitise.ts';

const MAX_ANSWER = 256 * 1024;
const MAX_KEPT = 32 * 1024;
const MAX_DEPTH = 24;
const MAX_ISSUES = 5;

type Redact = (text: string) => string;

/** An agent's answer as it may be shown and kept, or why it is none of the form that was asked for. */
export function readAnswer<T>(said: unknown, form: ZodType<T>, redact: Redact): { answer: T } | { refused: string[] } {
  const safe = shownSafely(said, redact);
  const size = JSON.stringify(safe)?.length ?? 0;
  if (size > MAX_ANSWER) return { refused: [`the answer is larger than ${MAX_ANSWER / 1024} KB`] };
  const parsed = form.safeParse(safe);
  if (parsed.success) return { answer: parsed.data };
  const issues = parsed.error.issues.slice(0, MAX_ISSUES);
  return { refused: issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`) };
}

/** An answer that could not be used, as a person may read it; undefined where there was none. */
export function keptAnswer(said: unknown, redact: Redact): string | undefined {
  if (said === undefined) return undefined;
  const text = typeof said === 'string' ? sanitise(redact(said)) : JSON.stringify(shownSafely(said, redact), null, 2);
  return text.length > MAX_KEPT ? `${text.slice(0, MAX_KEPT)}\n[${text.length - MAX_KEPT} characters left out]` : text;
}

/** All texts of a value without what could deceive who reads them. */
function shownSafely(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return sanitise(redact(value));
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((part) => shownSafely(part, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [sanitise(redact(key)), shownSafely(part, redact, depth + 1)]),
  );
}
