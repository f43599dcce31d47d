import type { Cut, Redactor, Secret } from '../../domain/plan/secret.ts';
import { findDisguised, type Scans } from './find-disguised.ts';
import { speltSecrets, withoutEscapes } from './redact-disguised.ts';
import { type Form, formsOf, SHORTEST_SECRET, wideForms, wrappableForms } from './redact-forms.ts';
import { SecretScan, type Span } from './redact-scan.ts';

/** So much of a secret is masked where the text was cut off. */
const CUT_PART = 6;
const LONGEST_NAME = 64;

/** Keeps these secrets, and whatever has the shape of one, out of texts. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const known = secrets.filter(({ value }) => value.trim().length >= SHORTEST_SECRET);
  const forms = known.flatMap(formsOf);
  const scan = forms.length === 0 ? undefined : new SecretScan(forms);

  let scans: Scans | undefined;

  function find(bytes: Buffer): { name: string; at: number }[] {
    if (scan === undefined) return [];
    scans ??= {
      written: new SecretScan([...forms, ...known.flatMap(wideForms)]),
      encoded: new SecretScan(known.flatMap(wrappableForms)),
    };
    const plain = scan.wholes(bytes.toString('latin1'));
    const names = new Set(plain.map(({ name }) => name));
    const disguised = findDisguised(bytes, scans).filter(({ name }) => !names.has(name));
    return [...plain, ...disguised].map(({ name, from }) => ({ name, at: from }));
  }

  function masking(text: string, cut?: Cut): string {
    if (scan === undefined || text.length < CUT_PART) return text;
    const spans = [...scan.spans(text), ...speltSecrets(text, (spelt) => scan.spans(spelt))];
    return masked(text, cut?.start || cut?.end ? [...spans, ...cutOff(text, forms, cut)] : spans);
  }

  return {
    redact: (text, cut) =>
      text.length < CUT_PART ? text : uncoloured(text, (each) => redactShapes(masking(each, cut), mark)),
    redactBytes(bytes) {
      const text = bytes.toString('latin1');
      const clean = uncoloured(text, masking);
      return clean === text ? bytes : Buffer.from(clean, 'latin1');
    },
    find,
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

/** Begins with what every shape below needs, so that ordinary text costs one short search. */
const HINT =
  /sk-|gh[opsur]_|github_pat_|glpat-|npm_|xox|AIza|AKIA|ASIA|eyJ|PRIVATE KEY|authorization|Authorization|AUTHORIZATION/;

const BREAK = String.raw`(?:\\{1,8}[rn]|\s){1,8}`;
const BODY = '[A-Za-z0-9+/=]';

/**
 * Each is tried only where a word begins, no part can match what the next one begins with, and none is without a limit, so
 * that neither time nor the memory for going back grows with the text.
 */
const SHAPES: readonly (readonly [name: string, shape: string])[] = [
  ['Anthropic key', 'sk-ant-[\\w-]{16,512}'],
  ['OpenAI key', 'sk-(?:proj|svcacct|admin|None)-[\\w-]{16,512}'],
  ['API key', 'sk-(?=[A-Za-z]*\\d)[A-Za-z0-9]{20,512}'],
  ['GitHub token', 'gh[opsur]_[A-Za-z0-9]{20,512}'],
  ['GitHub token', 'github_pat_\\w{20,512}'],
  ['GitLab token', 'glpat-[\\w-]{16,512}'],
  ['npm token', 'npm_[A-Za-z0-9]{30,512}'],
  ['Slack token', 'xox[abeoprs]-[A-Za-z0-9-]{10,512}'],
  ['Google key', 'AIza[\\w-]{35}(?![\\w-])'],
  ['AWS key id', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![\\w-])'],
  ['JWT', 'eyJ[\\w-]{8,8192}\\.eyJ[\\w-]{8,8192}\\.[\\w-]{8,8192}'],
];
const TOKEN = new RegExp(`(?<![\\w-])(?:${SHAPES.map(([, shape]) => `(${shape})`).join('|')})`, 'g');

/** The token after the name of the header, also where quotes around both are escaped. */
const HEADER =
  /(authorization["'\\]{0,8}\s{0,4}[:=]\s{0,4}["'\\]{0,8}(?:bearer|basic|token)\s{1,4})([\w.~+/=-]{12,8192})/gi;

const PRIVATE_KEY = new RegExp(
  [
    '-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----',
    `(?:${BREAK}(?:Proc-Type|DEK-Info): [^\\n\\\\]{1,100}){0,2}`,
    `(?:${BREAK}${BODY}{16,4096}){1,1024}`,
    `(?:${BREAK}${BODY}{1,15})?`,
    `(?:${BREAK}-----END [A-Z ]{0,24}PRIVATE KEY-----)?`,
  ].join(''),
  'g',
);

/** Masks what has the shape of a token or private key, whoever it belongs to. */
function redactShapes(text: string, mark: (name: string) => string): string {
  if (!HINT.test(text)) return text;
  return text
    .replace(PRIVATE_KEY, mark('private key'))
    .replace(TOKEN, (...found) =>
      mark(SHAPES[found.slice(1).findIndex((group) => group !== undefined)]?.[0] ?? 'token'),
    )
    .replace(HEADER, (_, before) => `${before}${mark('authorization')}`);
}
