import type { Adr, Section } from '../adr.ts';
import type { SectionKind } from '../section-names.ts';
import type { Weights } from './find-place.ts';
import { isExempt, obligationOf } from './headings.ts';
import { type Part, readParts } from './parts.ts';
import { type Language, languageOf } from './terms.ts';

/** A section of a concept that an ADR written from it has to carry on. */
export type ConceptSection = {
  readonly section: Section;
  readonly part: Part;
  readonly weights: Weights;
  readonly obligation: SectionKind | undefined;
  /** False for a heading under which only subsections stand. */
  readonly hasText: boolean;
  readonly children: readonly ConceptSection[];
};

/** A concept read once, to be compared with many ADRs. */
export type PreparedConcept = {
  readonly adr: Adr;
  /** The sections of the highest level; the others are their `children`. */
  readonly top: readonly ConceptSection[];
  readonly all: readonly ConceptSection[];
  readonly language: Language | undefined;
};

const CODE_WEIGHT = 0.3;
/** Fewer words than this are an introduction to what follows, no content. */
const MIN_TERMS = 4;

/** Reads what a concept promises, section by section, once for all ADRs that it is compared with. */
export function prepareConcept(adr: Adr): PreparedConcept {
  const parts = readParts(adr);
  const rarity = rarityOf(parts);
  const title = adr.sections.find(({ level }) => level === 1);
  const below = new Map<Section, ConceptSection[]>();
  const top: ConceptSection[] = [];
  const all: ConceptSection[] = [];
  for (const part of parts) {
    const { section } = part;
    if (section === undefined || section === title || isExempt(section)) continue;
    const children: ConceptSection[] = [];
    const entry = {
      section,
      part,
      weights: weightsOf(part, rarity),
      obligation: obligationOf(section),
      hasText: part.terms.size >= MIN_TERMS,
      children,
    };
    below.set(section, children);
    ((section.parent && below.get(section.parent)) ?? top).push(entry);
    all.push(entry);
  }
  return { adr, top, all, language: languageOf(adr.prose) };
}

/** Words of one section only weigh 1, words of all sections nearly nothing in a long concept. */
function rarityOf(parts: readonly Part[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const { terms, codeTerms } of parts) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const term of codeTerms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const most = Math.log(1 + parts.length);
  return (term) => Math.log(1 + parts.length / (counts.get(term) ?? 1)) / most;
}

function weightsOf({ terms, codeTerms }: Part, rarity: (term: string) => number): Weights {
  const weights = new Map<string, number>();
  for (const term of terms) weights.set(term, rarity(term));
  for (const term of codeTerms) weights.set(term, CODE_WEIGHT * rarity(term));
  return weights;
}
