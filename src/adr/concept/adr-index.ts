import type { Adr, Section } from '../adr.ts';
import type { SectionKind } from '../section-names.ts';
import { headingOf } from './headings.ts';
import { type Item, type Part, readParts } from './parts.ts';

/** A document made ready to be searched for what another one says. */
export type AdrIndex = {
  readonly parts: readonly Part[];
  /** The first part and the one after the last of a section with its subsections. */
  range(section: Section): { from: number; to: number };
  /** In which parts a term stands, in order. */
  readonly postings: ReadonlyMap<string, readonly number[]>;
  /** In which items a term stands, in order; the items of all parts count through. */
  readonly itemPostings: ReadonlyMap<string, readonly number[]>;
  /** The items of all parts, each with the number of its part. */
  readonly items: readonly { readonly item: Item; readonly part: number }[];
  /** How many terms the parts before this one have together. */
  readonly sizes: readonly number[];
  readonly byName: ReadonlyMap<string, readonly Section[]>;
  readonly byKind: ReadonlyMap<SectionKind, readonly Section[]>;
  readonly byWord: ReadonlyMap<string, readonly Section[]>;
};

/** Indexes a document once, so that each question about it costs no more than the words it asks for. */
export function indexAdr(adr: Adr): AdrIndex {
  const parts = readParts(adr);
  const postings = new Map<string, number[]>();
  const itemPostings = new Map<string, number[]>();
  const items: { item: Item; part: number }[] = [];
  const sizes = [0];
  for (const [index, { section, terms, codeTerms }] of parts.entries()) {
    const heading = section === undefined ? [] : headingOf(section).terms;
    const all = new Set([...terms, ...codeTerms, ...(terms.size > 0 ? heading : [])]);
    for (const term of all) append(postings, term, index);
    for (const item of parts[index]?.items ?? []) {
      for (const term of item.terms) append(itemPostings, term, items.length);
      items.push({ item, part: index });
    }
    sizes.push((sizes.at(-1) ?? 0) + all.size);
  }
  return { parts, range: rangesOf(adr), postings, itemPostings, items, sizes, ...headingsOf(adr) };
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

function headingsOf({ sections }: Adr): Pick<AdrIndex, 'byName' | 'byKind' | 'byWord'> {
  const byName = new Map<string, Section[]>();
  const byKind = new Map<SectionKind, Section[]>();
  const byWord = new Map<string, Section[]>();
  const title = sections.find(({ level }) => level === 1);
  for (const section of sections) {
    if (section === title) continue;
    append(byName, section.name, section);
    const { kinds, topics } = headingOf(section);
    for (const kind of kinds) append(byKind, kind, section);
    for (const word of topics) append(byWord, word, section);
  }
  return { byName, byKind, byWord };
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
