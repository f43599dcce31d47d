import type { AdrIndex } from './adr-index.ts';
import type { Judgement } from './judge-section.ts';
import { type Item, termOfValue } from './parts.ts';
import type { ConceptSection } from './prepare-concept.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import type { Value } from './values.ts';
import { isIn, scoresOf, type Weights } from './weights.ts';

/** A value of the concept, and the one that stands in its place in the ADR. */
export type Drift = {
  readonly item: Item;
  readonly value: Value;
  readonly sentence: string;
  readonly other: { readonly value: Value; readonly sentence: string; readonly part: number; readonly line: number };
};

/** How much of the words around a value must be around the other one too, and the other way round. */
const SAME_CONTEXT = 0.7;
const SAME_CONTEXT_BACK = 0.5;
const ITEMS_SEARCHED = 12;

/** Finds amounts and dates of a section that became others: the same words around them, and the old one nowhere near. */
export function findDrift(index: AdrIndex, concept: ConceptSection, { ranges }: Judgement): Drift[] {
  return concept.points.flatMap((item) => {
    const gone = item.values.filter(
      (value) => !ranges.some((range) => isIn(index.placesOf(termOfValue(value)), range)),
    );
    if (gone.length === 0) return [];
    const goneTerms = new Set(gone.map(termOfValue));
    return item.sentences.flatMap((sentence) =>
      sentence.values.some((value) => goneTerms.has(termOfValue(value)))
        ? driftOf(index, { concept, item, sentence, goneTerms })
        : [],
    );
  });
}

function driftOf(
  index: AdrIndex,
  {
    concept,
    item,
    sentence,
    goneTerms,
  }: { concept: ConceptSection; item: Item; sentence: Sentence & { weights: Weights }; goneTerms: ReadonlySet<string> },
): Drift[] {
  const counterpart = counterpartOf(index, sentence, concept.weightOf);
  if (counterpart === undefined) return [];
  const { part, line, sentence: other } = counterpart;
  return sentence.values.flatMap((value) => {
    if (!goneTerms.has(termOfValue(value))) return [];
    const changed = sameUnit(other, value.unit)[sameUnit(sentence, value.unit).indexOf(value)];
    if (changed === undefined || changed.amount === value.amount) return [];
    if (sameUnit(other, value.unit).length !== sameUnit(sentence, value.unit).length) return [];
    if (concept.part.terms.has(termOfValue(changed))) return [];
    if (isIn(index.placesOf(termOfValue(value)), { from: part, to: part + 1 })) return [];
    return [{ item, value, sentence: sentence.text, other: { value: changed, sentence: other.text, part, line } }];
  });
}

function sameUnit({ values }: Sentence, unit: string): Value[] {
  return values.filter((value) => value.unit === unit);
}

/** The sentence of the ADR with most of the same words that has a value of the same unit. */
function counterpartOf(
  index: AdrIndex,
  sentence: Sentence & { weights: Weights },
  weightOf: ReadonlyMap<string, number>,
) {
  const units = new Set(sentence.values.map(({ unit }) => unit));
  const nearest = [...scoresOf(index.itemPostings, sentence.weights)]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, ITEMS_SEARCHED);
  let best: { part: number; line: number; sentence: Sentence; score: number } | undefined;
  for (const [number] of nearest) {
    const { text = '', line = 1, part = 0, mayHaveValues = false } = index.items[number] ?? {};
    if (!mayHaveValues) continue;
    const others = sentencesOf(text);
    if (!others.some(({ values }) => values.some(({ unit }) => units.has(unit)))) continue;
    for (const other of others) {
      const score = contextScore(weightOf, sentence, other);
      if (score > (best?.score ?? 0)) best = { part, line, sentence: other, score };
    }
  }
  return best;
}

/** Zero unless both sentences are mostly about the same. */
function contextScore(weightOf: ReadonlyMap<string, number>, sentence: Sentence, other: Sentence): number {
  let shared = 0;
  let count = 0;
  let all = 0;
  for (const word of sentence.words) {
    const weight = weightOf.get(word) ?? 0;
    all += weight;
    if (!other.words.has(word)) continue;
    shared += weight;
    count += 1;
  }
  if (count < Math.min(2, sentence.words.size) || count === 0 || shared < all * SAME_CONTEXT) return 0;
  return count < other.words.size * SAME_CONTEXT_BACK ? 0 : shared / all;
}
