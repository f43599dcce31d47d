import type { Adr } from '../../document/adr.ts';
import type { AdrIndex } from '../index/adr-index.ts';
import type { ExtraSection } from '../index/concept-diff.ts';
import type { ConceptSection, PreparedConcept } from '../index/prepare-concept.ts';
import { isExempt } from '../read/headings.ts';
import type { Judgement } from './judge-section.ts';

const KNOWN_SHARE = 0.5;

/** The main sections of an ADR that hold nothing of its concept. */
export function findExtra(
  concept: PreparedConcept,
  adr: Adr,
  { index, judgements }: { index: AdrIndex; judgements: ReadonlyMap<ConceptSection, Judgement> },
): ExtraSection[] {
  const used = new Set<number>();
  for (const { fate, ranges } of judgements.values())
    if (fate !== 'lost')
      for (const { from, to } of ranges.slice(0, 1)) for (let part = from; part < to; part += 1) used.add(part);
  const names = new Map(concept.all.map(({ section }) => [section.name, section]));
  return adr.sections.flatMap((section) => {
    if (section.level !== 2 || isExempt(section, index.title) || names.has(section.name)) return [];
    const { from, to } = index.range(section);
    let terms = 0;
    let shared = 0;
    for (let part = from; part < to; part += 1) {
      if (used.has(part)) return [];
      terms += index.parts[part]?.terms ?? 0;
      shared += index.parts[part]?.shared ?? 0;
    }
    const { title, line, column } = section;
    return shared >= terms * KNOWN_SHARE && terms > 0 ? [] : [{ title, line, column }];
  });
}
