import { termsOf } from './terms.ts';
import { LONGEST_TEXT, type Value, valuesIn } from './values.ts';

/** A sentence that tells amounts or dates, and the words around them. */
export type Sentence = {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly values: readonly Value[];
};

/** The sentences of a text that tell values. */
export function sentencesOf(text: string): Sentence[] {
  return text
    .slice(0, LONGEST_TEXT)
    .split(/(?<=[.!?;])\s+/)
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
