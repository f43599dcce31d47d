import type { AdrIndex, AdrView, IndexedItem } from '../index/adr-index.ts';
import type { ConceptSection, Point, WeighedSentence } from '../index/prepare-concept.ts';
import { isIn, type Range, scoresOf } from '../index/weights.ts';
import { termOfValue, type Written } from '../read/parts.ts';
import { type Sentence, sameNeighbours, sentencesOf } from '../read/sentences.ts';
import { areKin, areOther } from '../read/value-words.ts';
import type { Value } from '../read/values.ts';
import { viewOf } from '../sections/judge-section.ts';
import type { Drift } from './drift.ts';
import { findTwinDrift } from './twin-drift.ts';

/** A sentence of the ADR that tells a value, and how much of the words of one of the concept it has. */
type Counterpart = {
  readonly part: number;
  readonly line: number;
  readonly sentence: Sentence;
  /** Zero unless both sentences are mostly about the same. */
  readonly score: number;
  /** True when they have at least something in common. */
  readonly isLike: boolean;
};

/** How much of the words around a value must be around the other one too, and the other way round. */
const SAME_CONTEXT = 0.7;
const SAME_CONTEXT_BACK = 0.5;
/** Less of them will do when the words right beside the value are the same. */
const LIKE_CONTEXT = 0.35;
const LIKE_WORDS = 3;
const SAME_NEIGHBOURS = 3;
const ITEMS_SEARCHED = 12;

/** Finds amounts and dates of a section that became others: the same words around them, and the old one nowhere near. */
export function findDrift(index: AdrIndex, concept: ConceptSection, ranges: readonly Range[]): Drift[] {
  return [...(concept.heading === undefined ? [] : [concept.heading]), ...concept.points].flatMap((item) => {
    const view = viewOf(index, concept, { item });
    const gone = item.values.filter((value) => !ranges.some((range) => isIn(view.placesOf(termOfValue(value)), range)));
    const drifts = gone.length === 0 ? [] : driftsOf(view, { concept, item, gone: new Set(gone.map(termOfValue)) });
    return drifts.length > 0 ? drifts : findTwinDrift(view, { concept, item, ranges });
  });
}

/** Each value once, however many sentences tell it. */
function driftsOf(
  index: AdrView,
  { concept, item, gone }: { concept: ConceptSection; item: Point; gone: ReadonlySet<string> },
): Drift[] {
  const drifts = new Map<string, Drift>();
  const near = new Set<string>();
  for (const sentence of item.sentences()) {
    const values = sentence.values.filter((value) => gone.has(termOfValue(value)));
    if (values.length === 0) continue;
    const counterparts = counterpartsOf(index, sentence, { ...concept, isHeading: item === concept.heading });
    for (const each of counterparts) for (const value of each.sentence.values) near.add(termOfValue(value));
    for (const value of values) {
      const key = termOfValue(value);
      const other = drifts.has(key) ? undefined : changedTo(value, sentence, counterparts);
      if (other === undefined || concept.part.terms.has(termOfValue(other.value))) continue;
      if (isEachIn(near, value) || isEachIn(concept.part.terms, other.value)) continue;
      if (isIn(index.placesOf(key), { from: other.part, to: other.part + 1 })) continue;
      drifts.set(key, { item, value, sentence: sentence.text, other });
    }
  }
  return [...drifts.values()];
}

/** What is told of day 13-14 may stand under day 13 and day 14, or come from there. */
function isEachIn(terms: ReadonlySet<string>, { text, amount, unit }: Value): boolean {
  const [first = 0, last = 0] = amount.split('-').map(Number);
  if (!unit.startsWith('no. ') || !(first < last)) return false;
  let number = first;
  while (number <= last && terms.has(termOfValue({ text, unit, amount: String(number) }))) number += 1;
  return number > last;
}

