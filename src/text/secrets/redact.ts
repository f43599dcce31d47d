import type { Cut, Redactor, Secret } from '../../domain/plan/secret.ts';
import { speltSecrets, withoutEscapes } from './redact-disguised.ts';
import { type Form, formsOf, SHORTEST_SECRET } from './redact-forms.ts';
import { redactShapes } from './redact-patterns.ts';
import { SecretScan, type Span } from './redact-scan.ts';

/** So much of a secret is masked where the text was cut off. */
const CUT_PART = 6;
const LONGEST_NAME = 64;

/** Keeps these secrets, and whatever has the shape of one, out of texts. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const forms = secrets.filter(({ value }) => value.trim().length >= SHORTEST_SECRET).flatMap(formsOf);
  const scan = forms.length === 0 ? undefined : new SecretScan(forms);

  function known(text: string, cut?: Cut): string {
    if (scan === undefined || text.length < CUT_PART) return text;
    const spans = [...scan.spans(text), ...speltSecrets(text, (spelt) => scan.spans(spelt))];
    return masked(text, cut?.start || cut?.end ? [...spans, ...cutOff(text, forms, cut)] : spans);
  }

  return {
    redact: (text, cut) =>
      text.length < CUT_PART ? text : uncoloured(text, (each) => redactShapes(known(each, cut), mark)),
    redactBytes(bytes) {
      const text = bytes.toString('latin1');
      const clean = uncoloured(text, known);
      return clean === text ? bytes : Buffer.from(clean, 'latin1');
    },
    find: (bytes) => (scan?.wholes(bytes.toString('latin1')) ?? []).map(({ name, from }) => ({ name, at: from })),
    knowsAny: () => scan !== undefined,
  };
}

/** The clean text; without its colours where these would have hidden something. */
function uncoloured(text: string, clean: (text: string) => string): string {
  const coloured = clean(text);
  const plain = withoutEscapes(text);
  if (plain === text) return coloured;
  const cleaned = clean(plain);
  return cleaned === plain || cleaned === withoutEscapes(coloured) ? coloured : cleaned;
}

/** Stands in place of a secret: safe in JSON, in mark-up and on a terminal. */
function mark(name: string): string {
  return `[redacted ${name.replace(/[^\w. -]/g, '_').slice(0, LONGEST_NAME)}]`;
}

/** The beginning of a secret at the end of a text that was cut there, and the end of one at its start. */
function cutOff(text: string, forms: readonly Form[], { start = false, end = false }: Cut): Span[] {
  return forms.flatMap(({ text: form, name }) => {
    const spans: Span[] = [];
    const most = Math.min(form.length - 1, text.length);
    const lengths = Array.from({ length: Math.max(0, most - CUT_PART + 1) }, (_, less) => most - less);
    const atEnd = end ? lengths.find((length) => text.endsWith(form.slice(0, length))) : undefined;
    if (atEnd !== undefined) spans.push({ from: text.length - atEnd, to: text.length, name });
    const atStart = start ? lengths.find((length) => text.startsWith(form.slice(-length))) : undefined;
    if (atStart !== undefined) spans.push({ from: 0, to: atStart, name });
    return spans;
  });
}

function masked(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let result = '';
  let done = 0;
  for (const { from, to, name } of spans.toSorted((a, b) => a.from - b.from)) {
    const [first, last] = [outsideEscape(text, Math.max(from, done), to), outsideEscape(text, to, text.length)];
    if (last <= first) continue;
    result += `${text.slice(done, first)}${mark(name)}`;
    done = last;
  }
  return result + text.slice(done);
}

/** The next place that is not in the middle of an escape such as `\n`, so that what was JSON is JSON afterwards. */
function outsideEscape(text: string, at: number, limit: number): number {
  for (let slash = at - 1; slash >= Math.max(0, at - 5); slash -= 1) {
    if (text[slash] !== '\\') continue;
    const end = slash + (text[slash + 1] === 'u' ? 6 : 2);
    return end <= at || isEscaped(text, slash) ? at : Math.min(end, limit);
  }
  return at;
}

/** Tells whether the backslash belongs to the one before it. */
function isEscaped(text: string, slash: number): boolean {
  let first = slash;
  while (text[first - 1] === '\\') first -= 1;
  return (slash - first) % 2 === 1;
}
