import { ownObligation } from '../read/headings.ts';
import { isInAcceptance } from './find-place.ts';
import type { ConceptSection, Point } from './prepare-concept.ts';

/** What must be delivered as a plan: its heading, and all below that is part of it. */
export type Plan = {
  readonly root: ConceptSection;
  /** The root and its parts at every level. */
  readonly members: readonly ConceptSection[];
};

/** What is delivered as a plan. */
export const PLANS: readonly (string | undefined)[] = ['migration', 'rollback'];

/** The plans among some sections of a concept; one that is part of another one is none by itself, unless it is for something else. */
export function plansIn(sections: readonly ConceptSection[]): Plan[] {
  return sections.flatMap((entry) =>
    isRoot(entry) ? [{ root: entry, members: withParts(entry) }, ...plansBelow(entry)] : plansIn(entry.children),
  );
}

function isRoot({ section, part }: ConceptSection): boolean {
  return PLANS.includes(ownObligation(section)) && !part.isBeginning && !isInAcceptance(section);
}

/** A section with its parts at every level. */
export function withParts(entry: ConceptSection): ConceptSection[] {
  return [entry, ...partsOf(entry).flatMap(withParts)];
}

function plansBelow(entry: ConceptSection): Plan[] {
  return entry.children.flatMap((child) =>
    child.obligation === entry.obligation ? plansBelow(child) : plansIn([child]),
  );
}

/** The sections right below one that are part of the same plan. */
export function partsOf({ children, obligation }: ConceptSection): ConceptSection[] {
  return children.filter((child) => child.obligation === obligation);
}

/** The points of some sections that can be looked for. */
export function pointsOf(entries: readonly ConceptSection[]): Point[] {
  return entries.flatMap(({ points }) => points.filter(({ counts }) => counts));
}
