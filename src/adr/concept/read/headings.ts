import type { Adr, Section } from '../../document/adr.ts';
import type { SectionKind } from '../../document/section-names.ts';
import { termsOf } from './terms.ts';

const OBLIGATIONS: readonly SectionKind[] = ['migration', 'rollback', 'risks', 'acceptance', 'security', 'breaking'];
const EXEMPT: readonly SectionKind[] = ['status', 'date', 'summary', 'references', 'meta', 'questions'];

/** Headings that are no known name and still announce an obligation: "Der 14-Tage-Migrationsplan". */
const OBLIGATION_WORDS: readonly (readonly [RegExp, SectionKind])[] = [
  [
    /migrations?[ -]?(?:plan|strateg|pfad|path|schritt|step|guide|leitfaden|phase)|migration$|umstellungsplan|cut-?over/,
    'migration',
  ],
  [/rollback|roll-back|rückfallplan/, 'rollback'],
  [/\brisks?\b|\brisik(?:o|en)|\brisques?\b/, 'risks'],
  [/acceptance criteria|akzeptanzkriteri|abnahmekriteri/, 'acceptance'],
  [/\bsecurity\b|sicherheits(?:konzept|anforderung|aspekt|maßnahme)|\bsicherheit\b/, 'security'],
  [/breaking[ -]changes?\b/, 'breaking'],
];

type Named = Pick<Section, 'name' | 'kinds'>;

/** What a heading alone says its section must deliver, if anything: migration, rollback, risks, acceptance, security, breaking changes. */
export function ownObligation({ kinds, name }: Named): SectionKind | undefined {
  const known = OBLIGATIONS.find((kind) => kinds.includes(kind));
  if (known !== undefined || kinds.length > 0) return known;
  return OBLIGATION_WORDS.find(([words]) => words.test(name))?.[1];
}

/** The heading that names the whole document: the first one, unless it is a section itself, one of several or the only one. */
export function titleOf({ sections }: Adr): Section | undefined {
  const [first] = sections;
  if (first?.level !== 1) return undefined;
  const isSection = first.kinds.length > 0 || ownObligation(first) !== undefined;
  const isAlone = sections.length === 1;
  return isSection && (isAlone || sections.some((each) => each !== first && each.level === 1)) ? undefined : first;
}

/** A section and those around it, the title of the document apart: that is about everything. */
export function* sectionsAround(section: Section, title: Section | undefined): Iterable<Section> {
  for (let each: Section | undefined = section; each !== undefined && each !== title; each = each.parent) yield each;
}

/** The obligation that a section is part of, by its own heading or by one around it. */
export function obligationOf(section: Section, title: Section | undefined): SectionKind | undefined {
  for (const each of sectionsAround(section, title)) {
    const kind = ownObligation(each);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Tells whether an ADR need not repeat a section: status, summary, references and the like, and what stands under them. */
export function isExempt(section: Section, title: Section | undefined): boolean {
  for (const each of sectionsAround(section, title)) {
    if (ownObligation(each) !== undefined) return false;
    if (isAboutDocument(each)) return true;
  }
  return false;
}

/** Tells whether a name is one of what documents say of themselves: status, summary, references and the like. */
export function isAboutDocument({ kinds }: Pick<Section, 'kinds'>): boolean {
  return kinds.some((kind) => EXEMPT.includes(kind));
}

const GENERIC = termsOf(
  'plan phase step schritt concept konzept overview übersicht detail example beispiel strategy strategie section abschnitt part teil',
);

type Heading = {
  readonly kinds: readonly SectionKind[];
  readonly terms: ReadonlySet<string>;
  readonly topics: ReadonlySet<string>;
};

const HEADINGS = new WeakMap<Section, Heading>();

/** What a heading says, without its number: its words, those of them that say what it is about (all when none does), and its kinds. */
export function headingOf(section: Section): Heading {
  const known = HEADINGS.get(section);
  if (known !== undefined) return known;
  const terms = termsOf(section.name);
  const topics = new Set([...terms].filter((term) => !GENERIC.has(term)));
  const heading = { kinds: section.kinds, terms, topics: topics.size === 0 ? terms : topics };
  HEADINGS.set(section, heading);
  return heading;
}

/** How alike two headings are, from 0 to 1; the same name and the same known kind are 1. */
export function headingSimilarity(one: Section, other: Section): number {
  if (one.name === other.name) return 1;
  const { kinds, topics } = headingOf(one);
  const { kinds: otherKinds, topics: others } = headingOf(other);
  if (kinds.some((kind) => otherKinds.includes(kind))) return 1;
  if (topics.size === 0 || others.size === 0) return 0;
  let shared = 0;
  for (const word of topics) if (others.has(word)) shared += 1;
  return (2 * shared) / (topics.size + others.size);
}
