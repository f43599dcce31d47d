import { present } from '../../../domain/present.ts';
import type { Adr, Section } from '../../document/adr.ts';
import { kindsOf, type SectionKind, sectionName } from '../../document/section-names.ts';
import { isAboutDocument, ownObligation } from './headings.ts';
import { type Item, isListed, type Part, readItem, termsOfItems } from './parts.ts';
import { splitSentences } from './sentences.ts';
import { valuesIn } from './values.ts';

/** What the text above the first section is called when the document has no title. */
const NAMELESS = 'the beginning';

/** What a document says of itself at its top: "**Author**: …", "| Version | 2 |". */
const HEADER_LINE =
  /^[\s>|*_+-]*(?:status|dat(?:e|um)|created|(?:last )?updated|erstellt|aktualisiert|authors?|autor(?:en)?|owners?|version|reviewers?|tags?|keywords|(?:linked|related)\b[^:|]{0,30}|issue|ticket|epic|jira|pr|spec|bezug|project|projekt|team|audience|zielgruppe|type|typ|id|adr|rfc|language|sprache|classification|change.scope|component.type|project.type|domain|depends.on|supersedes|superseded.by)[\s*_]*[:|]/i;
const ONLY_LINK = /^\s*(?:[-*+]|\d{1,9}[.)])?\s*\[[^\]]{0,300}\]\([^)]{0,500}\)\s*$/;

/** The document without what it says of itself above its first section. */
export function withoutHeader(adr: Adr, title: Section | undefined): Adr {
  const end = endOfBeginning(adr, title);
  const isHeader = (line: string) => HEADER_LINE.test(line) || ONLY_LINK.test(line);
  return { ...adr, prose: adr.prose.map((line, at) => (at < end && isHeader(line) ? '' : line)) };
}

function endOfBeginning({ sections, prose }: Adr, title: Section | undefined): number {
  const next = sections.find((section) => section !== title);
  return next === undefined ? prose.length : next.line - 1;
}

/** Splits the text under the title, or above it, by what must be delivered: each obligation stands for a section of its own. */
export function splitBeginning({ section, items }: Part, { prose }: Adr): (Part & { readonly section: Section })[] {
  const byKind = new Map<SectionKind | undefined, Item[]>();
  let announced: SectionKind | undefined;
  for (const item of items.filter(({ isProse }) => isProse)) {
    const inList = isListed(prose[item.line - 1] ?? '');
    if (!inList) announced = undefined;
    for (const { kind = announced, text } of inList ? [wholeOf(item)] : passagesOf(item)) {
      const passage = text === item.text ? item : readItem({ ...item, text });
      if (passage === undefined) continue;
      if (!byKind.has(kind)) byKind.set(kind, []);
      byKind.get(kind)?.push(passage);
    }
    if (!inList && /:[*_\s]*$/.test(item.text)) announced = labelKind(item.text);
  }
  return [...byKind].map(([kind, own]) => {
    const title = section?.title ?? NAMELESS;
    const [line, last] = [own[0]?.line ?? 1, own.at(-1)?.line ?? 1];
    const place = { line, column: 1, first: line, last, level: 1, parent: undefined, children: [] };
    return {
      section: { ...place, title, name: sectionName(title), kinds: kind === undefined ? [] : [kind] },
      items: own,
      terms: termsOfItems(own),
      codeTerms: new Set<string>(),
      isBeginning: true,
    };
  });
}

type Passage = { readonly kind?: SectionKind; readonly text: string };

function wholeOf({ text }: Item): Passage {
  const kind = labelKind(text) ?? spokenKind(text);
  return { text, ...present({ kind }) };
}

/** A label holds for the sentences that follow it. */
function passagesOf({ text }: Item): Passage[] {
  const passages: Passage[] = [];
  let label: SectionKind | undefined;
  for (const sentence of splitSentences(text)) {
    label = labelKind(sentence) ?? label;
    const kind = label ?? spokenKind(sentence);
    const last = passages.at(-1);
    if (last !== undefined && last.kind === kind) passages.splice(-1, 1, { ...last, text: `${last.text} ${sentence}` });
    else passages.push({ text: sentence, ...present({ kind }) });
  }
  return passages;
}

const LABEL = /^[\s|*_[\]x]{0,12}([\p{L}][^:|.–—]{2,60}?)[\s*_]*(?:[:|–—]|\s-\s)/u;

/** "Rollback: …", "**Migration plan** – …" */
function labelKind(text: string): SectionKind | undefined {
  const [, label] = LABEL.exec(text) ?? [];
  if (label === undefined) return undefined;
  const name = sectionName(label);
  const named = { name, kinds: kindsOf(name) };
  return isAboutDocument(named) ? undefined : ownObligation(named);
}

const SPOKEN: readonly (readonly [RegExp, SectionKind])[] = [
  [/\broll(?:s|ed|ing)?[- ]?back\b|rückfall|zurückgerollt/i, 'rollback'],
  [/\bmigrat(?:e[ds]?|ing|ions?)\b|migrier|\bcut-?over\b/i, 'migration'],
];

/** Outside of a label, only what tells how much or when is a promise. */
function spokenKind(text: string): SectionKind | undefined {
  const kind = SPOKEN.find(([words]) => words.test(text))?.[1];
  return kind !== undefined && valuesIn(text).length > 0 ? kind : undefined;
}
