import type { AdrIndex, AdrView } from '../index/adr-index.ts';
import { coverageOf, findPlace } from '../index/find-place.ts';
import { PLANS } from '../index/plans.ts';
import type { ConceptSection, Point } from '../index/prepare-concept.ts';
import { highestIn, type Range, scoresOf } from '../index/weights.ts';
import { termOfValue } from '../read/parts.ts';
import { splitSentences } from '../read/sentences.ts';
import { termsOf } from '../read/terms.ts';
import { areKin } from '../read/value-words.ts';
import { isToldByName } from './told-by-name.ts';

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
/** Among many criteria a few measures are examples. */
const MEASURED_SHARE = 0.25;
const MOST = 0.66;
/** What must be delivered has a place of its own; the same words here and there are not it. */
const OBLIGATION_KEPT_ELSEWHERE = 0.55;
/** Words of an item that stand together in another one are that item; scattered ones are not. */
const SAME_ITEM = 0.75;
const SAME_WORDS = 0.6;
const ITEMS_READ = 5;
const SENTENCES_READ = 50;
const ITEM_LOST = 0.35;
const ITEM_LOST_ONCE_GONE = 0.6;
const ITEM_LOST_IN_PLACE = 0.5;
/** When most of what must be delivered stands under its heading, the rest is looked for there, too. */
const MOSTLY_UNDER_ITS_HEADING = 0.5;
const ITEM_LOST_UNDER_ITS_HEADING = 0.4;
/** So little is left of an item that it was left out, not told in other words. */
const ITEM_GONE = 0.25;
const THINNED_SHARE = 0.4;
const THINNED_OBLIGATION_SHARE = 0.25;

/** What holds for all sections of a concept that are looked for in one ADR. */
export type Setting = {
  readonly sameLanguage: boolean;
  /** True when the ADR has most of the headings of its concept: what it has no heading for is then left out. */
  readonly sameHeadings: boolean;
};

/** Judges the text under one heading of a concept, its subsections apart. */
export function judgeSection(index: AdrIndex, concept: ConceptSection, setting: Setting): Judgement {
  const { weights, part } = concept;
  const { sameLanguage } = setting;
  const implied = isImplied(index, concept, setting);
  const strictly = implied ? 'proseAndCode' : 'prose';
  const view = viewOf(index, concept, { strictly });
  const viewFor = (item: Point) => viewOf(index, concept, { strictly, item });
  const place = findPlace(view, concept);
  const items = concept.points.filter(({ counts }) => counts);
  const elsewhere = (place.coverage + mean(items, (item) => itemCoverage(viewFor(item), item))) / 2;
  const inNamed = (item: Point) => coverageOf(viewFor(item), item.weights, place.named);
  const named = place.named.length === 0 ? 0 : (coverageOf(view, weights, place.named) + mean(items, inNamed)) / 2;
  const underHeading = sameLanguage
    ? named >= KEPT_UNDER_ITS_HEADING
    : place.named.some((range) => sizeOf(index, range) >= part.terms.size * TRANSLATED_SIZE);
  const ranges = underHeading ? [...place.named, ...place.ranges] : place.ranges;
  const similarity = Math.max(elsewhere, named);
  const points = items.length;
  // Where the words differ anyway, only the missing heading of an obligation tells something.
  const tellable = sameLanguage || concept.obligation !== undefined;
  const isMissed = !implied && isHeadingMissed(concept, setting, place.named);
  const unfound = () => items.filter((item) => !isSomewhere(viewFor(item), item));
  const isElsewhere =
    isMissed && points >= FEWEST_POINTS ? unfound().length * 2 < points : elsewhere >= thresholdOf(concept, implied);
  const isNamed = () => points > 0 && items.every((item) => isTold(viewFor(item), concept, item));
  const isUnmeasured = () =>
    implied && sameLanguage && isUnmeasuredIn(index, items) && unfound().length >= points * MOST;
  if (!underHeading && tellable && ((!isElsewhere && !isNamed()) || isUnmeasured()))
    return { fate: 'lost', similarity, ranges, points, lostItems: unfound(), implied };
  const strict = concept.obligation !== undefined && sameLanguage && named >= MOSTLY_UNDER_ITS_HEADING;
  const lostItems = strict
    ? items.filter((item) => inNamed(item) < ITEM_LOST_UNDER_ITS_HEADING && !isSomewhere(viewFor(item), item))
    : pointsNowhere(index, concept, ranges);
  const gone = strict && lostItems.some((item) => inNamed(item) < ITEM_GONE);
  const thinned = sameLanguage && isMuch(lostItems.length, points, { concept, strict, gone, underHeading });
  return { fate: thinned ? 'thinned' : 'kept', similarity, ranges, points, lostItems, implied };
}

/** What must be delivered is looked for only in prose, or in code at most, unless the concept itself has it in a fence or quote. */
export function viewOf(
  index: AdrIndex,
  { obligation, points, part }: ConceptSection,
  { strictly = 'prose', item }: { strictly?: 'prose' | 'proseAndCode'; item?: Point } = {},
): AdrView {
  if (obligation === undefined) return index;
  const isProse = item?.isProse ?? (part.codeTerms.size === 0 && points.every((point) => point.isProse));
  return isProse ? index[strictly] : index;
}

