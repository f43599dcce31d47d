import { termsOf } from './terms.ts';
import { MONTH_WORDS } from './value-words.ts';
import { LONGEST_TEXT, type Value, valuesIn } from './values.ts';

/** A sentence that tells amounts or dates, and the words around them. */
export type Sentence = {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly values: readonly Value[];
};

/** The dot of a date ends no sentence: "15. April 2026", "Apr. 15th, 2026". */
const BETWEEN_SENTENCES = new RegExp(
  `(?<=[.!?])\\s+(?!(?<=\\d\\.\\s)(?:${MONTH_WORDS})\\s\\d{4}|\\d{1,2}(?:st|nd|rd|th)?,?\\s\\d{4}(?!\\d))`,
  'i',
);

/** The sentences of a text. */
export function splitSentences(text: string): string[] {
  return text.slice(0, LONGEST_TEXT).split(BETWEEN_SENTENCES);
}

/** The sentences of a text that tell values; one with semicolons is read whole, too, since another text may join what they part. */
export function sentencesOf(text: string): Sentence[] {
  return splitSentences(text)
    .flatMap((sentence) => {
      const clauses = sentence.split(/(?<=;)\s+/);
      return clauses.length === 1 ? clauses : [...clauses, sentence];
    })
    .flatMap((sentence) => {
      const values = valuesIn(sentence);
      if (values.length === 0) return [];
      return [{ text: sentence, words: wordsAround(sentence, values), values }];
    });
}

/** The words of a sentence that are no unit or number word of its values. */
function wordsAround(sentence: string, values: readonly Value[]): ReadonlySet<string> {
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
