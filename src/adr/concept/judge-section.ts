import type { AdrIndex } from './adr-index.ts';
import { coverageOf, type FoundPlace, findPlace, partScores, type Range, type Weights } from './find-place.ts';
import type { Item } from './parts.ts';
import type { ConceptSection } from './prepare-concept.ts';

/** What became of the text of a concept's section: where it is, and which of its items are nowhere. */
export type Judgement = {
  readonly fate: 'kept' | 'thinned' | 'lost';
  readonly similarity: number;
  /** The parts of the ADR that hold most of it. */
  readonly ranges: readonly Range[];
  readonly lostItems: readonly Item[];
};

/** A heading that is still there vouches for its text, so that less of its wording must be. */
const KEPT_UNDER_ITS_HEADING = 0.2;
const KEPT_ELSEWHERE = 0.3;
/** What must be delivered has a place of its own; the same words here and there are not it. */
const OBLIGATION_KEPT_ELSEWHERE = 0.42;
const ITEM_LOST = 0.3;
const THINNED_SHARE = 0.4;
const THINNED_ITEMS = 2;

/** Judges the text under one heading of a concept, its subsections apart. */
export function judgeSection(index: AdrIndex, concept: ConceptSection, sameLanguage: boolean): Judgement {
  const { section, weights, part } = concept;
  const place = findPlace(index, section, weights);
  const items = part.items.filter(({ terms }) => terms.size >= 2);
  const found = items.map((item) => ({ item, coverage: itemCoverage(index, item, weights) }));
  const similarity = (place.coverage + mean(found)) / 2;
  const heading = place.heading === undefined ? undefined : index.range(place.heading);
  const underHeading = heading === undefined ? 0 : similarityIn(index, { items, weights, range: heading, place });
  const kept = underHeading >= (sameLanguage ? KEPT_UNDER_ITS_HEADING : 0.05) || similarity >= thresholdOf(concept);
  const ranges =
    heading !== undefined && underHeading >= KEPT_UNDER_ITS_HEADING ? [heading, ...place.ranges] : place.ranges;
  if (!kept) return { fate: 'lost', similarity, ranges, lostItems: items };
  const lostItems = found
    .filter(
      ({ item, coverage }) =>
        coverage < ITEM_LOST && coverageOf(index, weightsOfItem(item, weights), ranges) < ITEM_LOST,
    )
    .map(({ item }) => item);
  const thinned = lostItems.length >= THINNED_ITEMS && lostItems.length >= items.length * THINNED_SHARE;
  return {
    fate: thinned && sameLanguage ? 'thinned' : 'kept',
    similarity: Math.max(similarity, underHeading),
    ranges,
    lostItems,
  };
}

function thresholdOf({ obligation }: ConceptSection): number {
  return obligation === undefined || obligation === 'acceptance' ? KEPT_ELSEWHERE : OBLIGATION_KEPT_ELSEWHERE;
}

function similarityIn(
  index: AdrIndex,
  { items, weights, range, place }: { items: readonly Item[]; weights: Weights; range: Range; place: FoundPlace },
): number {
  const found = items.map((item) => ({ item, coverage: coverageOf(index, weightsOfItem(item, weights), [range]) }));
  return (place.headingCoverage + mean(found)) / 2;
}

/** How much of an item one single part of the ADR holds. */
function itemCoverage(index: AdrIndex, item: Item, weights: Weights): number {
  const own = weightsOfItem(item, weights);
  let all = 0;
  for (const weight of own.values()) all += weight;
  let best = 0;
  for (const score of partScores(index, own).values()) if (score > best) best = score;
  return all === 0 ? 0 : best / all;
}

function weightsOfItem(item: Item, weights: Weights): Weights {
  return new Map([...item.terms].map((term) => [term, weights.get(term) ?? 0]));
}

/** Long items count more. */
function mean(found: readonly { item: Item; coverage: number }[]): number {
  let sum = 0;
  let all = 0;
  for (const { item, coverage } of found) {
    sum += coverage * item.terms.size;
    all += item.terms.size;
  }
  return all === 0 ? 0 : sum / all;
}