/** Fewer points than these are no list that could be found again point by point. */
const FEWEST_POINTS = 3;

/** Where the heading of what must be delivered should be, the same words here and there are not it; criteria are never elsewhere. */
function isHeadingMissed(
  { obligation, part }: ConceptSection,
  { sameLanguage, sameHeadings }: Setting,
  named: readonly Range[],
): boolean {
  return (
    sameLanguage &&
    !part.isBeginning &&
    (obligation === 'acceptance' ||
      (obligation !== undefined && !PLANS.includes(obligation) && sameHeadings && named.length === 0))
  );
}

function isImplied(index: AdrIndex, { obligation }: ConceptSection, { sameHeadings }: Setting): boolean {
  return obligation === 'acceptance' && !index.byKind.has('acceptance') && !sameHeadings;
}

/** A text does not imply criteria that measure something when it has none of the measures and hardly a word of what they are of. */
function isUnmeasuredIn(index: AdrIndex, items: readonly Point[]): boolean {
  const measures = ({ values }: Point) => values.filter(({ amount, unit }) => amount !== '1' && areKin(unit, unit));
  const measured = items.filter((item) => measures(item).length > 0);
  return (
    measured.length > 0 &&
    measured.length >= items.length * MEASURED_SHARE &&
    measured.every(
      (item) =>
        itemCoverage(index, item) < ITEM_LOST &&
        measures(item).every((value) => index.placesOf(termOfValue(value)) === undefined),
    )
  );
}

function sizeOf({ sizes }: AdrIndex, { from, to }: Range): number {
  return (sizes[to] ?? 0) - (sizes[from] ?? 0);
}

/** The points of a section that is there on the whole: what the code around says of them shows that they were not forgotten. */
function pointsNowhere(index: AdrIndex, concept: ConceptSection, ranges: readonly Range[]): Point[] {
  const strictly = 'proseAndCode';
  const view = viewOf(index, concept, { strictly });
  const around = view === viewOf(index, concept) ? ranges : [...ranges, ...findPlace(view, concept).ranges];
  return concept.points.filter((item) => {
    const own = viewOf(index, concept, { strictly, item });
    return item.counts && isNowhere(own, item, around) && !isTold(own, concept, item);
  });
}

/** What breaks is known by its names; of other obligations these tell only what they are about. */
function isTold(view: AdrView, { obligation }: ConceptSection, item: Point): boolean {
  return obligation === 'breaking' && isToldByName(view, item);
}

/** In its place hardly a word of it may be left, or few and nowhere else more. */
function isNowhere(index: AdrView, { weights }: Point, ranges: readonly Range[]): boolean {
  const inPlace = coverageOf(index, weights, ranges);
  if (inPlace >= ITEM_LOST_IN_PLACE) return false;
  const most = inPlace < ITEM_GONE ? ITEM_LOST_ONCE_GONE : ITEM_LOST;
  return highestIn(index.itemPostings, weights) < most * weights.total;
}

/** Tells whether one item of the ADR says what an item of the concept says, in about as many sentences. */
function isSomewhere({ itemPostings, items }: AdrView, { text, weights, terms }: Point): boolean {
  const places = [...scoresOf(itemPostings, weights)].filter(([, score]) => score >= SAME_ITEM * weights.total);
  const length = splitSentences(text).length;
  return places.slice(0, ITEMS_READ).some(([place]) => {
    const sentences = splitSentences(items[place]?.text ?? '').slice(0, SENTENCES_READ);
    return sentences.some((_, at) => shareOf(terms, termsOf(sentences.slice(at, at + length).join(' '))) >= SAME_WORDS);
  });
}

/** The share of the words that are among others; values are none. */
function shareOf(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const words = [...terms].filter((term) => !term.includes(' '));
  return words.length === 0 ? 1 : words.filter((word) => others.has(word)).length / words.length;
}

type Strictness = { concept: ConceptSection; strict: boolean; gone: boolean; underHeading: boolean };

/** One phase less is much of a plan, however long that is; elsewhere it takes some points. */
function isMuch(
  lost: number,
  all: number,
  { concept: { obligation }, strict, gone, underHeading }: Strictness,
): boolean {
  if (obligation === undefined || (obligation === 'acceptance' && !strict))
    return lost >= 2 && lost >= all * THINNED_SHARE;
  // Of two points without a heading of their own, one may well be told by the text around the other.
  if (all < FEWEST_POINTS && !underHeading) return false;
  return all > 1 && lost >= 1 && (gone || lost >= all * THINNED_OBLIGATION_SHARE);
}

function thresholdOf({ obligation }: ConceptSection, implied: boolean): number {
  if (obligation === undefined) return KEPT_ELSEWHERE;
  return implied ? IMPLIED : OBLIGATION_KEPT_ELSEWHERE;
}

/** How much of an item one single part of the ADR holds. */
function itemCoverage({ postings }: AdrView, { weights }: Point): number {
  return weights.total === 0 ? 0 : highestIn(postings, weights) / weights.total;
}

/** Long items count more. */
function mean(items: readonly Point[], coverage: (item: Point) => number): number {
  let sum = 0;
  let all = 0;
  for (const item of items) {
    sum += coverage(item) * item.terms.size;
    all += item.terms.size;
  }
  return all === 0 ? 0 : sum / all;
}
