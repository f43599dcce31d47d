import type { Adr, Section } from '../adr.ts';
import { isPlaceholder } from '../placeholder.ts';
import { termsOf } from './terms.ts';
import { type Value, valuesIn } from './values.ts';

/** A list item, table row or paragraph. */
export type Item = {
  readonly line: number;
  readonly text: string;
  /** Its words, and its amounts and dates in the form `termOfValue` gives them. */
  readonly terms: ReadonlySet<string>;
  readonly values: readonly Value[];
};

/** What stands under a heading before the next one, or above the first heading. */
export type Part = {
  readonly section: Section | undefined;
  readonly items: readonly Item[];
  /** All words of the items, and those of the code under the heading that no item has. */
  readonly terms: ReadonlySet<string>;
  readonly codeTerms: ReadonlySet<string>;
};

const MARKER = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;
const ROW = /^\s*\|/;
const RULE = /^[\s|:=_*-]+$/;

/** An amount as a word among words. */
export function termOfValue({ amount, unit }: Value): string {
  return `${amount} ${unit}`;
}

/** Splits a document at its headings; the parts are in the order of the document, one for each section after the first. */
export function readParts(adr: Adr): Part[] {
  const kinds = lineKinds(adr);
  const starts = [
    { section: undefined, first: 1 },
    ...adr.sections.map((section) => ({ section, first: section.first })),
  ];
  return starts.map(({ section, first }, index) => {
    const next = adr.sections[index];
    return readPart(adr, section, { first, last: next === undefined ? adr.lines.length : next.line - 1, kinds });
  });
}

const CODE = 1;
const DRAWING = 2;
const QUOTE = 3;

/** What each line is, by its number; a fence without a language holds a drawing, each line of which says something. */
function lineKinds(adr: Adr): Uint8Array {
  const kinds = new Uint8Array(adr.lines.length + 1);
  for (const { first, last } of adr.quotes) kinds.fill(QUOTE, first, last + 1);
  for (const { first, last, info } of adr.code)
    kinds.fill(info === '' || info === 'text' ? DRAWING : CODE, first, last + 1);
  return kinds;
}

function readPart(
  adr: Adr,
  section: Section | undefined,
  { first, last, kinds }: { first: number; last: number; kinds: Uint8Array },
): Part {
  const items = readItems(adr, { first, last, kinds });
  const terms = new Set<string>();
  for (const item of items) for (const term of item.terms) terms.add(term);
  const codeTerms = new Set<string>();
  for (let line = first; line <= last; line += 1)
    if (kinds[line] === CODE)
      for (const term of termsOf(adr.lines[line - 1] ?? '')) if (!terms.has(term)) codeTerms.add(term);
  return { section, items, terms, codeTerms };
}

function readItems(adr: Adr, { first, last, kinds }: { first: number; last: number; kinds: Uint8Array }): Item[] {
  const items: Item[] = [];
  let open: { line: number; texts: string[] } | undefined;
  const close = () => {
    const item = open === undefined ? undefined : itemOf(open.line, open.texts.join(' '));
    if (item !== undefined) items.push(item);
    open = undefined;
  };
  for (let line = first; line <= last; line += 1) {
    const kind = kinds[line] ?? 0;
    const text = textOf(adr, line, kind);
    if (text === '' || RULE.test(text)) {
      // The row above the rule of a table is its head, no promise.
      if (ROW.test(text) && ROW.test(open?.texts[0] ?? '')) open = undefined;
      close();
    } else if (kind === DRAWING || MARKER.test(text) || ROW.test(text)) {
      close();
      open = { line, texts: [text.replace(MARKER, '')] };
    } else if (open === undefined) open = { line, texts: [text] };
    else open.texts.push(text);
  }
  close();
  return items;
}

function textOf({ lines, prose }: Adr, line: number, kind: number): string {
  if (kind === QUOTE) return (lines[line - 1] ?? '').replace(/^[\s>]+/, '');
  return kind === DRAWING ? (lines[line - 1] ?? '').replace(/[\u2500-\u257f]+/g, ' ') : (prose[line - 1] ?? '');
}

/** A note on when the document was made is no content of its last section. */
const COLOPHON = /^\s*[*_]{1,3}(?:erstellt|created|generated|stand|version|last updated|zuletzt|autor|author)\b/i;

function itemOf(line: number, text: string): Item | undefined {
  const values = valuesIn(text);
  const terms = termsOf(text);
  for (const value of values) terms.add(termOfValue(value));
  return terms.size === 0 || isPlaceholder(text) || COLOPHON.test(text) ? undefined : { line, text, terms, values };
}
