import type { Section } from '../../document/adr.ts';
import { headingSimilarity, sectionsAround } from '../read/headings.ts';
import type { AdrView } from './adr-index.ts';
import type { ConceptSection } from './prepare-concept.ts';
import { isIn, pick, type Range, scoresOf, type Weights, weightIn } from './weights.ts';

/** Where an ADR says best what a text of the concept says, and how much of its weight is found there. */
export type FoundPlace = {
  readonly ranges: readonly Range[];
  readonly coverage: number;
  /** The sections with the same heading, the one that holds most of the text first. */
  readonly named: readonly Range[];
};

const CANDIDATES = 12;
const SECTIONS_IN_A_PLACE = 3;

/** Finds the sections of an ADR that hold most of a text: by heading, and the best few by content wherever they stand. */
export function findPlace(index: AdrView, concept: ConceptSection): FoundPlace {
  const { weights } = concept;
  const ranges = bestRanges(index, weights);
  return { ranges, coverage: coverageOf(index, weights, ranges), named: sameHeading(index, concept) };
}

/** The share of a text's weight that some parts of an ADR hold. */
export function coverageOf({ postings }: AdrView, weights: Weights, ranges: readonly Range[]): number {
  return weights.total === 0 ? 0 : weightIn(postings, weights, ranges) / weights.total;
}

/** The best sections by content: each adds what the ones before lack. */
function bestRanges({ postings, ...index }: AdrView, weights: Weights): Range[] {
  let missing = pick(weights, (id) => postings[id] !== undefined);
  const candidates = candidateRanges({ postings, ...index }, missing, weights.ids.length);
  const chosen: Range[] = [];
  while (chosen.length < SECTIONS_IN_A_PLACE) {
    let best: Range | undefined;
    let most = 0;
    for (const range of candidates) {
      const gain = weightIn(postings, missing, [range]);
      if (gain > most) [best, most] = [range, gain];
    }
    if (best === undefined || most < weights.total * (chosen.length === 0 ? 0.02 : 0.1)) break;
    const range = best;
    chosen.push(range);
    missing = pick(missing, (id) => !isIn(postings[id], range));
  }
  return chosen;
}

/** The parts that share most with a text, and the sections around them that are not much larger than it. */
function candidateRanges(index: AdrView, weights: Weights, size: number): Range[] {
  const best = [...scoresOf(index.postings, weights)].toSorted((a, b) => b[1] - a[1]).slice(0, CANDIDATES);
  const ranges = new Map<string, Range>();
  for (const [part] of best) {
    ranges.set(`${part}`, { from: part, to: part + 1 });
    for (const around of smallAncestors(index, part, size)) ranges.set(`${around.from}-${around.to}`, around);
  }
  return [...ranges.values()];
}

function smallAncestors(index: AdrView, part: number, terms: number): Range[] {
  const ranges: Range[] = [];
  const limit = Math.max(60, 3 * terms);
  const section = index.parts[part]?.section;
  for (const each of section === undefined ? [] : sectionsAround(section, index.title)) {
    const range = index.range(each);
    if ((index.sizes[range.to] ?? 0) - (index.sizes[range.from] ?? 0) > limit) break;
    ranges.push(range);
  }
  return ranges;
}

const SAME_HEADING = 0.6;

/** The parts of an ADR under the heading of a section of the concept, the one that holds most of its text first. */
function sameHeading(index: AdrView, concept: ConceptSection): Range[] {
  return sectionsNamed(index, concept).map((section) => index.range(section));
}

/**
 * The sections of an ADR with the heading of one of the concept, the one that holds most of its text first. A checklist on migration
 * among the acceptance criteria is no migration plan: it matches only what is acceptance too.
 */
export function sectionsNamed(index: AdrView, { section, weights, topics }: ConceptSection): Section[] {
  const candidates = new Set([
    ...(index.byName.get(section.name) ?? []).slice(0, CANDIDATES),
    ...section.kinds.flatMap((kind) => (index.byKind.get(kind) ?? []).slice(0, CANDIDATES)),
    ...topics.flatMap((word) => (index.byWord.get(word) ?? []).slice(0, CANDIDATES)),
  ]);
  if (candidates.size === 0) return [];
  const anywhere = isInAcceptance(section);
  return [...candidates]
    .filter((candidate) => headingSimilarity(section, candidate) >= SAME_HEADING)
    .filter((candidate) => anywhere || !isInAcceptance(candidate.parent))
    .map((candidate) => ({ candidate, coverage: coverageOf(index, weights, [index.range(candidate)]) }))
    .toSorted((a, b) => b.coverage - a.coverage)
    .slice(0, SECTIONS_IN_A_PLACE)
    .map(({ candidate }) => candidate);
}

/** Tells whether a section is one of acceptance criteria, or below one. */
export function isInAcceptance(section: Section | undefined): boolean {
  for (let each = section; each !== undefined; each = each.parent) if (each.kinds.includes('acceptance')) return true;
  return false;
}
