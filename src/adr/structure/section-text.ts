import type { Adr, Section } from '../document/adr.ts';
import { firstFrom } from '../document/first-from.ts';
import { substance } from '../document/placeholder.ts';
import type { SectionKind } from '../document/section-names.ts';

/** What a section amounts to: nothing at all, only a placeholder, or this many characters by its author. */
export type Amount = { readonly state: 'empty' | 'placeholder' | 'text'; readonly length: number };

/** How a section is measured: `wanted` characters are enough; `leniently`, titles of subsections and bare links count. */
export type Measure = { readonly wanted: number; readonly leniently?: true };

/** So much more is read than is wanted, to tell text from padding. */
const MARGIN = 100;

/** How much a section says in prose. Code, quotes and comments do not count, but for code where code is the point. */
export function amountOf(adr: Adr, section: Section, { wanted, leniently }: Measure): Amount {
  const lines = adr.prose.slice(section.first - 1, section.last);
  const code = !leniently && section.kinds.includes('implementation') ? linesWithin(adr.code, adr, section) : 0;
  const length = substance(lines, wanted + MARGIN).length + code;
  if (length > 0) return { state: 'text', length };
  const prose = lines.join('\n').trim();
  const told = leniently ? ownWords(section) + titlesBelow(section) + (/!\[|\]\(/.test(prose) ? prose.length : 0) : 0;
  return told > 0 ? { state: 'text', length: told } : { state: emptyOr(prose), length: 0 };
}

/** True when a reader sees nothing at all in a section, not even code or a quote. */
export function isBlank(adr: Adr, section: Section): boolean {
  return linesWithin(adr.code, adr, section) + linesWithin(adr.quotes, adr, section) === 0;
}

function emptyOr(prose: string): 'empty' | 'placeholder' {
  return /[\p{L}\p{N}]/u.test(prose) ? 'placeholder' : 'empty';
}

/** What a heading says beyond its name: "Decision: use the ledger". */
function ownWords({ title }: Section): number {
  return /[:–—]\s+(\S.*)$|\s-\s+(\S.*)$/.exec(title)?.slice(1).join('').length ?? 0;
}

function titlesBelow(section: Section): number {
  return section.children.reduce((sum, child) => sum + child.title.length, 0);
}

type Lines = { readonly first: number; readonly last: number };

/** The characters in blocks of a section; the blocks stand in the order of the document. */
function linesWithin(blocks: readonly Lines[], adr: Adr, section: Section): number {
  let characters = 0;
  for (let at = firstFrom(blocks, ({ first }) => first < section.first); at < blocks.length; at += 1) {
    const { first, last } = blocks[at] ?? section;
    if (first > section.last) break;
    for (let line = first; last <= section.last && line <= last; line += 1) {
      const text = adr.lines[line - 1] ?? '';
      if (!/^\s*(?:```|~~~)/.test(text)) characters += text.trim().length;
    }
  }
  return characters;
}

/** Sections whose contents are answers to something else: a heading in there is no section of the ADR. */
const CLOSED: ReadonlySet<SectionKind> = new Set(['acceptance', 'references', 'documentation']);

/** The sections of a kind, those that say most first; none that lie inside a section about something else. */
export function sectionsOf(adr: Adr, kinds: readonly SectionKind[]): Section[] {
  const title = titleOf(adr);
  return adr.sections
    .filter(
      (section) =>
        section !== title && section.kinds.some((kind) => kinds.includes(kind)) && !insideClosed(section, kinds),
    )
    .sort((a, b) => b.last - b.first - (a.last - a.first));
}

function insideClosed(section: Section, wanted: readonly SectionKind[]): boolean {
  for (let around = section.parent; around !== undefined; around = around.parent) {
    const kinds = around.level === 1 ? [] : around.kinds;
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
  return alone || first.kinds.length === 0 ? first : undefined;
}
