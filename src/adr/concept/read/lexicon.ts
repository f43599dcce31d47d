import { DIGIT, INNER, KINDS, kindAt, LETTER, SIGN } from './characters.ts';
import { COMMON, type Language, languagesOf, likeliest, stemsOf, withoutLinks } from './terms.ts';
import { kinOf, numberOf, unitOf, VALUE_WORDS } from './value-words.ts';
import type { Value } from './values.ts';

/** A word as it is written that is more than a word the concept does not have. */
type Token = { readonly ids: readonly number[]; readonly marks: number; readonly languages: readonly Language[] };

/** The words of a concept by number, and which words of ADRs mean them; how much else an ADR says is only counted. */
export type Lexicon = {
  readonly ids: ReadonlyMap<string, number>;
  /** The names of the concept's sections. */
  readonly names: ReadonlySet<string>;
  /** The units of the concept's values, and those they may have become. */
  readonly units: ReadonlySet<string>;
  readonly tokens: Token[];
  readonly starts: ReadonlySet<string>;
  /** Words that were met, four numbers for each: two that follow from its letters, what it is, and in which part it was met last. */
  readonly met: Int32Array;
  /** In which text each word of the concept was met last. */
  readonly lastText: Int32Array;
  text: number;
  part: number;
  /** Where the word read last ends, and what it is told apart by. */
  end: number;
  hash: number;
  check: number;
  /** How many words the part has that the concept does not have. */
  others: number;
  /** How many characters are still to be read to tell the language, and how many common words of each were met. */
  unsampled: number;
  counts: Record<Language, number>;
};

const SAMPLED = 10_000;
const LONGEST_WORD = 80;
const SLOTS = 65_536;
const TRIES = 4;

const NUMBER = 1;
const UNIT = 2;

/** What a word is: nothing that counts, a word that the concept does not have, or one of the tokens. */
const NOTHING = 1;
const OTHER_WORD = 2;
const FIRST_TOKEN = 3;

/** Numbers the words of a concept from zero. */
export function createLexicon(
  words: ReadonlySet<string>,
  values: readonly Value[],
  names: ReadonlySet<string>,
): Lexicon {
  return {
    names,
    ids: new Map([...words].map((word, id) => [word, id])),
    units: new Set([...new Set(values.map(({ unit }) => unit.replace('no. ', '')))].flatMap(kinOf)),
    tokens: [],
    starts: startsOf(words),
    met: new Int32Array(4 * SLOTS),
    lastText: new Int32Array(words.size),
    ...{ text: 0, part: 0, end: 0, hash: 0, check: 0, others: 0, unsampled: 0, counts: { de: 0, en: 0, fr: 0 } },
  };
}

/** The language that texts seem to be of, by the beginning of what is read from now on. */
export function startSample(lexicon: Lexicon): () => Language | undefined {
  const counts = { de: 0, en: 0, fr: 0 };
  lexicon.counts = counts;
  lexicon.unsampled = SAMPLED;
  return () => likeliest(counts);
}

/** Counts the words that the concept does not have anew. */
export function startPart(lexicon: Lexicon): void {
  lexicon.part += 1;
  lexicon.others = 0;
}

/** Adds the distinct words of a text that the concept has to a list; tells whether it may have values with units of the concept. */
export function readTerms(lexicon: Lexicon, whole: string, into: number[]): boolean {
  const text = withoutLinks(whole);
  lexicon.text += 1;
  const near = { number: -FAR, unit: -FAR, met: false };
  for (let at = 0; at < text.length; ) {
    const start = at;
    const kind = KINDS[text.charCodeAt(at)] || kindAt(text, at);
    at += 1;
    if (kind === LETTER) {
      const token = tokenAt(lexicon, text, start);
      at = lexicon.end;
      if (token === undefined) continue;
      addTerms(lexicon, token, into);
      if (token.marks !== 0) mark(near, token.marks, { start, end: at });
    } else if (kind === DIGIT) mark(near, NUMBER, { start, end: at });
    else if (kind === SIGN && lexicon.units.has(text.charAt(start))) mark(near, UNIT, { start, end: at });
  }
  lexicon.unsampled -= text.length;
  return near.met || (near.number >= 0 && lexicon.units.has('date') && /\d{4}/.test(text));
}

