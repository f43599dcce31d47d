import type { Adr, Section } from '../../document/adr.ts';
import { isPlaceholder } from '../../document/placeholder.ts';
import { termsOf } from './terms.ts';
import { measureOf } from './value-words.ts';
import { type Value, valuesIn } from './values.ts';

/** A list item, table row or paragraph. */
export type Item = Written & {
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
  /** True for what stands under the title or above it: it has no heading of its own. */
  readonly isBeginning: boolean;
};

const MARKER = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;
const ROW = /^\s*\|/;
const RULE = /^[\s|:=_*-]+$/;

/** An amount as a word among words. */
export function termOfValue({ amount, unit }: Value): string {
  return measureOf(amount, unit);
}

/** A list item, table row or paragraph as it stands in the document, and the text of a part before its words are read. */
export type Written = {
  readonly line: number;
  readonly text: string;
  /** False for what stands in a fence or quote. */
  readonly isProse: boolean;
};
export type WrittenPart = {
  readonly section: Section | undefined;
  readonly items: readonly Written[];
  readonly code: readonly string[];
};

/** Splits a document at its headings; the parts are in the order of the document, one for each section after the first. */
export function splitParts(adr: Adr): WrittenPart[] {
  const kinds = lineKinds(adr);
  return [undefined, ...adr.sections].map((section, index) => {
    const last = (adr.sections[index]?.line ?? adr.lines.length + 1) - 1;
    const lines = { first: section?.first ?? 1, last, kinds };
    return { section, items: splitItems(adr, lines), code: codeIn(adr, lines) };
  });
}

/** Reads the words and values of a document, part by part. */
export function readParts(adr: Adr): Part[] {
  return splitParts(adr).map(({ section, items: written, code }) => {
    const items = written.flatMap((item) => readItem(item) ?? []);
    const terms = termsOfItems(items);
    const codeTerms = new Set(code.flatMap((line) => [...termsOf(line)]).filter((term) => !terms.has(term)));
    return { section, items, terms, codeTerms, isBeginning: false };
  });
}

/** All words of some items. */
export function termsOfItems(items: readonly Item[]): ReadonlySet<string> {
  return new Set(items.flatMap(({ terms }) => [...terms]));
}

/** Tells whether a line is an item of a list or a row of a table. */
export function isListed(line: string): boolean {
  return MARKER.test(line) || ROW.test(line);
}

const CODE = 1;
const DRAWING = 2;
const QUOTE = 3;

type Lines = { readonly first: number; readonly last: number; readonly kinds: Uint8Array };

/** What each line is, by its number; a fence without a language holds a drawing, each line of which says something. */
function lineKinds(adr: Adr): Uint8Array {
  const kinds = new Uint8Array(adr.lines.length + 1);
  for (const { first, last } of adr.quotes) kinds.fill(QUOTE, first, last + 1);
  for (const { first, last, info } of adr.code)
    kinds.fill(info === '' || info === 'text' ? DRAWING : CODE, first, last + 1);
  return kinds;
}

function codeIn({ lines }: Adr, { first, last, kinds }: Lines): string[] {
  const code: string[] = [];
  for (let line = first; line <= last; line += 1) if (kinds[line] === CODE) code.push(lines[line - 1] ?? '');
  return code;
}

function splitItems(adr: Adr, { first, last, kinds }: Lines): Written[] {
  const items: Written[] = [];
  let open: { line: number; text: string; isProse: boolean } | undefined;
  for (let line = first; line <= last; line += 1) {
    const kind = kinds[line] ?? 0;
    const text = textOf(adr, line, kind);
    const isProse = kind === 0;
    if (text === '' || RULE.test(text)) {
      // The row above the rule of a table is its head, no promise.
      const isHead = open !== undefined && ROW.test(text) && ROW.test(open.text);
      if (open !== undefined && !isHead) items.push(open);
      open = undefined;
    } else if (kind === DRAWING || MARKER.test(text) || ROW.test(text) || open?.isProse !== isProse) {
      if (open !== undefined) items.push(open);
      open = { line, text: text.replace(MARKER, ''), isProse };
    } else open.text += ` ${text}`;
  }
  if (open !== undefined) items.push(open);
  return items;
}

function textOf({ lines, prose }: Adr, line: number, kind: number): string {
  if (kind === QUOTE) return (lines[line - 1] ?? '').replace(/^[\s>]+/, '');
  return kind === DRAWING ? (lines[line - 1] ?? '').replace(/[\u2500-\u257f]+/g, ' ') : (prose[line - 1] ?? '');
}

/** A note on when the document was made is no content of its last section. */
const COLOPHON = /^\s*[*_]{1,3}(?:erstellt|created|generated|stand|version|last updated|zuletzt|autor|author)\b/i;

/** Tells whether an item is none of what the document says. */
export function isFiller(text: string): boolean {
  return isPlaceholder(text) || COLOPHON.test(text);
}

/** Reads the words and values of an item; undefined when it says nothing. */
export function readItem({ line, text, isProse }: Written): Item | undefined {
  const values = valuesIn(text);
  const terms = termsOf(text);
  for (const value of values) terms.add(termOfValue(value));
  return terms.size === 0 || isFiller(text) ? undefined : { line, text, isProse, terms, values };
}
