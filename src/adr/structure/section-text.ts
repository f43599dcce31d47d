import { type Adr, proseOf, type Section } from '../adr.ts';
import { isPlaceholder, substance } from '../placeholder.ts';
import { kindsOf, type SectionKind } from '../section-names.ts';

/** What a section amounts to: nothing at all, only a placeholder, or this many characters by its author. */
export type Amount = { readonly state: 'empty' | 'placeholder' | 'text'; readonly length: number };

/** More than any rule asks for, and enough to tell text from padding. */
const ENOUGH = 300;

/** How much a section says. `strict`: only prose counts, and code where code is the point; else anything a reader can see. */
export function amountOf(adr: Adr, section: Section, strict: boolean): Amount {
  const prose = proseOf(adr, section);
  const length = substance(prose, ENOUGH).length;
  const code = codeLength(adr, section);
  if (strict) {
    const counted = length + (kindsOf(section.name).includes('implementation') ? code : 0);
    if (counted > 0) return { state: 'text', length: counted };
    return { state: prose === '' || !isPlaceholder(prose) ? emptyOr(prose) : 'placeholder', length: 0 };
  }
  if (length > 0) return { state: 'text', length };
  const seen = code + quotedLength(adr, section) + titlesBelow(section) + (/!\[|\]\(/.test(prose) ? prose.length : 0);
  if (seen > 0) return { state: 'text', length: seen };
  return { state: emptyOr(prose), length: 0 };
}

function emptyOr(prose: string): 'empty' | 'placeholder' {
  return /[\p{L}\p{N}]/u.test(prose) ? 'placeholder' : 'empty';
}

function codeLength(adr: Adr, section: Section): number {
  return adr.code.filter((block) => within(block, section)).reduce((sum, block) => sum + lengthOf(adr, block), 0);
}

function quotedLength(adr: Adr, section: Section): number {
  return adr.quotes.filter((block) => within(block, section)).reduce((sum, block) => sum + lengthOf(adr, block), 0);
}

function titlesBelow(section: Section): number {
  return section.children.reduce((sum, child) => sum + child.title.length, 0);
}

type Lines = { readonly first: number; readonly last: number };

function within(block: Lines, section: Section): boolean {
  return block.first >= section.first && block.last <= section.last;
}

function lengthOf(adr: Adr, { first, last }: Lines): number {
  let length = 0;
  for (let line = first; line < last - 1; line += 1) length += (adr.lines[line] ?? '').trim().length;
  return length;
}

/** Sections whose contents are answers to something else: a heading in there is no section of the ADR. */
const CLOSED: ReadonlySet<SectionKind> = new Set(['acceptance', 'references', 'documentation']);

/** The sections of a kind, those that say most first; none that lie inside a section about something else. */
export function sectionsOf(adr: Adr, kinds: readonly SectionKind[]): Section[] {
  const title = titleOf(adr);
  return adr.sections
    .filter(
      (section) =>
        section !== title &&
        kindsOf(section.name).some((kind) => kinds.includes(kind)) &&
        !insideClosed(section, kinds),
    )
    .sort((a, b) => b.last - b.first - (a.last - a.first));
}

function insideClosed(section: Section, wanted: readonly SectionKind[]): boolean {
  for (let around = section.parent; around !== undefined; around = around.parent) {
    const kinds = around.level === 1 ? [] : kindsOf(around.name);
    if (kinds.some((kind) => CLOSED.has(kind) && !wanted.includes(kind))) return true;
  }
  return false;
}

/** The first heading, where it is the title of the document and not one of several sections of its level. */
export function titleOf(adr: Adr): Section | undefined {
  const [first] = adr.sections;
  if (first === undefined) return undefined;
  if (first.level > 1) return /^(?:adr\b|decision record\b)/.test(first.name) ? first : undefined;
  const alone = adr.sections.every((section) => section === first || section.level !== first.level);
  return alone || kindsOf(first.name).length === 0 ? first : undefined;
}
