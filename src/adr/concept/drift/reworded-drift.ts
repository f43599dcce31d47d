import type { Section } from '../../document/adr.ts';
import { firstFrom } from '../../document/first-from.ts';
import type { AdrIndex, IndexedItem } from '../index/adr-index.ts';
import { sectionsNamed } from '../index/find-place.ts';
import { PLANS, pointsOf, withParts } from '../index/plans.ts';
import type { ConceptSection } from '../index/prepare-concept.ts';
import { termOfValue, type Written } from '../read/parts.ts';
import { sentencesOf } from '../read/sentences.ts';
import { measuredBy } from '../read/value-words.ts';
import { type Value, valuesIn } from '../read/values.ts';
import type { Drift } from './drift.ts';
import { isChange } from './value-drift.ts';

/** A value with the sentence that tells it. */
type Told<Where> = {
  readonly value: Value;
  readonly sentence: string;
  readonly words: ReadonlySet<string>;
  readonly item: Where;
};

/** Of other sections than short plans it takes so much of the words around the one value to be about the other. */
const SAME_MATTER = 0.5;
/** A plan of so few points is about one thing. */
const SHORT = 2;
const SHORT_IN_ADR = 3;

/**
 * Finds the measured amount or date of what must be delivered that became another one in a text of other words: under the same heading
 * both documents tell only one of its kind, the ADR has the old one nowhere, and the concept has the new one nowhere.
 */
export function findRewordedDrift(index: AdrIndex, concept: ConceptSection): Drift[] {
  if (concept.obligation === undefined) return [];
  const own = [...(concept.heading === undefined ? [] : [concept.heading]), ...concept.points].filter(
    ({ isProse, values }) => isProse && values.some(({ unit }) => measuredBy(unit) !== undefined),
  );
  if (own.length === 0) return [];
  const sections = sectionsNamed(index.prose, concept);
  const isShort = isShortPlan(index, concept, sections);
  return toldIn(own).flatMap((one) => {
    const kind = measuredBy(one.value.unit);
    if (kind === undefined || index.placesOf(termOfValue(one.value)) !== undefined) return [];
    if (amountsBelow(concept).get(kind)?.size !== 1) return [];
    const [other, ...more] = distinct(
      sections.flatMap((section) => toldUnder(index, section).get(kind)?.slice(0, 2) ?? []),
    );
    if (other === undefined || more.length > 0 || index.placesOf(termOfValue(other.value)) !== undefined) return [];
    const isSameMatter = (isShort && one.value.unit === other.value.unit) || shareWords(one, other);
    if (!isSameMatter || !isChange(one.value, other.value)) return [];
    const { value, sentence, item } = other;
    return [{ item: one.item, value: one.value, sentence: one.sentence, other: { ...item, value, sentence } }];
  });
}

/** Each value of some items once, with the shortest sentence that tells it. */
function toldIn<Where extends Written>(items: readonly Where[]): Told<Where>[] {
  return distinct(
    items.flatMap((item) =>
      sentencesOf(item.text)
        .toReversed()
        .flatMap(({ text, words, values }) => values.map((value) => ({ value, sentence: text, words, item }))),
    ),
  );
}

function distinct<Each extends { readonly value: Value }>(all: readonly Each[]): Each[] {
  return [...new Map(all.map((each) => [termOfValue(each.value), each])).values()];
}

/** A short plan is about one thing, however that is told; elsewhere some of the words must be the same. */
function isShortPlan({ items, range }: AdrIndex, concept: ConceptSection, sections: readonly Section[]): boolean {
  if (!PLANS.includes(concept.obligation) || pointsOf(withParts(concept)).length > SHORT) return false;
  return sections.every((section) => {
    const { from, to } = range(section);
    return firstIn(items, to) - firstIn(items, from) <= SHORT_IN_ADR;
  });
}

function shareWords({ words }: Told<unknown>, { words: others }: Told<unknown>): boolean {
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  return shared > 0 && shared >= SAME_MATTER * Math.min(words.size, others.size);
}

type Amounts = ReadonlyMap<string, ReadonlySet<string>>;

const AMOUNTS = new WeakMap<ConceptSection, Amounts>();

/** What a section and all below it tell, by what it measures. */
function amountsBelow(concept: ConceptSection): Amounts {
  const known = AMOUNTS.get(concept);
  if (known !== undefined) return known;
  const amounts = new Map<string, Set<string>>();
  const add = (kind: string, amount: string) => amounts.set(kind, (amounts.get(kind) ?? new Set()).add(amount));
  for (const { values } of [...(concept.heading === undefined ? [] : [concept.heading]), ...concept.points])
    for (const value of values) add(measuredBy(value.unit) ?? value.unit, termOfValue(value));
  for (const child of concept.children)
    for (const [kind, all] of amountsBelow(child)) for (const amount of all) add(kind, amount);
  AMOUNTS.set(concept, amounts);
  return amounts;
}

type ToldByKind = ReadonlyMap<string | undefined, readonly Told<IndexedItem>[]>;

const TOLD = new WeakMap<AdrIndex, Map<Section, ToldByKind>>();

/** What a section of the ADR and all below it tell, in headings and text, by what it measures. */
function toldUnder(index: AdrIndex, section: Section): ToldByKind {
  const known = TOLD.get(index) ?? new Map<Section, ToldByKind>();
  TOLD.set(index, known);
  const told =
    known.get(section) ?? Map.groupBy(toldIn(itemsUnder(index, section)), ({ value }) => measuredBy(value.unit));
  known.set(section, told);
  return told;
}

function itemsUnder({ items, parts, range }: AdrIndex, section: Section): IndexedItem[] {
  const { from, to } = range(section);
  const found: IndexedItem[] = [];
  for (let part = from; part < to; part += 1) {
    const heading = parts[part]?.section;
    if (heading === undefined || valuesIn(heading.title).length === 0) continue;
    found.push({ line: heading.line, text: heading.title, isProse: true, part, mayHaveValues: true });
  }
  for (let at = firstIn(items, from); (items[at]?.part ?? to) < to; at += 1) {
    const item = items[at];
    if (item?.isProse && item.mayHaveValues) found.push(item);
  }
  return found;
}

/** The number of the first item from a part on. */
function firstIn(items: readonly IndexedItem[], part: number): number {
  return firstFrom(items, (item) => item.part < part);
}
