import type { Adr, Section } from '../../document/adr.ts';
import type { SectionKind } from '../../document/section-names.ts';
import { asideIn } from '../read/asides.ts';
import { splitBeginning, withoutHeader } from '../read/beginning.ts';
import { headingOf, isExempt, obligationOf, ownObligation, titleOf } from '../read/headings.ts';
import { createLexicon, type Lexicon, readTerms, startSample } from '../read/lexicon.ts';
import { type LooseSentence, looseSentencesOf } from '../read/loose-values.ts';
import { type Item, type Part, readItem, readParts } from '../read/parts.ts';
import { type Sentence, sentencesOf } from '../read/sentences.ts';
import type { Language } from '../read/terms.ts';
import { type Weights, weightsOf } from './weights.ts';

/** A sentence that tells values, and what the words around these weigh. */
export type WeighedSentence = Sentence & { readonly weights: Weights };

/** A sentence that tells versions or counts something, and what its words weigh. */
type WeighedLooseSentence = LooseSentence & { readonly weights: Weights };

/** A list item, table row or paragraph of a concept, to be looked for in ADRs. */
export type Point = Item & {
  readonly weights: Weights;
  /** The sentences that tell values. */
  sentences(): readonly WeighedSentence[];
  /** The sentences that tell versions or count something. */
  looseSentences(): readonly WeighedLooseSentence[];
  /** False for what only announces others or is no more than a word. */
  readonly counts: boolean;
};

/** A section of a concept that an ADR written from it has to carry on. */
export type ConceptSection = {
  readonly section: Section;
  readonly part: Part;
  readonly points: readonly Point[];
  /** What its heading says, when it tells values. */
  readonly heading: Point | undefined;
  readonly weights: Weights;
  /** The words that its heading is about, by number. */
  readonly topics: readonly number[];
  /** What each word of it weighs. */
  readonly weightOf: ReadonlyMap<string, number>;
  readonly obligation: SectionKind | undefined;
  /** False for a heading under which only subsections stand. */
  readonly hasText: boolean;
  /** True for what is no part of the measure: nobody asks an ADR for what is out of scope. */
  readonly isAside: boolean;
  readonly children: readonly ConceptSection[];
};

/** A concept read once, to be compared with many ADRs. */
export type PreparedConcept = {
  readonly adr: Adr;
  /** The heading that names the whole concept. */
  readonly title: Section | undefined;
  /** The sections of the highest level; the others are their `children`. */
  readonly top: readonly ConceptSection[];
  readonly all: readonly ConceptSection[];
  readonly language: Language | undefined;
  readonly lexicon: Lexicon;
};

const CODE_WEIGHT = 0.3;
/** Fewer words than this are an introduction to what follows, no content. */
const MIN_TERMS = 4;

/** Reads what a concept promises, section by section, once for all ADRs that it is compared with. */
export function prepareConcept(adr: Adr): PreparedConcept {
  const title = titleOf(adr);
  const read = withoutHeader(adr, title);
  const whole = readParts(read);
  const parts = whole.flatMap((part): Part[] =>
    part.section === undefined || part.section === title ? splitBeginning(part, read) : [part],
  );
  const lexicon = lexiconOf(parts);
  const required = parts.filter(({ section }) => section !== undefined && !isExempt(section, title));
  // A concept that is no more than a summary or a few words is compared by these.
  const isLong = required.some(({ terms }) => terms.size >= MIN_TERMS);
  const reading = { title, rarity: rarityOf(whole), fewest: isLong ? MIN_TERMS : 1, isAside: asideIn(parts, title) };
  const readSection = sectionReader(lexicon, reading);
  const compared = isLong ? required : parts;
  const all: ConceptSection[] = [];
  const below = new Map<Section, ConceptSection[]>();
  const top: ConceptSection[] = [];
  for (const part of compared) {
    const { section } = part;
    if (section === undefined) continue;
    const children: ConceptSection[] = [];
    const entry = { ...readSection(section, part), children };
    below.set(section, children);
    ((section.parent && below.get(section.parent)) ?? top).push(entry);
    all.push(entry);
  }
  return { adr, title, top, all, lexicon, language: languageOf(parts, lexicon) };
}

type Reading = {
  readonly title: Section | undefined;
  readonly rarity: (term: string) => number;
  /** How many words a text has at least that is no obligation. */
  readonly fewest: number;
  readonly isAside: (part: Part) => boolean;
};