/** The value at the same place of the sentence that is most alike, or else the one between the same words. */
function changedTo(value: Value, sentence: Sentence, counterparts: readonly Counterpart[]): Drift['other'] | undefined {
  const [best] = counterparts;
  const instead = best === undefined || best.score === 0 ? undefined : atSamePlace(value, sentence, best.sentence);
  if (best !== undefined && instead !== undefined)
    return { value: instead, sentence: best.sentence.text, part: best.part, line: best.line };
  for (const { sentence: other, part, line, isLike } of counterparts) {
    if (!isLike) continue;
    const changed = other.values.find(
      (each) =>
        isChange(value, each) &&
        sameNeighbours([sentence.text, value.text], [other.text, each.text]) >= SAME_NEIGHBOURS,
    );
    if (changed !== undefined) return { value: changed, sentence: other.text, part, line };
  }
  return undefined;
}

function atSamePlace(value: Value, sentence: Sentence, other: Sentence): Value | undefined {
  const isSame = ({ unit }: Value) => unit === value.unit;
  const isKin = ({ unit }: Value) => unit === value.unit || areKin(unit, value.unit);
  for (const holds of [isSame, isKin]) {
    const [here, there] = [sentence.values.filter(holds), other.values.filter(holds)];
    const changed = here.length === there.length ? there[here.indexOf(value)] : undefined;
    if (changed !== undefined) return isChange(value, changed) ? changed : undefined;
  }
  return other.values.find((each) => each.amount === value.amount && isChange(value, each));
}

/** Another amount of the same, in whichever unit: 2 hours and 15 hours for 15 minutes. */
export function isChange(value: Value, other: Value): boolean {
  if (value.unit === other.unit) return value.amount !== other.amount;
  return areKin(value.unit, other.unit) && areOther([value.amount, value.unit], [other.amount, other.unit]);
}

/** The sentences of the ADR with values that may have been those of a sentence of the concept, the most alike first. */
function counterpartsOf(
  index: AdrView,
  sentence: WeighedSentence,
  { weightOf, isHeading }: Pick<ConceptSection, 'weightOf'> & { isHeading: boolean },
): Counterpart[] {
  const nearest = [...scoresOf(index.itemPostings, sentence.weights)]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, ITEMS_SEARCHED)
    .flatMap(([number]) => index.items[number] ?? []);
  const headings = sentence.weights.ids.flatMap((id) => index.valued.get(id)?.slice(0, ITEMS_SEARCHED) ?? []);
  const read = (item: IndexedItem, isAlike: boolean): Counterpart[] => {
    if (!item.mayHaveValues) return [];
    return readOnce(item)
      .filter(({ values }) => values.some((value) => sentence.values.some((each) => isChange(each, value))))
      .map((other) => ({ ...item, sentence: other, ...contextOf({ weightOf, sentence, other, isAlike }) }));
  };
  return [
    ...nearest.flatMap((item) => read(item, !isHeading)),
    ...[...new Set(headings)].flatMap((item) => read(item, isHeading)),
  ].toSorted((a, b) => b.score - a.score);
}

const READ = new WeakMap<Written, readonly Sentence[]>();

/** A long paragraph may be near to each sentence of another one. */
function readOnce(item: Written): readonly Sentence[] {
  const known = READ.get(item) ?? sentencesOf(item.text);
  READ.set(item, known);
  return known;
}

type Pair = Pick<ConceptSection, 'weightOf'> & {
  readonly sentence: Sentence;
  readonly other: Sentence;
  /** True for two headings or two sentences: of these one word may be enough. */
  readonly isAlike: boolean;
};

function contextOf({ weightOf, sentence, other, isAlike }: Pair): Pick<Counterpart, 'score' | 'isLike'> {
  let found = 0;
  let count = 0;
  let all = 0;
  for (const word of sentence.words) {
    const weight = weightOf.get(word) ?? 0;
    all += weight;
    if (!other.words.has(word)) continue;
    found += weight;
    count += 1;
  }
  const shared = all === 0 ? 0 : found / all;
  const fewest = sentence.isClause || other.isClause || !isAlike ? 2 : Math.min(2, sentence.words.size);
  const isSame = count >= fewest && shared >= SAME_CONTEXT && count >= other.words.size * SAME_CONTEXT_BACK;
  return { score: isSame ? shared : 0, isLike: count >= LIKE_WORDS && shared >= LIKE_CONTEXT };
}