/** Where a number and a unit ended last, and whether one followed the other closely. */
type Near = { number: number; unit: number; met: boolean };
type Span = { readonly start: number; readonly end: number };

/** There may be a space, a sign, emphasis and "million" between a number and its unit. */
const FAR = 16;

function mark(near: Near, marks: number, { start, end }: Span): void {
  if ((marks & NUMBER) !== 0) {
    if (start - near.unit < FAR) near.met = true;
    near.number = end;
  }
  if ((marks & UNIT) !== 0) {
    if (start - near.number < FAR) near.met = true;
    near.unit = end;
  }
}

function tokenAt(lexicon: Lexicon, text: string, start: number): Token | undefined {
  lexicon.end = endOfWord(lexicon, text, start);
  if (lexicon.end - start > LONGEST_WORD) return undefined;
  const slot = slotOf(lexicon);
  if (slot >= 0) return tokenOf(lexicon, slot);
  remember(lexicon, ~slot, text.slice(start, lexicon.end));
  return tokenOf(lexicon, ~slot);
}

/** Reads over a word; its letters make two numbers that tell it apart. */
function endOfWord(lexicon: Lexicon, text: string, start: number): number {
  let hash = 0;
  let check = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((KINDS[code] || kindAt(text, at)) > INNER) break;
    hash = (Math.imul(hash, 31) + code) | 0;
    check = Math.imul(check ^ code, 0x01000193);
  }
  lexicon.hash = hash;
  lexicon.check = check;
  return at;
}

/** Where the word read last is remembered, or the complement of where it can be. Only a new word is cut out of the text: that takes time. */
function slotOf({ met, hash, check }: Lexicon): number {
  const first = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const at = 4 * ((first + tries) & (SLOTS - 1));
    if (met[at + 2] === 0) return ~at;
    if (met[at] === hash && met[at + 1] === check) return at;
  }
  return ~(4 * first);
}

function remember(lexicon: Lexicon, slot: number, word: string): void {
  const { met, hash, check } = lexicon;
  met[slot] = hash;
  met[slot + 1] = check;
  met[slot + 2] = learn(lexicon, word);
  met[slot + 3] = 0;
}

/** What a word is, unless the concept does not have it: then it is counted once for each part. */
function tokenOf(lexicon: Lexicon, slot: number): Token | undefined {
  const { met, tokens, part } = lexicon;
  const what = met[slot + 2] ?? 0;
  if (what >= FIRST_TOKEN) return tokens[what - FIRST_TOKEN];
  if (what === NOTHING) return undefined;
  if (met[slot + 3] !== part) lexicon.others += 1;
  met[slot + 3] = part;
  return undefined;
}

function addTerms(lexicon: Lexicon, { ids, languages }: Token, into: number[]): void {
  if (lexicon.unsampled > 0) for (const language of languages) lexicon.counts[language] += 1;
  for (const id of ids) {
    if (lexicon.lastText[id] === lexicon.text) continue;
    lexicon.lastText[id] = lexicon.text;
    into.push(id);
  }
}

const PLAIN = /^[A-Za-z][a-z]{2,}$/;
const START = 3;

/** What plain words start with that may be in the concept or mean something else. */
function startsOf(words: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words, ...COMMON.keys(), ...VALUE_WORDS, 'daily'].map((word) => word.slice(0, START)));
}

function learn({ ids, units, tokens, starts }: Lexicon, word: string): number {
  if (PLAIN.test(word) && !starts.has(word.slice(0, START).toLowerCase())) return OTHER_WORD;
  const stems = stemsOf(word);
  const known = stems.flatMap((stem) => ids.get(stem) ?? []);
  const isUnit = units.has(unitOf(word) ?? '') || stems.some((stem) => units.has(stem));
  const marks = (numberOf(word) === undefined ? 0 : NUMBER) | (isUnit ? UNIT : 0);
  const languages = languagesOf(word);
  if (known.length > 0 || marks !== 0 || languages.length > 0)
    return FIRST_TOKEN + tokens.push({ ids: known, marks, languages }) - 1;
  return stems.length > 0 ? OTHER_WORD : NOTHING;
}
