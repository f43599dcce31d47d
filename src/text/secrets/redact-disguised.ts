import { SHORTEST_SECRET } from './redact-forms.ts';
import type { Span } from './redact-scan.ts';

/** The escape character as it is, and as JSON and programs write it; a row of backslashes is looked at only from its start. */
const ESCAPE = String.raw`(?:\x1b|(?<!\\)\\+(?:u001[bB]|x1[bB]|033))`;
/** None of them ends with a quote or a backslash, so that what was JSON is JSON afterwards. */
const SEQUENCE = new RegExp(
  `${ESCAPE}(?:${[
    String.raw`\[[0-?]*[ !#-\/]*[@-\[\]-~]`,
    String.raw`\][^\x00-\x1f"\\]*(?:\x07|\\+u0007|\x1b\\|${ESCAPE}(?:\\\\)*)`,
    String.raw`[ !#-\/]*[0-\[\]-~]`,
  ].join('|')})?`,
  'g',
);
const HINTS = ['\x1b', '\\u001', '\\x1', '\\033'];

/** The text without the colours and other commands to a terminal that are in it. */
export function withoutEscapes(text: string): string {
  return HINTS.some((hint) => text.includes(hint)) ? text.replace(SEQUENCE, '') : text;
}

/** Characters written one by one as codes, and bytes in hex with something between them, as dumps and fingerprints have it. */
const HEX = '[0-9a-fA-F]';
const BYTE = `(?:${HEX}{2})`;
/** Megabytes in a row would overflow the matcher's stack: longer rows are read in pieces, each of which may begin where one ended. */
const ROW = 4096;
const CODE = String.raw`(?:\\{1,8}(?:u00|x)${BYTE})`;
const CODES = new RegExp(String.raw`(?<!\\)${CODE}{${SHORTEST_SECRET},${ROW}}|(?<=${HEX})${CODE}{1,${ROW}}`, 'g');
const WORD = `${BYTE}{1,2}`;
const BYTES = new RegExp(
  `(?:(?<!${HEX})${WORD}(?:[ :]{1,2}${WORD}){3,${ROW}}|(?<=${HEX}[ :]{1,2})${WORD}(?:[ :]{1,2}${WORD}){0,${ROW}})(?![0-9A-Za-z])`,
  'g',
);
const CODE_HINTS = ['\\u00', '\\x'];
/** The shortest secret is written with so many characters at least, two bytes at a time. */
const SHORTEST_BYTES = SHORTEST_SECRET * 2 + SHORTEST_SECRET / 2 - 1;
const IN_A_ROW = 8;
const STRIDE = SHORTEST_BYTES - IN_A_ROW + 1;
/** What a character can be in such a row, by its code: nothing, a digit, or what stands between. */
const KIND = new Uint8Array(1 << 16);
const DIGIT = 1;
for (const character of '0123456789abcdefABCDEF') KIND[character.charCodeAt(0)] = DIGIT;
for (const character of ' :') KIND[character.charCodeAt(0)] = 2;
/** What a dump shows beside its bytes. */
const BESIDE = /:? {2,60}\|?[^\r\n"\\]{1,16}\|?/y;

type Run = { readonly from: number; readonly to: number; readonly at: number; readonly length: number };

/** The places where secrets are spelt byte by byte; they go on over the lines of a dump. */
export function speltSecrets(text: string, find: (spelt: string) => readonly Span[]): Span[] {
  const codes = CODE_HINTS.some((hint) => text.includes(hint)) ? speltAs(CODES, text, find) : [];
  return mayHaveBytes(text) ? [...codes, ...speltAs(BYTES, text, find)] : codes;
}

/** Looks at every few characters only: wherever enough bytes stand, one of these places is amid them. */
function mayHaveBytes(text: string): boolean {
  for (let at = 0; at + IN_A_ROW <= text.length; at += STRIDE) {
    let digits = 0;
    let to = at;
    for (let kind = KIND[text.charCodeAt(to)]; kind !== 0 && to < at + IN_A_ROW; kind = KIND[text.charCodeAt(to)]) {
      if (kind === DIGIT) digits += 1;
      to += 1;
    }
    if (to < at + IN_A_ROW || digits < IN_A_ROW / 2 || digits === IN_A_ROW) continue;
    let from = at;
    while (from > 0 && to - from < SHORTEST_BYTES && KIND[text.charCodeAt(from - 1)] !== 0) from -= 1;
    while (to < text.length && to - from < SHORTEST_BYTES && KIND[text.charCodeAt(to)] !== 0) to += 1;
    if (to - from === SHORTEST_BYTES) return true;
  }
  return false;
}

function speltAs(pattern: RegExp, text: string, find: (spelt: string) => readonly Span[]): Span[] {
  const runs: Run[] = [];
  let spelt = '';
  for (const { 0: run, index: from } of text.matchAll(pattern)) {
    const hex = pattern === CODES ? run.replace(/\\+(?:u00|x)/g, '') : run.replace(/[ :]/g, '');
    const bytes = Buffer.from(hex, 'hex').toString('latin1');
    runs.push({ from, to: from + run.length, at: spelt.length, length: bytes.length });
    spelt += bytes;
  }
  if (spelt.length < SHORTEST_SECRET) return [];
  return find(spelt).flatMap(({ from, to, name }) =>
    runs
      .filter(({ at, length }) => at < to && at + length > from)
      .map((run) => ({ from: run.from, to: pattern === BYTES ? besideEnd(text, run.to) : run.to, name })),
  );
}

function besideEnd(text: string, end: number): number {
  BESIDE.lastIndex = end;
  return BESIDE.test(text) ? BESIDE.lastIndex : end;
}
