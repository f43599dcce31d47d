import type { Form } from './redact-forms.ts';

const GRAM = 4;
const BUCKETS = 1 << 16;
/** A part with fewer different characters is a filler, such as a row of zeros. */
const VARIED = 6;

/** A place in a text that has to be masked. */
export type Span = { readonly from: number; readonly to: number; readonly name: string };

/**
 * Finds any of many forms in one pass: the text is only looked at every few characters, where four characters in a row are
 * compared with those of all forms at once. Where they fit, the match is extended to both sides.
 */
export class SecretScan {
  readonly #forms: readonly Form[];
  readonly #stride: number;
  /** Small enough to stay close to the processor: 1 where a bucket has entries. */
  readonly #used = new Uint8Array(BUCKETS);
  /** The newest entry of each bucket and the one before each entry, counted from 1; entries are a form and a place in it. */
  readonly #newest = new Int32Array(BUCKETS);
  readonly #before: Int32Array;
  readonly #form: Int32Array;
  readonly #place: Int32Array;
  #entries = 0;

  constructor(forms: readonly Form[]) {
    this.#forms = forms;
    this.#stride = Math.min(...forms.map(({ telling }) => telling)) - GRAM + 1;
    const size = 1 + forms.reduce((sum, { text }) => sum + text.length, 0);
    this.#before = new Int32Array(size);
    this.#form = new Int32Array(size);
    this.#place = new Int32Array(size);
    for (const [index, form] of forms.entries()) this.#enter(form, index);
  }

  /** What has to be masked, in order, none touching another. */
  spans(text: string): Span[] {
    const used = this.#used;
    const spans: Span[] = [];
    for (let at = 0; at + GRAM <= text.length; at += this.#stride) {
      if (used[bucketAt(text, at)] === 0) continue;
      const found = this.#longestAt(text, at, false);
      if (found === undefined) continue;
      add(spans, found);
      // The next one may begin inside this one; four characters that reach beyond its end are enough to see it.
      at = found.to - GRAM + 1 - this.#stride;
    }
    return spans;
  }

  /** Where the secrets are that are there from the beginning of a form to its end: the first place of each. */
  wholes(text: string): Span[] {
    const used = this.#used;
    const found = new Map<string, Span>();
    for (let at = 0; at + GRAM <= text.length; at += this.#stride) {
      if (used[bucketAt(text, at)] === 0) continue;
      const span = this.#longestAt(text, at, true);
      if (span !== undefined && !found.has(span.name)) found.set(span.name, span);
    }
    return [...found.values()];
  }

  /**
   * Enters the places in a form where a match may be noticed. A form that only counts as a whole needs just as many in a row
   * as the text skips. Four equal characters are left out if possible, because long rows of them are common.
   */
  #enter({ text, telling }: Form, index: number): void {
    const last = text.length - GRAM;
    const start = variedFrom(text, this.#stride);
    if (start === undefined) {
      for (let place = 0; place <= last; place += 1) this.#add(text, index, place);
    } else if (telling === text.length) {
      for (let place = start; place < start + this.#stride; place += 1) this.#add(text, index, place);
    } else {
      for (let place = 0; place <= last; place += 1) if (!isRow(text, place)) this.#add(text, index, place);
    }
  }

  #add(text: string, form: number, place: number): void {
    this.#entries += 1;
    const bucket = bucketAt(text, place);
    this.#form[this.#entries] = form;
    this.#place[this.#entries] = place;
    this.#before[this.#entries] = this.#newest[bucket] ?? 0;
    this.#newest[bucket] = this.#entries;
    this.#used[bucket] = 1;
  }

  #longestAt(text: string, at: number, onlyWhole: boolean): Span | undefined {
    let longest: Span | undefined;
    for (let entry = this.#newest[bucketAt(text, at)] ?? 0; entry !== 0; entry = this.#before[entry] ?? 0) {
      const form = this.#forms[this.#form[entry] ?? 0] as Form;
      const span = extended(text, at, { form, place: this.#place[entry] ?? 0 });
      if (span === undefined || lengthOf(span) < lengthOf(longest)) continue;
      if (lengthOf(span) === form.text.length) longest = span;
      else if (!onlyWhole && lengthOf(span) > lengthOf(longest) && isTelling(text, span, form)) longest = span;
    }
    return longest;
  }
}

/** The part of a form that the text has around a place where both may have the same four characters. */
function extended(text: string, at: number, { form, place }: { form: Form; place: number }): Span | undefined {
  const offset = at - place;
  let from = at;
  let to = at;
  while (to - offset < form.text.length && text.charCodeAt(to) === form.text.charCodeAt(to - offset)) to += 1;
  if (to - at < GRAM) return undefined;
  while (from > Math.max(offset, 0) && text.charCodeAt(from - 1) === form.text.charCodeAt(from - 1 - offset)) from -= 1;
  return { from, to, name: form.name };
}

function lengthOf(span: Span | undefined): number {
  return span === undefined ? 0 : span.to - span.from;
}

function isTelling(text: string, span: Span, { telling }: Form): boolean {
  return lengthOf(span) >= telling && new Set(text.slice(span.from, span.to)).size >= VARIED;
}

function add(spans: Span[], next: Span): void {
  const last = spans.at(-1);
  if (last === undefined || next.from > last.to) spans.push(next);
  else spans[spans.length - 1] = { ...last, from: Math.min(last.from, next.from), to: Math.max(last.to, next.to) };
}

/** The first of `count` places in a row none of which has four equal characters. */
function variedFrom(text: string, count: number): number | undefined {
  for (let place = 0, start = 0; place <= text.length - GRAM; place += 1) {
    if (isRow(text, place)) start = place + 1;
    else if (place - start + 1 === count) return start;
  }
  return undefined;
}

function isRow(text: string, at: number): boolean {
  const first = text[at];
  return text[at + 1] === first && text[at + 2] === first && text[at + 3] === first;
}

function bucketAt(text: string, at: number): number {
  const mixed =
    (text.charCodeAt(at) << 24) ^
    (text.charCodeAt(at + 1) << 16) ^
    (text.charCodeAt(at + 2) << 8) ^
    text.charCodeAt(at + 3);
  return Math.imul(mixed, 0x9e3779b1) >>> 16;
}
