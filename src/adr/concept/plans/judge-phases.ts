import type { Section } from '../../document/adr.ts';
import type { AdrIndex } from '../index/adr-index.ts';
import { type Plan, partsOf, pointsOf, withParts } from '../index/plans.ts';
import type { ConceptSection, Point } from '../index/prepare-concept.ts';
import type { Range } from '../index/weights.ts';
import { assignClauses, type ClauseMatch, clauseCount, pointsWith, veryLike } from './match-clauses.ts';
import { type FatesOfPlan, lostFates, matchesOf, meanIn, mostInOneSection, type PlanNames } from './plan-places.ts';

/** So much of a phase stands under a heading that no other phase has: it was renamed. */
const RENAMED = 0.4;
const RENAMED_SEARCHED = 12;
/** One clause is easily said somewhere else for another reason; a phase that was moved has more. */
const FEWEST_MOVED = 2;
const FEWEST_REWORDED = 3;

/** Judges the phases whose heading is gone while others beside them have theirs: their points must stand in the place of the plan. */
export function judgePhases(index: AdrIndex, { root }: Plan, names: PlanNames): FatesOfPlan {
  const claimed = new Set([...names.values()].flat());
  return new Map(fatesBelow(root));

  function fatesBelow(parent: ConceptSection): (readonly [ConceptSection, Fate])[] {
    const { named = [], missing = [] } = Object.groupBy(partsOf(parent), (phase) =>
      withParts(phase).some((each) => names.has(each)) ? 'named' : 'missing',
    );
    const deeper = named.flatMap(fatesBelow);
    if (named.length === 0 || missing.every((phase) => pointsOf(withParts(phase)).length === 0)) return deeper;
    const place = placeOf(index, { parent, named, names, claimed });
    return [...deeper, ...missing.flatMap((phase) => [...fateOf(index, phase, place)])];
  }
}

type Fate = FatesOfPlan extends ReadonlyMap<ConceptSection, infer Each> ? Each : never;

/** Where the phases of a plan stand in an ADR, which points are found there, and the headings there that are of none of them. */
type PlanPlace = {
  readonly ranges: readonly Range[];
  readonly matches: ReadonlyMap<Point, readonly ClauseMatch[]>;
  readonly kept: ReadonlySet<Point>;
  readonly unclaimed: readonly Section[];
};

type Phases = {
  readonly parent: ConceptSection;
  readonly named: readonly ConceptSection[];
  readonly names: PlanNames;
  readonly claimed: ReadonlySet<Section>;
};

function placeOf(index: AdrIndex, { parent, named, names, claimed }: Phases): PlanPlace {
  const phases = named.flatMap((phase) => names.get(phase) ?? []);
  const around = new Set([...(names.get(parent) ?? []), ...phases.map((phase) => aroundOf(index, phase))]);
  const ranges = [...around].map((section) => index.range(section));
  const parts = new Set<number>();
  for (const { from, to } of ranges) for (let part = from; part < to; part += 1) parts.add(part);
  const members = withParts(parent);
  const matches = matchesOf(index, members);
  const here = assignClauses(matches.filter(({ item }) => parts.has(item.part)));
  return {
    ranges,
    matches: Map.groupBy(matches, ({ clause }) => clause.point),
    kept: new Set(pointsWith(here, pointsOf(members))),
    unclaimed: [...around]
      .flatMap(({ children }) => children)
      .filter((section) => !claimed.has(section))
      .slice(0, RENAMED_SEARCHED),
  };
}

/** The section that a phase stands in, or itself when that is the whole ADR. */
function aroundOf({ title }: AdrIndex, phase: Section): Section {
  return phase.parent === undefined || phase.parent === title ? phase : phase.parent;
}

function fateOf(index: AdrIndex, phase: ConceptSection, { kept, ranges, matches, unclaimed }: PlanPlace): FatesOfPlan {
  const members = withParts(phase);
  const points = pointsOf(members);
  const isRenamed = () =>
    unclaimed.some((section) => meanIn(index, phase, { points, range: index.range(section) }) >= RENAMED);
  const found = points.filter((point) => kept.has(point)).length;
  if (found === points.length || isRenamed() || isMoved(index, points, matches)) return new Map();
  const fates = lostFates(members, { kept, ranges });
  if (found * 2 < points.length) return fates;
  return new Map(
    [...fates].flatMap(([entry, fate]) =>
      fate.lostItems.length === 0 ? [] : [[entry, { ...fate, fate: 'thinned' }] as const],
    ),
  );
}

/** All of it stands in one section, and a short one word for word or nearly so. */
function isMoved(index: AdrIndex, points: readonly Point[], matches: PlanPlace['matches']): boolean {
  const count = clauseCount(points);
  if (count < FEWEST_MOVED) return false;
  const alike = points.flatMap((point) => matches.get(point) ?? []);
  return mostInOneSection(index, count < FEWEST_REWORDED ? veryLike(alike) : alike).clauses.size === count;
}
