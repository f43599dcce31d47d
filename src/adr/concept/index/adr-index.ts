import type { Adr, Section } from '../../document/adr.ts';
import type { SectionKind } from '../../document/section-names.ts';
import { titleOf } from '../read/headings.ts';
import { type Lexicon, readTerms, startPart, startSample } from '../read/lexicon.ts';
import { isFiller, splitParts, termOfValue, type Written } from '../read/parts.ts';
import type { Language } from '../read/terms.ts';
import { valuesIn } from '../read/values.ts';

/** In which parts or items a word of the concept stands, in order, by the number of the word. */
export type Postings = readonly (readonly number[] | undefined)[];

/** An item of an ADR with the number of its part. */
export type IndexedItem = Written & {
  readonly part: number;
  /** False when it has no value with a unit of the concept. */
  readonly mayHaveValues: boolean;
};

/** An ADR made ready to be searched for what a concept says. */
export type AdrIndex = AdrView & {
  /** The same without what stands in fences and quotes, and with the words of code again, but without text in fences. */
  readonly prose: AdrView;
  readonly proseAndCode: AdrView;
};

/** What of an ADR is searched. */
export type AdrView = {
  /** What stands under each heading, the text above the first heading before: how many words, and how many of them the concept has. */
  readonly parts: readonly { readonly section: Section | undefined; readonly terms: number; readonly shared: number }[];
  /** The first part and the one after the last of a section with its subsections. */
  range(section: Section): { from: number; to: number };
  readonly postings: Postings;
  /** In which parts a word stands. */
  placesOf(term: string): readonly number[] | undefined;
  /** The items of all parts count through. */
  readonly itemPostings: Postings;
  readonly items: readonly IndexedItem[];
  /** How many words the parts before this one have together, headings and code included. */
  readonly sizes: readonly number[];
  /** The heading that names the whole ADR. */
  readonly title: Section | undefined;
  readonly byName: ReadonlyMap<string, readonly Section[]>;
  readonly byKind: ReadonlyMap<SectionKind, readonly Section[]>;
  /** By the number of a word in the heading. */
  readonly byWord: ReadonlyMap<number, readonly Section[]>;
  /** Headings that tell values and that the concept does not have, by the number of a word in them. */
  readonly valued: ReadonlyMap<number, readonly IndexedItem[]>;
  readonly language: Language | undefined;
};

/** Indexes an ADR once, so that each question about it costs no more than the words it asks for. */
export function indexAdr(adr: Adr, lexicon: Lexicon): AdrIndex {
  const language = startSample(lexicon);
  const whole = emptyPostings(lexicon);
  const prose = adr.code.length === 0 && adr.quotes.length === 0 ? whole : emptyPostings(lexicon);
  const proseAndCode = prose === whole ? whole : { ...prose, postings: emptyPostings(lexicon).postings };
  const posted = { whole, prose, proseAndCode };
  const views = new Set([whole, prose, proseAndCode]);
  const items: IndexedItem[] = [];
  const parts: { section: Section | undefined; terms: number; shared: number }[] = [];
  const sizes = [0];
  const found: number[] = [];
  for (const [part, { section, items: written, code }] of splitParts(adr).entries()) {
    startPart(lexicon);
    let shared = 0;
    let hasProse = false;
    for (const { line, text, isProse } of written) {
      found.length = 0;
      const mayHaveValues = readItem(lexicon, text, found);
      if (found.length === 0 && !mayHaveValues) continue;
      const place = { item: items.length, part };
      shared += postItem(whole, found, place);
      if (isProse) postProse(posted, found, place);
      hasProse ||= isProse;
      items.push({ line, text, isProse, part, mayHaveValues });
    }
    const terms = shared + lexicon.others;
    parts.push({ section, terms, shared });
    found.length = 0;
    if (section !== undefined && terms > 0) readTerms(lexicon, section.name, found);
    if (hasProse && prose !== whole) postOnce(prose.postings, found, part);
    for (const line of code) readTerms(lexicon, line, found);
    postValues(views, headingValues(lexicon, section), part);
    if (prose !== whole) postOnce(proseAndCode.postings, found, part);
    shared += postOnce(whole.postings, found, part);
    sizes.push((sizes[part] ?? 0) + shared + lexicon.others);
  }
  const about = { parts, range: rangesOf(adr), items, sizes, language: language(), ...headingsOf(adr, lexicon) };
  const view = (found: Posted) => ({
    ...{ ...about, ...found },
    placesOf: (term: string) => found.postings[lexicon.ids.get(term) ?? -1],
  });
  const all = view(whole);
  if (prose === whole) return { ...all, prose: all, proseAndCode: all };
  return { ...all, prose: view(prose), proseAndCode: view(proseAndCode) };
}