function sectionReader(lexicon: Lexicon, { title, rarity, fewest, isAside: isAsideIn }: Reading) {
  return (section: Section, part: Part): Omit<ConceptSection, 'children'> => {
    const isAside = isAsideIn(part);
    const obligation = isAside ? undefined : obligationOf(section, title);
    return {
      ...{ section, part, obligation, isAside, ...weighed(part, rarity, lexicon) },
      topics: [...headingOf(section).topics].map((topic) => lexicon.ids.get(topic) ?? -1),
      hasText: obligation === undefined ? isContent(section, part, fewest) : isPromise(section, part),
    };
  };
}

/** A text that only announces the subsections after it is none. */
function isContent({ children }: Section, { terms, codeTerms, items }: Part, fewest: number): boolean {
  if (terms.size < fewest || children.length === 0 || codeTerms.size > 0) return terms.size >= fewest;
  return items.some(({ text }) => !isLeadIn(text));
}

/** "None", "No migration is needed" */
const NOTHING = /^\W*(?:none?|not?|nothing|nil|kein\p{L}{0,2}|nichts?|entfällt|aucune?)(?!\p{L})/iu;

/** Under its own heading what must be delivered may be told in few words, if they do not say that there is nothing. */
function isPromise(section: Section, { terms, items: [first] }: Part): boolean {
  if (terms.size >= MIN_TERMS) return true;
  if (section.children.length > 0 || ownObligation(section) === undefined) return false;
  return terms.size >= 2 && first !== undefined && !NOTHING.test(first.text);
}

const HEADINGS = new WeakMap<Section, Item>();

/** A heading as an item, if it tells values. */
function headingItem(section: Section): Item | undefined {
  const known = HEADINGS.get(section) ?? readItem({ line: section.line, text: section.title, isProse: true });
  if (known === undefined || known.values.length === 0) return undefined;
  HEADINGS.set(section, known);
  return known;
}

function lexiconOf(parts: readonly Part[]): Lexicon {
  const words = new Set<string>();
  const headings = parts.flatMap(({ section }) => (section && headingItem(section)) ?? []);
  const values = [...parts.flatMap(({ items }) => items), ...headings].flatMap((item) => item.values);
  for (const { terms } of headings) for (const term of terms) words.add(term);
  for (const { section, terms, codeTerms } of parts) {
    for (const term of terms) words.add(term);
    for (const term of codeTerms) words.add(term);
    if (section !== undefined) for (const term of headingOf(section).terms) words.add(term);
  }
  return createLexicon(words, values, new Set(parts.flatMap(({ section }) => section?.name ?? [])));
}

function languageOf(parts: readonly Part[], lexicon: Lexicon): Language | undefined {
  const language = startSample(lexicon);
  for (const { items } of parts) {
    for (const { text } of items) readTerms(lexicon, text, []);
    if (lexicon.unsampled <= 0) break;
  }
  return language();
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

function weighed(
  { section, items, terms, codeTerms, isBeginning }: Part,
  rarity: (term: string) => number,
  { ids }: Lexicon,
): Pick<ConceptSection, 'points' | 'heading' | 'weights' | 'weightOf'> {
  const weightOf = new Map<string, number>();
  for (const term of terms) weightOf.set(term, rarity(term));
  for (const term of codeTerms) weightOf.set(term, CODE_WEIGHT * rarity(term));
  const weigh = (words: Iterable<string>) =>
    weightsOf([...words].map((word) => [ids.get(word) ?? -1, weightOf.get(word) ?? 0] as const));
  const pointOf = (item: Item) => ({
    ...item,
    weights: weigh(item.terms),
    sentences: once(() => sentencesOf(item.text).map((each) => ({ ...each, weights: weigh(each.words) }))),
    looseSentences: once(() => looseSentencesOf(item.text).map((each) => ({ ...each, weights: weigh(each.words) }))),
    counts: item.terms.size >= 2 && !isLeadIn(item.text),
  });
  const weights = weigh(weightOf.keys());
  const heading = section === undefined || isBeginning ? undefined : headingItem(section);
  if (heading !== undefined)
    for (const term of heading.terms) if (!weightOf.has(term)) weightOf.set(term, rarity(term));
  return { points: items.map(pointOf), heading: heading && pointOf(heading), weights, weightOf };
}

/** Most sentences are never asked for. */
function once<Result>(read: () => Result): () => Result {
  let known: { result: Result } | undefined;
  return () => {
    known ??= { result: read() };
    return known.result;
  };
}

/** "The reasons for that:" announces items and is none. */
function isLeadIn(text: string): boolean {
  return text.length < 80 && /:[*_\s]*$/.test(text);
}
