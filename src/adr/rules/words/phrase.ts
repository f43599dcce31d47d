import { endsWord, isWordAt, startsWord } from './word-boundary.ts';

/** A stretch of a text. */
export type Match = { readonly start: number; readonly end: number };

/** Words in their order, each with the endings it may have. */
export type Phrase = {
  readonly source: string;
  readonly words: readonly Word[];
  /** A text without this need not be looked at. */
  readonly rarest: string;
};

type Word = {
  /** Lower case, as far as it never changes. */
  readonly stem: string;
  /** What may follow the stem up to the word's end. */
  readonly endings: ReadonlySet<string>;
  /** Longer words that start (and, with `tail`, end) with this one mean it too: Rollbackplan, Datenmigration. */
  readonly compound: 'none' | 'head' | 'head-or-tail';
};

const SHORT = ['', 'e', 'en', 'em', 'er', 'es', 's'];
const LONG = [...SHORT, 'n', 'ns', 'ens', 'ed', 'd', 'ing'];
const VERB = ['en', 'e', 't', 'st', 'te', 'ten', 'end', 'ens', 'ende', 'enden'];

/** How strictly the words of a phrase are meant. */
export type Strictness = 'exact' | 'pattern' | 'keyword';

/** Compiles plain text to a phrase: its words are found inflected, whatever white space, hyphens or emphasis stand between them. */
export function phrase(source: string, strictness: Strictness = 'pattern'): Phrase {
  const words = source
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const compiled = words.map((word) => compileWord(word, strictness));
  const rarest = compiled.reduce((longest, { stem }) => (stem.length > longest.length ? stem : longest), '');
  return { source, words: compiled, rarest };
}

function compileWord(word: string, strictness: Strictness): Word {
  if (strictness === 'exact' || !/^[\p{L}\p{M}-]*\p{L}$/u.test(word))
    return { stem: word, endings: new Set(['']), compound: 'none' };
  const compoundFrom = strictness === 'keyword' ? 6 : 8;
  const head = word.length >= compoundFrom;
  return { ...inflected(word), compound: !head ? 'none' : strictness === 'keyword' ? 'head-or-tail' : 'head' };
}

/** German and English endings: inkompatibel, inkompatible; policy, policies; migrate, migrating; zurückrollen, zurückrollt. */
function inflected(word: string): Pick<Word, 'stem' | 'endings'> {
  if (word.length < 4) return { stem: word, endings: new Set(SHORT) };
  const cut = (count: number, more: readonly string[]): Pick<Word, 'stem' | 'endings'> => {
    const tail = word.slice(word.length - count);
    return { stem: word.slice(0, -count), endings: new Set([...LONG.map((ending) => tail + ending), ...more]) };
  };
  if (word.endsWith('el')) return cut(2, ['le', 'len', 'lem', 'ler', 'les']);
  if (word.endsWith('en') && word.length > 6) return cut(2, VERB);
  if (word.endsWith('y')) return cut(1, ['ies', 'ied']);
  if (word.endsWith('e')) return cut(1, ['ing']);
  return { stem: word, endings: new Set(LONG) };
}

const NOT = ["n't", 'n’t'].map((stem): Word => ({ stem, endings: new Set(['']), compound: 'none' }));

/** Finds a phrase in lower-case text; one that starts with "not" also where that is part of "isn't". */
export function findPhrase(text: string, { words, rarest }: Phrase, from: number): Match | undefined {
  const [first, ...rest] = words;
  if (first === undefined || (rest.length > 0 && !text.includes(rarest, from))) return undefined;
  const found = findWords(text, { first, rest, rarest }, from);
  if (first.stem !== 'not' || rest.length === 0) return found;
  const all = [found, ...NOT.map((not) => findWords(text, { first: not, rest, rarest }, from))];
  return all.reduce((a, b) => (a === undefined || (b !== undefined && b.start < a.start) ? b : a));
}

type Sought = { readonly first: Word; readonly rest: readonly Word[]; readonly rarest: string };

/** Words as frequent as "not" are looked at only where the rarest one is within reach. */
function findWords(text: string, { first, rest, rarest }: Sought, from: number): Match | undefined {
  const reach = (rest.length + 1) * (LONGEST_WORD + LONGEST_GAP) + first.stem.length;
  let rare = -1;
  for (let at = text.indexOf(first.stem, from); at !== -1; at = text.indexOf(first.stem, at + 1)) {
    if (rare < at) rare = rest.length === 0 ? at : text.indexOf(rarest, at);
    if (rare === -1) return undefined;
    if (rare - at > reach) {
      at = rare - reach;
      continue;
    }
    const start = wordStart(text, at, first);
    if (start === undefined) continue;
    let end = wordEnd(text, at, first);
    for (const word of rest) end = end === undefined ? undefined : nextWord(text, end, word);
    if (end !== undefined) return { start, end };
  }
  return undefined;
}

/** Nobody denies something more often and then says it after all. */
const MOST_MATCHES = 500;

/** Finds a phrase again and again. */
export function* phraseMatches(text: string, wanted: Phrase): Generator<Match> {
  let match = findPhrase(text, wanted, 0);
  for (let seen = 0; match !== undefined && seen < MOST_MATCHES; seen += 1) {
    yield match;
    match = findPhrase(text, wanted, match.end);
  }
}

const LONGEST_WORD = 60;

function wordStart(text: string, at: number, word: Word): number | undefined {
  if (!isWordAt(text, at) || startsWord(text, at) || NOT.includes(word)) return at;
  if (word.compound !== 'head-or-tail') return undefined;
  let start = at;
  while (start > at - LONGEST_WORD && isWordAt(text, start - 1)) start -= 1;
  return at - start >= 3 ? start : undefined;
}

function wordEnd(text: string, at: number, word: Word): number | undefined {
  const stemEnd = at + word.stem.length;
  if (!text.startsWith(word.stem, at)) return undefined;
  if (!isWordAt(text, stemEnd - 1)) return stemEnd;
  let end = stemEnd;
  while (end < stemEnd + LONGEST_WORD && !endsWord(text, end)) end += 1;
  if (word.endings.has(text.slice(stemEnd, end))) return end;
  return word.compound !== 'none' && endsWord(text, end) && continues(text, stemEnd, word) ? end : undefined;
}

/** A compound goes on after the word itself, not after a shortened stem. */
function continues(text: string, stemEnd: number, { endings }: Word): boolean {
  for (const ending of endings) if (ending.length > 0 && text.startsWith(ending, stemEnd)) return true;
  return endings.has('');
}

const LONGEST_GAP = 24;

/** The end of a word that follows after white space, hyphens or emphasis, in the same paragraph. */
function nextWord(text: string, from: number, word: Word): number | undefined {
  let breaks = 0;
  for (let at = from; at < from + LONGEST_GAP; at += 1) {
    if (at > from && startsWord(text, at)) {
      const end = wordEnd(text, at, word);
      if (end !== undefined) return end;
    }
    const gap = text[at] ?? '';
    if (gap === '\n') breaks += 1;
    if (breaks > 1 || !/[\s*_`~\-\u2010\u2011]/u.test(gap)) return undefined;
  }
  return undefined;
}