type Posted = { readonly postings: number[][]; readonly itemPostings: number[][] };

function emptyPostings({ ids }: Lexicon): Posted {
  return { postings: new Array(ids.size), itemPostings: new Array(ids.size) };
}

/** Adds an item to the places of its words; tells how many are new in its part. */
function postItem(
  { postings, itemPostings }: Posted,
  ids: readonly number[],
  { item, part }: { item: number; part: number },
): number {
  for (const id of ids) post(itemPostings, id, item);
  return postOnce(postings, ids, part);
}

/** Adds an item to the views without fences and quotes, if these are others. */
function postProse(
  { whole, prose, proseAndCode }: Readonly<Record<'whole' | 'prose' | 'proseAndCode', Posted>>,
  ids: readonly number[],
  place: { item: number; part: number },
): void {
  if (prose === whole) return;
  postItem(prose, ids, place);
  postOnce(proseAndCode.postings, ids, place.part);
}

/** What a heading tells is told in its part. */
function postValues(views: ReadonlySet<Posted>, ids: readonly number[], part: number): void {
  for (const { postings } of views) postOnce(postings, ids, part);
}

/** Of its values only those that the concept has, too. */
function readItem(lexicon: Lexicon, text: string, found: number[]): boolean {
  const mayHaveValues = readTerms(lexicon, text, found);
  if ((found.length > 0 || mayHaveValues) && isFiller(text)) {
    found.length = 0;
    return false;
  }
  if (mayHaveValues) for (const id of valueIds(lexicon, text)) if (!found.includes(id)) found.push(id);
  return mayHaveValues;
}

function headingValues(lexicon: Lexicon, section: Section | undefined): number[] {
  return section === undefined ? [] : valueIds(lexicon, section.title);
}

function valueIds({ ids }: Lexicon, text: string): number[] {
  return valuesIn(text).flatMap((value) => ids.get(termOfValue(value)) ?? []);
}

/** Adds a part to the places of words unless it is there; tells to how many it was added. */
function postOnce(postings: number[][], ids: readonly number[], part: number): number {
  let added = 0;
  for (const id of ids) {
    if (postings[id]?.at(-1) === part) continue;
    post(postings, id, part);
    added += 1;
  }
  return added;
}

function post(postings: number[][], id: number, place: number): void {
  const places = postings[id];
  if (places === undefined) postings[id] = [place];
  else places.push(place);
}

function rangesOf(adr: Adr): AdrIndex['range'] {
  const place = new Map(adr.sections.map((section, index) => [section, index + 1]));
  const ends = new Map<Section, number>();
  for (const section of adr.sections.toReversed()) {
    const child = section.children.at(-1);
    ends.set(section, (child && ends.get(child)) ?? (place.get(section) ?? 0) + 1);
  }
  return (section) => ({ from: place.get(section) ?? 0, to: ends.get(section) ?? 0 });
}

function headingsOf(adr: Adr, lexicon: Lexicon): Pick<AdrIndex, 'title' | 'byName' | 'byKind' | 'byWord' | 'valued'> {
  const byName = new Map<string, Section[]>();
  const byKind = new Map<SectionKind, Section[]>();
  const byWord = new Map<number, Section[]>();
  const valued = new Map<number, IndexedItem[]>();
  const found: number[] = [];
  const title = titleOf(adr);
  for (const [at, section] of adr.sections.entries()) {
    if (section === title) continue;
    append(byName, section.name, section);
    for (const kind of section.kinds) append(byKind, kind, section);
    found.length = 0;
    readTerms(lexicon, section.name, found);
    for (const id of found) append(byWord, id, section);
    if (lexicon.names.has(section.name) || valuesIn(section.title).length === 0) continue;
    const heading = { line: section.line, text: section.title, isProse: true, part: at + 1, mayHaveValues: true };
    for (const id of found) append(valued, id, heading);
  }
  return { title, byName, byKind, byWord, valued };
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
