import type { Document, Folder, Kind } from './document.ts';

/** What must be reported of a broken document. */
export type Expected = {
  /** One of these. */
  readonly checks: readonly string[];
  readonly severity?: 'error' | 'warning' | 'info';
  /** What the message must name. */
  readonly about?: RegExp;
  /** Errors that rightly come with it. */
  readonly also?: readonly string[];
};

/** A document after one change. */
type Case = {
  /** What of the document was changed, or with which words. */
  readonly of: string;
  readonly text: string;
  readonly path?: string;
  /** Another concept than the document's own. */
  readonly concept?: string;
  /** Undefined when the change is harmless: then nothing may be reported. */
  readonly expected?: Expected;
};

/** One kind of change, with a case for each place of a document where it can be made. */
export type Operator = {
  readonly name: string;
  /** Checked together with the document's concept. */
  readonly withConcept: boolean;
  cases(document: Document): readonly Case[];
};

/** A change to a folder of ADRs. */
export type FolderOperator = {
  readonly name: string;
  apply(folder: Folder): Folder;
  readonly expected?: Expected;
};

/** What a function that changes a document gives: the text, texts by what was changed, or nothing where it does not apply. */
type Changed = string | Readonly<Record<string, string | Omit<Case, 'of' | 'expected'>>> | undefined;

/** An operator that breaks a document. */
export function breaking(
  name: string,
  expected: Expected | ((document: Document) => Expected),
  apply: (document: Document) => Changed,
): Operator {
  return {
    name,
    withConcept: false,
    cases: (document) =>
      casesOf(apply(document)).map((each) => ({
        ...each,
        expected: typeof expected === 'function' ? expected(document) : expected,
      })),
  };
}

/** An operator that takes away what the concept of a document promised. */
export function losing(name: string, expected: Expected, apply: (document: Document) => Changed): Operator {
  return {
    ...breaking(name, expected, (document) => (document.concept === undefined ? undefined : apply(document))),
    withConcept: true,
  };
}

/** An operator that changes nothing a reader would miss. */
export function harmless(name: string, apply: (document: Document) => Changed): Operator {
  return { name, withConcept: true, cases: (document) => casesOf(apply(document)) };
}

function casesOf(changed: Changed): Case[] {
  if (changed === undefined) return [];
  if (typeof changed === 'string') return [{ of: '', text: changed }];
  return Object.entries(changed).map(([of, each]) => (typeof each === 'string' ? { of, text: each } : { of, ...each }));
}

/** Makes one case for each section of the given kinds that a document has. */
export function perSection(
  { titles }: Document,
  kinds: readonly Kind[],
  change: (title: string, kind: Kind) => string,
): Record<string, string> {
  const present = kinds.flatMap((kind) => (titles[kind] === undefined ? [] : [[kind, titles[kind]] as const]));
  return Object.fromEntries(present.map(([kind, title]) => [title, change(title, kind)]));
}

/** Makes one case for each of some words. */
export function perWording(wordings: readonly string[], change: (wording: string) => string): Record<string, string> {
  return Object.fromEntries(wordings.map((wording) => [wording, change(wording)]));
}
