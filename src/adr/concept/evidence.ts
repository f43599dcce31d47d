import type { AdrIndex } from './index/adr-index.ts';
import type { BestPlace, Evidence } from './index/concept-diff.ts';
import type { ConceptSection } from './index/prepare-concept.ts';
import { isIn } from './index/weights.ts';
import { termOfValue } from './read/parts.ts';
import { termsOf, withoutLinks } from './read/terms.ts';
import { type Judgement, viewOf } from './sections/judge-section.ts';

const SHOWN = 8;
const SHOWN_LENGTH = 90;

/** The words, amounts and items of a section that its best place in the ADR does not have. */
export function evidenceOf(index: AdrIndex, concept: ConceptSection, { ranges, lostItems }: Judgement): Evidence {
  const { placesOf } = viewOf(index, concept);
  const lost = (term: string) => !ranges.some((range) => isIn(placesOf(term), range));
  const { items } = concept.part;
  const values = items.flatMap((item) =>
    item.values.filter((value) => lost(termOfValue(value))).map(({ text }) => text),
  );
  return {
    terms: lostWords(concept, lost),
    values: [...new Set(values.map((value) => value.trim()))].slice(0, SHOWN),
    items: lostItems.map(({ text }) => shorten(text)),
  };
}

/** The place in the ADR where most of a section was found. */
export function bestPlaceOf(index: AdrIndex, { ranges, similarity }: Judgement): BestPlace | null {
  const section = ranges[0] === undefined ? undefined : index.parts[ranges[0].from]?.section;
  if (section === undefined) return null;
  const { title, line, column } = section;
  return { section: title, line, column, similarity: Math.round(similarity * 100) / 100 };
}

/** One line of at most so many characters, without emphasis. */
export function shorten(text: string): string {
  const plain = text
    .slice(0, 4 * SHOWN_LENGTH)
    .replace(/[*`]+/g, '')
    .replace(/\s*\|\s*/g, ' | ')
    .replace(/^[\s|]+|[\s|]+$/g, '')
    .replace(/\s+/g, ' ');
  return plain.length <= SHOWN_LENGTH ? plain : `${plain.slice(0, SHOWN_LENGTH - 1).trimEnd()}…`;
}

type Word = { readonly word: string; readonly terms: readonly string[]; readonly weight: number };

const WORDS = new WeakMap<ConceptSection, readonly Word[]>();

/** The words of a section as the author wrote them, the rarest first. */
function wordsOf(concept: ConceptSection): readonly Word[] {
  const known = WORDS.get(concept);
  if (known !== undefined) return known;
  const { part, weightOf } = concept;
  const words = part.items
    .flatMap(({ text }) => [...withoutLinks(text).matchAll(/\p{L}[\p{L}\p{N}_-]{3,39}/gu)])
    .map(([word]) => ({ word, terms: [...termsOf(word)] }))
    .map(({ word, terms }) => ({ word, terms, weight: weightOf.get(terms[0] ?? '') ?? 0 }))
    .filter(({ terms }) => terms.length > 0)
    .toSorted((a, b) => b.weight - a.weight);
  WORDS.set(concept, words);
  return words;
}

function lostWords(concept: ConceptSection, lost: (term: string) => boolean): string[] {
  const found = new Map<string, string>();
  for (const { word, terms } of wordsOf(concept)) {
    const [term = ''] = terms;
    if (found.has(term) || !terms.every(lost)) continue;
    found.set(term, word);
    if (found.size === SHOWN) break;
  }
  return [...found.values()];
}
