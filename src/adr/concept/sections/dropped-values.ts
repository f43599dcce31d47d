import type { AdrIndex, AdrView } from '../index/adr-index.ts';
import type { ConceptSection, Point, WeighedSentence } from '../index/prepare-concept.ts';
import { scoresOf } from '../index/weights.ts';
import { termOfValue, type Written } from '../read/parts.ts';
import { phrasesOf } from '../read/sentences.ts';
import { termsOf } from '../read/terms.ts';
import { areKin } from '../read/value-words.ts';
import { type Value, valuesIn } from '../read/values.ts';
import { type Judgement, viewOf } from './judge-section.ts';

const ITEMS_SEARCHED = 4;
/** How much of the words around the value a phrase without it must have, and the other way round. */
const SAME_WORDS = 0.9;
const SAME_WORDS_BACK = 0.6;
const FEWEST_WORDS = 2;

/** What is decided by how long, how much or when: of risks and criteria the wording changes with the text around. */
const BINDING: readonly (string | undefined)[] = ['migration', 'rollback', 'security'];

/** The points of a section that the ADR repeats without the time, size, share or price they told. */
export function findDropped(index: AdrIndex, concept: ConceptSection, { ranges }: Judgement): Point[] {
  if (!BINDING.includes(concept.obligation)) return [];
  return concept.points.filter((item) => {
    const view = viewOf(index, concept, { item });
    const gone = item.values.filter((value) => isMeasure(value) && view.placesOf(termOfValue(value)) === undefined);
    if (gone.length === 0) return false;
    const isGone = (value: Value) => gone.some((each) => termOfValue(each) === termOfValue(value));
    const tells = (part: number) => ranges.some(({ from, to }) => part >= from && part < to);
    return item.sentences().some((sentence) => {
      const values = sentence.values.filter(isGone);
      return values.length > 0 && isRepeatedWithout(view, sentence, { values, tells });
    });
  });
}

/** "One day" may be "a day" or "daily"; things that are counted may be named instead. */
function isMeasure({ amount, unit }: Value): boolean {
  return amount !== '1' && areKin(unit, unit);
}

type Gone = { readonly values: readonly Value[]; tells(part: number): boolean };

function isRepeatedWithout(index: AdrView, { words, weights }: WeighedSentence, { values, tells }: Gone): boolean {
  if (words.size < FEWEST_WORDS) return false;
  return [...scoresOf(index.itemPostings, weights)]
    .filter(([, score]) => score >= SAME_WORDS * weights.total)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, ITEMS_SEARCHED)
    .flatMap(([number]) => index.items[number] ?? [])
    .some((item) => tells(item.part) && !tellsKin(item, values) && hasPhrase(item, words));
}

/** Another value of the kind may be the same in other words; when it is not, it is a change. */
function tellsKin({ text }: Written, values: readonly Value[]): boolean {
  return valuesIn(text).some(({ unit }) => values.some((value) => areKin(unit.replace('no. ', ''), value.unit)));
}

function hasPhrase({ text }: Written, words: ReadonlySet<string>): boolean {
  return phrasesOf(text).some((phrase) => {
    const others = termsOf(phrase.text);
    let shared = 0;
    for (const word of words) if (others.has(word)) shared += 1;
    return shared >= SAME_WORDS * words.size && shared >= SAME_WORDS_BACK * others.size;
  });
}
