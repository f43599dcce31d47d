import { numbered } from './numbered.ts';
import { type Reading, unescaped, withoutBreaks, withoutNuls } from './readings.ts';
import { speltSecrets } from './redact-disguised.ts';
import type { SecretScan, Span } from './redact-scan.ts';

/** So much is read at a time; two windows share what the longest disguised secret takes. */
const WINDOW = 4 * 1024 * 1024;
const SHARED = 256 * 1024;

/** What is looked for: secrets as programs write them, and only those encodings that are broken into lines. */
export type Scans = { readonly written: SecretScan; readonly encoded: SecretScan };

/**
 * The secrets in bytes whose characters are spelt as escapes, in a dump or as a list of numbers, have two or four bytes each, or are
 * encoded in several lines: the first place of each.
 */
export function findDisguised(bytes: Buffer, scans: Scans): Span[] {
  const found = new Map<string, Span>();
  for (let from = 0; from === 0 || from + SHARED < bytes.length; from += WINDOW) {
    for (const { name, ...span } of spansIn(bytes.subarray(from, from + WINDOW + SHARED), scans)) {
      if (!found.has(name)) found.set(name, { name, from: from + span.from, to: from + span.to });
    }
  }
  return [...found.values()];
}

function spansIn(bytes: Buffer, { written, encoded }: Scans): Span[] {
  const raw = { bytes };
  const narrow = bytes.includes(0) ? withoutNuls(raw) : raw;
  const plain = unescaped(narrow);
  const spelt = speltSecrets(textOf(narrow), (text) => written.wholes(text));
  return [
    ...(narrow === raw ? [] : placed(written.wholes(textOf(narrow)), narrow)),
    ...(plain === narrow ? [] : placed(written.wholes(textOf(plain)), plain)),
    ...placed(spelt, narrow),
    ...wrapped(plain, encoded),
    ...listed(narrow, written),
  ];
}

function wrapped(reading: Reading, encoded: SecretScan): Span[] {
  const joined = withoutBreaks(reading);
  return placed(encoded.wholes(textOf(joined)), joined);
}

/** Secrets as a program writes bytes: as a list of numbers. */
function listed(reading: Reading, written: SecretScan): Span[] {
  const list = numbered(reading);
  return list === undefined ? [] : placed(written.wholes(textOf(list)), list);
}

function placed(spans: readonly Span[], { at }: Reading): Span[] {
  const place = (index: number) => at?.[index] ?? index;
  return spans.map(({ name, from, to }) => ({ name, from: place(from), to: place(to - 1) + 1 }));
}

function textOf({ bytes }: Reading): string {
  return bytes.toString('latin1');
}
