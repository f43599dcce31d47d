import { termsOf } from './terms.ts';
import { MONTH_WORDS, NUMBER_WORDS } from './value-words.ts';
import { LONGEST_TEXT, type Value, valuesIn } from './values.ts';

/** A sentence that tells amounts or dates, and the words around them. */
export type Sentence = {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly values: readonly Value[];
  /** True for a part of a sentence between commas. */
  readonly isClause: boolean;
};

/** The dot of a date or a short form ends no sentence: "15. April 2026", "Apr. 15th, 2026", "2 Mio. €". */
const BETWEEN_SENTENCES = new RegExp(
  `(?<=[.!?])(?<!\\d\\s?(?:mio|mrd|tsd)\\.)\\s+(?!(?<=\\d\\.\\s)(?:${MONTH_WORDS})\\s\\d{4}|\\d{1,2}(?:st|nd|rd|th)?,?\\s\\d{4}(?!\\d))`,
  'i',
);

/** The sentences of a text. */
export function splitSentences(text: string): string[] {
  return text.slice(0, LONGEST_TEXT).split(BETWEEN_SENTENCES);
}

const BETWEEN_CLAUSES = new RegExp(
  `(?<=,)\\s+(?!\\d)|\\s+(?=(?:and|und|then|dann)\\s(?!\\d|(?:${NUMBER_WORDS}|days?|weeks?|tage?|wochen?)[\\s-]))`,
  'i',
);
const LONGEST_CLAUSES = 2000;

/** The sentences of a text whole, and what semicolons, commas and "and" part in them, since another text may join or part the same. */
export function phrasesOf(text: string): { readonly text: string; readonly isClause: boolean }[] {
  return splitSentences(text).flatMap((sentence) => {
    const halves = sentence.split(/(?<=;)\s+/);
    const clauses = halves.flatMap((half) => {
      const parts = half.length > LONGEST_CLAUSES ? [half] : half.split(BETWEEN_CLAUSES);
      return parts.length === 1 ? [] : parts;
    });
    return [
      ...(halves.length === 1 ? [] : halves).map((half) => ({ text: half, isClause: false })),
      { text: sentence, isClause: false },
      ...clauses.map((clause) => ({ text: clause, isClause: true })),
    ];
  });
}

/** The sentences and clauses of a text that tell values. */
export function sentencesOf(text: string): Sentence[] {
  return phrasesOf(text).flatMap(({ text: phrase, isClause }) => {
    const values = valuesIn(phrase);
    if (values.length === 0) return [];
    return [{ text: phrase, words: wordsAround(phrase, values), values, isClause }];
  });
}

const BETWEEN_CELLS = /\s*\|\s*|(?<=[;:])\s+/;

/** The smallest pieces of a text that say something each: what dots, colons, cells, commas and "and" part. */
export function clausesOf(text: string): string[] {
  return splitSentences(text).flatMap((sentence) =>
    sentence
      .split(BETWEEN_CELLS)
      .flatMap((piece) => (piece.length > LONGEST_CLAUSES ? [piece] : piece.split(BETWEEN_CLAUSES))),
  );
}

/** The words of a sentence that are no unit or number word of its values. */
export function wordsAround(sentence: string, values: readonly Value[] = valuesIn(sentence)): ReadonlySet<string> {
  let rest = sentence;
  for (const { text } of values) rest = rest.replace(text, ' ');
  return termsOf(rest);
}

/** How many words right before and after two values are the same; none when all of them say nothing by themselves. */
export function sameNeighbours(one: readonly [string, string], other: readonly [string, string]): number {
  const [before, after] = around(...one);
  const [otherBefore, otherAfter] = around(...other);
  const same = [...sameStart(before.toReversed(), otherBefore.toReversed()), ...sameStart(after, otherAfter)];
  return termsOf(same.join(' ')).size === 0 ? 0 : same.length;
}

function around(text: string, value: string): [before: string[], after: string[]] {
  const [before = '', after = ''] = text.split(value, 2);
  return [wordsOf(before.slice(-200)), wordsOf(after.slice(0, 200))];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function sameStart(one: readonly string[], other: readonly string[]): string[] {
  const end = one.findIndex((word, index) => word !== other[index]);
  return end === -1 ? [...one] : one.slice(0, end);
}
