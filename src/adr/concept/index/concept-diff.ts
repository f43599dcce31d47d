import type { Place } from '../../document/adr.ts';
import type { SectionKind } from '../../document/section-names.ts';

/** The place in an ADR that says most of what a section of the concept says; similarity is between 0 and 1. */
export type BestPlace = Place & { readonly section: string; readonly similarity: number };

/** What is nowhere in the best place: the weightiest words, some amounts and dates, all items, shortened. */
export type Evidence = {
  readonly terms: readonly string[];
  readonly values: readonly string[];
  readonly items: readonly string[];
};

/** A section of a concept, where it stands there, and where the ADR comes nearest to it. */
type Compared = Place & {
  readonly title: string;
  /** What must be delivered, if the section is about that. */
  readonly obligation: SectionKind | null;
  readonly best: BestPlace | null;
};

/** A section of the concept whose content the ADR does not have. */
export type LostSection = Compared & {
  /** Sections below it that are lost with it. */
  readonly below: readonly string[];
  readonly evidence: Evidence;
};

/** A section of the concept that the ADR has, but without much of what it said. */
export type ThinnedSection = Compared & {
  readonly items: number;
  readonly lostItems: number;
  readonly evidence: Evidence;
};

/** An amount or date that is another one in the ADR; line and column are those of the value's text. */
export type ChangedValue = Compared & {
  readonly before: string;
  readonly after: string;
  readonly text: string;
  readonly changedText: string;
};

/** A section of the ADR that the concept does not know. */
export type ExtraSection = Place & { readonly title: string };

/** A section of the concept that the ADR leaves out on purpose. */
export type WaivedSection = Place & { readonly title: string; readonly reason: string };

/** What of a concept an ADR kept. */
export type ConceptDiff = {
  /** The path of the concept. */
  readonly concept: string;
  /** The share of the concept's sections with text of their own, at every level, that are not lost; waived ones count as kept; 0 when there is none. */
  readonly coveragePercent: number;
  readonly missing: readonly LostSection[];
  readonly thinned: readonly ThinnedSection[];
  readonly changed: readonly ChangedValue[];
  readonly extra: readonly ExtraSection[];
  readonly waived: readonly WaivedSection[];
};
