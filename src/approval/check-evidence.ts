import { posix } from 'node:path';
import type { Evidence } from '../domain/judge/approval.ts';
import type { Snapshot } from '../ports/tree.ts';
import { oneLine, sanitise } from '../text/sanitise.ts';
import { tellingWords } from '../text/telling-words.ts';

const MAX_FILE = 2 * 1024 * 1024;
const NEAR = 3;
/** So many telling words are evidence wherever they stand; fewer only where they are all of a line. */
const ENOUGH_WORDS = 3;
/** What cannot be seen, as it is spelt out. */
const SPELT_OUT = /\\u\{[0-9a-f]+\}/g;
const TOO_LITTLE = 'what it quotes says too little to be evidence';
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** Where a quote stands, or why it is no evidence. */
export type Checked =
  | {
      readonly holds: true;
      readonly file: string;
      readonly line: number;
      /** It was said to stand at another line. */
      readonly moved: boolean;
    }
  | { readonly holds: false; readonly why: string };

/** Looks up every quote in what was judged, one file after the other and each only once. */
export async function checkEvidence(quotes: readonly Evidence[], snapshot: Snapshot): Promise<readonly Checked[]> {
  const known = new Set(snapshot.files.map(({ path }) => path));
  const answers: Checked[] = [];
  const places = new Map<string, number[]>();
  for (const [index, { file, quote }] of quotes.entries()) {
    const path = pathOf(file, snapshot.dir, known);
    if (!SAYS_SOMETHING.test(quote.replace(SPELT_OUT, ''))) answers[index] = no(TOO_LITTLE);
    else if (path === undefined) answers[index] = no(`${oneLine(file, 200)} is not among the files that were judged`);
    else places.set(path, [...(places.get(path) ?? []), index]);
  }
  for (const [path, indexes] of places) {
    const text = await readText(path, snapshot);
    for (const index of indexes) {
      const quote = quotes[index];
      if (quote !== undefined) answers[index] = find(quote, path, text);
    }
  }
  return answers;
}

function tellingIn(quote: string): number {
  return tellingWords(quote.replace(SPELT_OUT, '')).size;
}

/** The one spelling of a path among the files judged; whatever else it names is none of them. */
function pathOf(file: string, dir: string, known: ReadonlySet<string>): string | undefined {
  const inside = file.startsWith(`${dir}/`) ? file.slice(dir.length + 1) : file;
  const path = posix.normalize(inside);
  return [path, path.replace(/^input\//, '')].find((candidate) => known.has(candidate));
}

/** A file with its white space collapsed, and where each of its lines begins in that. */
type Text = {
  readonly all: string;
  readonly starts: readonly number[];
  readonly lines: readonly number[];
  readonly cut: boolean;
};

async function readText(path: string, snapshot: Snapshot): Promise<Text> {
  const bytes = (await snapshot.read(path, MAX_FILE + 1)) ?? Buffer.alloc(0);
  const cut = bytes.length > MAX_FILE;
  const starts: number[] = [];
  const lines: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const [index, line] of plain(bytes.toString('utf8')).split('\n').entries()) {
    const words = collapse(line);
    if (words === '') continue;
    starts.push(length);
    lines.push(index + 1);
    parts.push(words);
    length += words.length + 1;
  }
  return { all: parts.join(' '), starts, lines, cut };
}

function find({ quote, line }: Evidence, file: string, text: Text): Checked {
  const wanted = collapse(plain(quote));
  const telling = tellingIn(quote);
  const isEnough = telling >= ENOUGH_WORDS;
  let best: number | undefined;
  let stands = false;
  let whole = 0;
  for (let at = text.all.indexOf(wanted); at !== -1; at = text.all.indexOf(wanted, at + wanted.length)) {
    stands = true;
    if (!isEnough && !isWhole(at, at + wanted.length, text)) continue;
    whole += 1;
    const here = lineAt(at, text);
    if (best === undefined || (line !== undefined && Math.abs(here - line) < Math.abs(best - line))) best = here;
    if (telling > 0 && (line === undefined || here >= line)) break;
  }
  // Without a word that tells, only a whole line that stands there once tells its place from others.
  if (telling === 0 && stands && (whole !== 1 || !isStatement(wanted))) return no(TOO_LITTLE);
  if (best !== undefined)
    return { holds: true, file, line: best, moved: line !== undefined && Math.abs(best - line) > NEAR };
  if (stands) return no(`what it quotes is neither ${ENOUGH_WORDS} telling words nor a whole line`);
  const where = text.cut ? `the first ${MAX_FILE / 1024 / 1024} MB of ${oneLine(file, 200)}` : oneLine(file, 200);
  return no(`what it quotes does not stand in ${where}`);
}

/** Tells whether a line says more than a single word between brackets, such as `else {`. */
function isStatement(line: string): boolean {
  return (
    line
      .replace(/[{}()[\];:,]/g, '')
      .trim()
      .split(' ').length > 1
  );
}

/** Tells whether nothing but signs is left of the lines a part of the text stands in. */
function isWhole(from: number, to: number, text: Text): boolean {
  const begin = text.starts[rowAt(from, text)] ?? 0;
  const end = (text.starts[rowAt(to - 1, text) + 1] ?? text.all.length + 1) - 1;
  return !SAYS_SOMETHING.test(text.all.slice(begin, from)) && !SAYS_SOMETHING.test(text.all.slice(to, end));
}

/** The line of the file in which a position of the collapsed text lies. */
function lineAt(position: number, text: Text): number {
  return text.lines[rowAt(position, text)] ?? 1;
}

function rowAt(position: number, { starts }: Text): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A judge may quote from the difference, in which what cannot be seen is spelt out. */
function plain(text: string): string {
  return sanitise(text).normalize('NFC');
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function no(why: string): Checked {
  return { holds: false, why };
}
