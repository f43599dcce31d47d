import type { AdrIndex } from './adr-index.ts';
import { coverageOf, findPlace } from './find-place.ts';
import type { ConceptSection, Point } from './prepare-concept.ts';
import { highestIn, type Range, type Weights } from './weights.ts';

/** What became of the text of a concept's section: where it is, and which of its items are nowhere. */
export type Judgement = {
  readonly fate: 'kept' | 'thinned' | 'lost';
  readonly similarity: number;
  /** The parts of the ADR that hold most of it. */
  readonly ranges: readonly Range[];
  /** How many items were looked for. */
  readonly points: number;
  readonly lostItems: readonly Point[];
  /** True for acceptance criteria when the ADR has none of its own: its text then implies some, and nobody can tell which. */
  readonly implied: boolean;
};

/** A heading that is still there vouches for its text, so that less of its wording must be. */
const KEPT_UNDER_ITS_HEADING = 0.2;
/** In another language the words differ; what stands under the same heading must at least not be much shorter. */
const TRANSLATED_SIZE = 0.33;
const KEPT_ELSEWHERE = 0.4;
const IMPLIED = 0.26;
/** What must be delivered has a place of its own; the same words here and there are not it. */
const OBLIGATION_KEPT_ELSEWHERE = 0.5;
const ITEM_LOST = 0.35;
const ITEM_LOST_IN_PLACE = 0.5;
const THINNED_SHARE = 0.4;
const THINNED_OBLIGATION_SHARE = 0.25;

/** Judges the text under one heading of a concept, its subsections apart. */
export function judgeSection(index: AdrIndex, concept: ConceptSection, sameLanguage: boolean): Judgement {
  const { weights, part } = concept;
  const place = findPlace(index, concept);
  const items = concept.points.filter(({ counts }) => counts);
  const found = items.map((item) => ({ item, coverage: itemCoverage(index, item) }));
  const elsewhere = (place.coverage + mean(found)) / 2;
  const named = similarityIn(index, items, { weights, ranges: place.named });
  const underHeading = sameLanguage
    ? named >= KEPT_UNDER_ITS_HEADING
    : place.named.some((range) => sizeOf(index, range) >= part.terms.size * TRANSLATED_SIZE);
  const implied = concept.obligation === 'acceptance' && !index.byKind.has('acceptance');
  const ranges = underHeading ? [...place.named, ...place.ranges] : place.ranges;
  const similarity = Math.max(elsewhere, named);
  const points = items.length;
  // Where the words differ anyway, only the missing heading of an obligation tells something.
  const tellable = sameLanguage || concept.obligation !== undefined;
  if (!underHeading && tellable && elsewhere < thresholdOf(concept, implied))
    return { fate: 'lost', similarity, ranges, points, lostItems: items, implied };
  const lostItems = items.filter((item) => isNowhere(index, item, ranges));
  const thinned = sameLanguage && isMuch(lostItems.length, points, concept);
  return { fate: thinned ? 'thinned' : 'kept', similarity, ranges, points, lostItems, implied };
}

function sizeOf({ sizes }: AdrIndex, { from, to }: Range): number {
  return (sizes[to] ?? 0) - (sizes[from] ?? 0);
}

function isNowhere(index: AdrIndex, { weights }: Point, ranges: readonly Range[]): boolean {
  return (
    coverageOf(index, weights, ranges) < ITEM_LOST_IN_PLACE &&
    highestIn(index.itemPostings, weights) < ITEM_LOST * weights.total
  );
}

/** One phase less is much of a plan; elsewhere it takes some points. */
function isMuch(lost: number, all: number, { obligation }: ConceptSection): boolean {
  if (obligation === undefined || obligation === 'acceptance') return lost >= 2 && lost >= all * THINNED_SHARE;
  return all >= 3 && lost >= 1 && lost >= all * THINNED_OBLIGATION_SHARE;
}

function thresholdOf({ obligation }: ConceptSection, implied: boolean): number {
  if (obligation === undefined) return KEPT_ELSEWHERE;
  return implied ? IMPLIED : OBLIGATION_KEPT_ELSEWHERE;
}

function similarityIn(
  index: AdrIndex,
  items: readonly Point[],
  { weights, ranges }: { weights: Weights; ranges: readonly Range[] },
): number {
  if (ranges.length === 0) return 0;
  const found = items.map((item) => ({ item, coverage: coverageOf(index, item.weights, ranges) }));
  return (coverageOf(index, weights, ranges) + mean(found)) / 2;
}

/** How much of an item one single part of the ADR holds. */
function itemCoverage({ postings }: AdrIndex, { weights }: Point): number {
  return weights.total === 0 ? 0 : highestIn(postings, weights) / weights.total;
}

/** Long items count more. */
function mean(found: readonly { item: Point; coverage: number }[]): number {
  let sum = 0;
  let all = 0;
  for (const { item, coverage } of found) {
    sum += coverage * item.terms.size;
    all += item.terms.size;
  }
  return all === 0 ? 0 : sum / all;
}
