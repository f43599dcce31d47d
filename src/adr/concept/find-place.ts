import type { Section } from '../adr.ts';
import type { AdrIndex } from './adr-index.ts';
import { headingOf, headingSimilarity } from './headings.ts';

/** Parts of an ADR, from one up to the other, that together say something of the concept. */
export type Range = { readonly from: number; readonly to: number };

/** Where an ADR says best what a text of the concept says, and how much of its weight is found there. */
export type FoundPlace = {
  readonly ranges: readonly Range[];
  readonly coverage: number;
  /** The sections with the same heading, the one that holds most of the text first. */
  readonly named: readonly Range[];
};

/** The weight of each word of a text: high for words that few sections of the concept have. */
export type Weights = ReadonlyMap<string, number>;

const COMMON = 200;
const CANDIDATES = 12;
const SECTIONS_IN_A_PLACE = 3;

/** Finds the sections of an ADR that hold most of a text: by heading, and the best few by content wherever they stand. */
export function findPlace(index: AdrIndex, section: Section, weights: Weights): FoundPlace {
  const ranges = bestRanges(index, weights);
  return { ranges, coverage: coverageOf(index, weights, ranges), named: sameHeading(index, section, weights) };
}

/** The share of a text's weight that some parts of an ADR hold. */
export function coverageOf(index: AdrIndex, weights: Weights, ranges: readonly Range[]): number {
  let found = 0;
  let all = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (ranges.some((range) => isIn(index.postings.get(term), range))) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

/** Tells whether a sorted list has a number of the range. */
export function isIn(sorted: readonly number[] | undefined, { from, to }: Range): boolean {
  if (sorted === undefined) return false;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (sorted[low] ?? Number.POSITIVE_INFINITY) < to;
}

/** The best sections by content: each adds what the ones before lack. */
function bestRanges(index: AdrIndex, weights: Weights): Range[] {
  const candidates = candidateRanges(index, weights);
  const chosen: Range[] = [];
  let missing = weights;
  const total = sumOf(weights);
  while (chosen.length < SECTIONS_IN_A_PLACE) {
    const gains = candidates.map((range) => ({ range, gain: coverageOf(index, missing, [range]) * sumOf(missing) }));
    const best = gains.toSorted((a, b) => b.gain - a.gain)[0];
    if (best === undefined || best.gain < total * (chosen.length === 0 ? 0.02 : 0.1)) break;
    chosen.push(best.range);
    missing = new Map([...missing].filter(([term]) => !isIn(index.postings.get(term), best.range)));
  }
  return chosen;
}

/** The parts that share most with a text, and the sections around them that are not much larger than it. */
function candidateRanges(index: AdrIndex, weights: Weights): Range[] {
  const best = [...partScores(index, weights)].toSorted((a, b) => b[1] - a[1]).slice(0, CANDIDATES);
  const ranges = new Map<string, Range>();
  for (const [part] of best) {
    ranges.set(`${part}`, { from: part, to: part + 1 });
    for (const around of smallAncestors(index, part, weights.size)) ranges.set(`${around.from}-${around.to}`, around);
  }
  return [...ranges.values()];
}

/** How much of the weight of a text each part of an ADR holds, for the parts that hold some. */
export function partScores(index: AdrIndex, weights: Weights): ReadonlyMap<number, number> {
  return scoresOf(index.postings, weights);
}

/** How much of the weight of a text each item of an ADR holds, for the items that hold some. */
export function itemScores(index: AdrIndex, weights: Weights): ReadonlyMap<number, number> {
  return scoresOf(index.itemPostings, weights);
}

/** Words that stand nearly everywhere find no place; they are asked for only when there is no other. */
function scoresOf(postings: ReadonlyMap<string, readonly number[]>, weights: Weights): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  let rarest: readonly number[] | undefined;
  for (const [term, weight] of weights) {
    const places = postings.get(term);
    if (places === undefined) continue;
    if (rarest === undefined || places.length < rarest.length) rarest = places;
    if (places.length <= COMMON) for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight);
  }
  if (scores.size === 0) for (const place of rarest?.slice(0, COMMON) ?? []) scores.set(place, 1);
  return scores;
}

function smallAncestors(index: AdrIndex, part: number, terms: number): Range[] {
  const ranges: Range[] = [];
  const limit = Math.max(60, 3 * terms);
  for (let each = index.parts[part]?.section; each !== undefined && each.level > 1; each = each.parent) {
    const range = index.range(each);
    if ((index.sizes[range.to] ?? 0) - (index.sizes[range.from] ?? 0) > limit) break;
    ranges.push(range);
  }
  return ranges;
}

const SAME_HEADING = 0.6;

/** A checklist on migration among the acceptance criteria is no migration plan: it matches only what is acceptance too. */
function sameHeading(index: AdrIndex, section: Section, weights: Weights): Range[] {
  const { kinds, topics } = headingOf(section);
  const candidates = new Set([
    ...(index.byName.get(section.name) ?? []).slice(0, CANDIDATES),
    ...kinds.flatMap((kind) => (index.byKind.get(kind) ?? []).slice(0, CANDIDATES)),
    ...[...topics].flatMap((word) => (index.byWord.get(word) ?? []).slice(0, CANDIDATES)),
  ]);
  const anywhere = isInAcceptance(section);
  return [...candidates]
    .filter((candidate) => headingSimilarity(section, candidate) >= SAME_HEADING)
    .filter((candidate) => anywhere || !isInAcceptance(candidate.parent))
    .map((candidate) => ({
      range: index.range(candidate),
      coverage: coverageOf(index, weights, [index.range(candidate)]),
    }))
    .toSorted((a, b) => b.coverage - a.coverage)
    .slice(0, SECTIONS_IN_A_PLACE)
    .map(({ range }) => range);
}

function isInAcceptance(section: Section | undefined): boolean {
  for (let each = section; each !== undefined; each = each.parent)
    if (headingOf(each).kinds.includes('acceptance')) return true;
  return false;
}

/** The weight of a whole text. */
export function sumOf(weights: Weights): number {
  let all = 0;
  for (const weight of weights.values()) all += weight;
  return all;
}
