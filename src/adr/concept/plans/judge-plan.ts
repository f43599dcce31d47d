import type { AdrIndex } from '../index/adr-index.ts';
import { type Plan, pointsOf } from '../index/plans.ts';
import { judgePhases } from './judge-phases.ts';
import { assignClauses, clauseCount, pointsWith, veryLike } from './match-clauses.ts';
import { type FatesOfPlan, findNames, lostFates, matchesOf, mostInOneSection } from './plan-places.ts';

/** Fewer points than these are no plan that could be found again point by point. */
const FEWEST_POINTS = 3;
/** So much of a plan stands somewhere word for word, or nearly so, that it was split. */
const SPLIT = 0.75;

/**
 * Judges a plan as a whole, in an ADR of its own language: what became of parts that look kept one by one. Without a heading, the same words
 * here and there in several sections are not a plan.
 */
export function judgePlan(index: AdrIndex, plan: Plan): FatesOfPlan {
  const { members } = plan;
  const names = findNames(index, plan);
  if (names.size > 0) return judgePhases(index, plan, names);
  const points = pointsOf(members);
  if (points.length < FEWEST_POINTS) return new Map();
  const matches = matchesOf(index, members);
  const { clauses, ranges } = mostInOneSection(index, matches);
  const kept = new Set(pointsWith(clauses, points));
  const isKept = kept.size * 2 > points.length || assignClauses(veryLike(matches)).size >= SPLIT * clauseCount(points);
  return isKept ? new Map() : lostFates(members, { kept, ranges });
}
