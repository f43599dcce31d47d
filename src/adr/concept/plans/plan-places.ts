import type { Section } from '../../document/adr.ts';
import type { AdrIndex, IndexedItem } from '../index/adr-index.ts';
import { coverageOf, isInAcceptance, sectionsNamed } from '../index/find-place.ts';
import { type Plan, partsOf, pointsOf } from '../index/plans.ts';
import type { ConceptSection, Point } from '../index/prepare-concept.ts';
import type { Range } from '../index/weights.ts';
import { sectionsAround } from '../read/headings.ts';
import { type Judgement, viewOf } from '../sections/judge-section.ts';
import { assignClauses, type Clause, type ClauseMatch, matchClauses } from './match-clauses.ts';

/** What became of parts of a plan that is seen as a whole. */
export type FatesOfPlan = ReadonlyMap<ConceptSection, Omit<Judgement, 'implied'>>;

/** Sections of a plan of which too little is left, with their points that are not kept. */
export function lostFates(
  members: readonly ConceptSection[],
  { kept, ranges }: { kept: ReadonlySet<Point>; ranges: readonly Range[] },
): FatesOfPlan {
  const all = pointsOf(members);
  const similarity = all.filter((point) => kept.has(point)).length / Math.max(1, all.length);
  return new Map(
    members.flatMap((entry) => {
      const points = pointsOf([entry]);
      if (points.length === 0) return [];
      const lostItems = points.filter((point) => !kept.has(point));
      return [[entry, { fate: 'lost', similarity, ranges, points: points.length, lostItems }] as const];
    }),
  );
}

/** The sections of an ADR under the headings of the parts of a plan. */
export type PlanNames = ReadonlyMap<ConceptSection, readonly Section[]>;

/** A heading under which hardly a word of the plan stands is not its heading. */
const KEPT_UNDER_ITS_HEADING = 0.2;

/** Finds the headings of a plan and of its parts; one with the very name of another part is the heading of that. */
export function findNames(index: AdrIndex, { root, members }: Plan): PlanNames {
  const own = new Set(members.map(({ section }) => section.name));
  return new Map(
    members.flatMap((entry) => {
      const points = entry === root ? pointsOf(members) : pointsOf([entry, ...partsOf(entry)]);
      const sections = sectionsNamed(index, entry).filter(
        (section) =>
          !isInAcceptance(section) &&
          (section.name === entry.section.name || !own.has(section.name)) &&
          meanIn(index, entry, { points, range: index.range(section) }) >= KEPT_UNDER_ITS_HEADING,
      );
      return sections.length === 0 ? [] : [[entry, sections] as const];
    }),
  );
}

/** How much of some points a range of the ADR holds on the average. */
export function meanIn(
  index: AdrIndex,
  entry: ConceptSection,
  { points, range }: { points: readonly Point[]; range: Range },
): number {
  const shares = points.map((item) => coverageOf(viewOf(index, entry, { item }), item.weights, [range]));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

/** Where an ADR says what the points of some sections say; its acceptance criteria are no plan. */
export function matchesOf(index: AdrIndex, members: readonly ConceptSection[]): ClauseMatch[] {
  const mayTell = ({ part }: IndexedItem) => !isInAcceptance(index.parts[part]?.section);
  return members.flatMap((entry) =>
    pointsOf([entry]).flatMap((item) => matchClauses(viewOf(index, entry, { item }), item, mayTell)),
  );
}

type Found = { readonly clauses: ReadonlySet<Clause>; readonly ranges: readonly Range[] };

/** What the one main section of an ADR has that has most. */
export function mostInOneSection(index: AdrIndex, matches: readonly ClauseMatch[]): Found {
  const bySection = Map.groupBy(matches, ({ item }) => mainSection(index, item));
  let best: Found = { clauses: new Set(), ranges: [] };
  for (const [section, own] of bySection) {
    const clauses = assignClauses(own);
    if (clauses.size > best.clauses.size)
      best = { clauses, ranges: section === undefined ? [] : [index.range(section)] };
  }
  return best;
}

/** The highest section around an item below the title of the ADR. */
function mainSection(index: AdrIndex, { part }: IndexedItem): Section | undefined {
  const section = index.parts[part]?.section;
  return section === undefined ? undefined : [...sectionsAround(section, index.title)].at(-1);
}
