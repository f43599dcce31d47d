import type { Adr, Section } from '../document/adr.ts';
import { findRewordedDrift } from './drift/reworded-drift.ts';
import { findDrift } from './drift/value-drift.ts';
import { bestPlaceOf, evidenceOf, shorten } from './evidence.ts';
import { type AdrIndex, indexAdr } from './index/adr-index.ts';
import type { ChangedValue, ConceptDiff, LostSection, ThinnedSection, WaivedSection } from './index/concept-diff.ts';
import { plansIn } from './index/plans.ts';
import { type ConceptSection, type PreparedConcept, prepareConcept } from './index/prepare-concept.ts';
import { judgePlan } from './plans/judge-plan.ts';
import { sectionsAround } from './read/headings.ts';
import { termOfValue } from './read/parts.ts';
import { findDropped } from './sections/dropped-values.ts';
import { findExtra } from './sections/find-extra.ts';
import { type Judgement, judgeSection } from './sections/judge-section.ts';
import { readWaivers, type Waiver } from './waivers.ts';

type Judged = {
  readonly index: AdrIndex;
  readonly judgements: ReadonlyMap<ConceptSection, Judgement>;
  /** Sections of which nothing is left, subsections included. */
  readonly gone: ReadonlySet<ConceptSection>;
};

export type { ConceptDiff, PreparedConcept };
export { prepareConcept };

/** Compares a concept with the ADR written from it: what is lost, thinned, changed, new, and left out on purpose. */
export function diffConcept(concept: Adr | PreparedConcept, adr: Adr): ConceptDiff {
  const prepared = 'top' in concept ? concept : prepareConcept(concept);
  const waivers = usableWaivers(adr);
  const waived = new Set(prepared.all.filter(({ section }) => isWaived(section, prepared.title, waivers)));
  const judged = judge(prepared, adr, waived);
  const missing = prepared.top.flatMap((entry) => lostIn(entry, judged));
  const texts = measured(prepared.all.filter((entry) => entry.hasText || judged.judgements.has(entry)));
  const lost = texts.filter((entry) => judged.judgements.get(entry)?.fate === 'lost').length;
  return {
    concept: prepared.adr.path,
    coveragePercent: texts.length === 0 ? 0 : Math.round(((texts.length - lost) / texts.length) * 1000) / 10,
    missing,
    thinned: [...judged.judgements].flatMap(([entry, judgement]) => thinnedOf(entry, judgement, judged.index)),
    changed: prepared.all.filter((entry) => !waived.has(entry)).flatMap((entry) => changedIn(entry, judged)),
    extra: findExtra(prepared, adr, judged),
    waived: waivedSections(prepared, waivers),
  };
}

/** A concept of nothing but what nobody asks for is measured by that. */
function measured(texts: readonly ConceptSection[]): readonly ConceptSection[] {
  const asked = texts.filter(({ isAside }) => !isAside);
  return asked.length > 0 ? asked : texts;
}

function judge(prepared: PreparedConcept, adr: Adr, waived: ReadonlySet<ConceptSection>): Judged {
  const index = indexAdr(adr, prepared.lexicon);
  const { language } = index;
  const setting = {
    sameLanguage: language === undefined || prepared.language === undefined || language === prepared.language,
    sameHeadings: hasHeadingsOf(prepared, index),
  };
  const judgements = new Map<ConceptSection, Judgement>();
  for (const entry of prepared.all)
    if (entry.hasText && !waived.has(entry))
      judgements.set(entry, withoutDropped(index, entry, judgeSection(index, entry, setting)));
  if (setting.sameLanguage) addPlans(judgements, { prepared, index, waived });
  const gone = new Set<ConceptSection>();
  for (const entry of prepared.all.toReversed()) if (isGone(entry, { judgements, gone })) gone.add(entry);
  return { index, judgements, gone };
}

/** What a plan seen as a whole says of its parts weighs more than what these say one by one, unless they are known to be lost. */
function addPlans(
  judgements: Map<ConceptSection, Judgement>,
  { prepared, index, waived }: { prepared: PreparedConcept; index: AdrIndex; waived: ReadonlySet<ConceptSection> },
): void {
  for (const { root, members } of plansIn(prepared.top)) {
    const due = { root, members: members.filter((entry) => !waived.has(entry)) };
    const judged = due.members.flatMap((entry) => judgements.get(entry) ?? []);
    if (judged.length > 0 && judged.every(({ fate }) => fate === 'lost')) continue;
    for (const [entry, fate] of judgePlan(index, due)) {
      if (!waived.has(entry) && judgements.get(entry)?.fate !== 'lost')
        judgements.set(entry, { ...fate, implied: false });
    }
  }
}

const NOTHING_FOUND: Judgement = {
  fate: 'lost',
  similarity: 0,
  ranges: [],
  points: 0,
  lostItems: [],
  implied: false,
};

/** A section is thinned, too, when its points are there without what they measured. */
function withoutDropped(index: AdrIndex, entry: ConceptSection, judgement: Judgement): Judgement {
  const lostItems = judgement.fate === 'kept' ? findDropped(index, entry, judgement) : [];
  return lostItems.length === 0 ? judgement : { ...judgement, fate: 'thinned', lostItems };
}

const SAME_HEADINGS = 0.6;

function hasHeadingsOf({ all }: PreparedConcept, { byName }: AdrIndex): boolean {
  const others = all.filter(
    ({ obligation, hasText, part }) => hasText && obligation !== 'acceptance' && !part.isBeginning,
  );
  const known = others.filter(({ section }) => byName.has(section.name)).length;
  return known > 0 && known >= others.length * SAME_HEADINGS;
}

/** Nothing is left when the text and every subsection are lost; a few words of introduction do not save it. */
function isGone(entry: ConceptSection, { judgements, gone }: Pick<Judged, 'judgements' | 'gone'>): boolean {
  const fate = judgements.get(entry)?.fate;
  const below = entry.children.filter((child) => gone.has(child) || judgements.has(child) || child.children.length > 0);
  if (!below.every((child) => gone.has(child))) return false;
  if (fate === undefined) return below.length > 0;
  return fate === 'lost' || (below.length > 0 && entry.part.terms.size * 4 < termsBelow(entry));
}

function termsBelow({ children }: ConceptSection): number {
  let sum = 0;
  for (const child of children) sum += child.part.terms.size + termsBelow(child);
  return sum;
}

/** The highest sections that are lost; one that must be delivered is named even when more than it is lost. */
function lostIn(entry: ConceptSection, judged: Judged): LostSection[] {
  const { gone, judgements } = judged;
  if (!gone.has(entry)) {
    const own = judgements.get(entry)?.fate === 'lost' ? [lostOf(entry, [], judged)] : [];
    return [...own, ...entry.children.flatMap((child) => lostIn(child, judged))];
  }
  const below = allBelow(entry).filter((each) => each.hasText || judgements.has(each));
  const apart = entry.obligation === undefined ? highestObligations(entry) : [];
  const rest = [entry, ...below].some((each) => each.hasText && each.obligation === undefined);
  return [
    ...(rest || apart.length === 0 ? [lostOf(entry, below, judged)] : []),
    ...apart.flatMap((each) => lostIn(each, judged)),
  ];
}

function highestObligations({ children }: ConceptSection): ConceptSection[] {
  return children.flatMap((child) => (child.obligation === undefined ? highestObligations(child) : [child]));
}

function allBelow({ children }: ConceptSection): ConceptSection[] {
  return children.flatMap((child) => [child, ...allBelow(child)]);
}

function lostOf(entry: ConceptSection, below: readonly ConceptSection[], { index, judgements }: Judged): LostSection {
  const told = [entry, ...below]
    .filter((each) => judgements.has(each))
    .reduce((most, each) => (each.part.terms.size > most.part.terms.size ? each : most), entry);
  const judgement = judgements.get(told) ?? NOTHING_FOUND;
  return {
    ...aboutOf(entry),
    best: bestPlaceOf(index, judgement),
    below: below.slice(0, 8).map(({ section }) => section.title),
    evidence: evidenceOf(index, told, judgement),
  };
}

function aboutOf({ section, obligation }: ConceptSection) {
  return { title: section.title, line: section.line, column: section.column, obligation: obligation ?? null };
}

function thinnedOf(entry: ConceptSection, judgement: Judgement, index: AdrIndex): ThinnedSection[] {
  if (judgement.fate !== 'thinned') return [];
  return [
    {
      ...aboutOf(entry),
      ...(judgement.implied && { obligation: null }),
      best: bestPlaceOf(index, judgement),
      items: judgement.points,
      lostItems: judgement.lostItems.length,
      evidence: evidenceOf(index, entry, judgement),
    },
  ];
}

function changedIn(entry: ConceptSection, { index, judgements, gone }: Judged): ChangedValue[] {
  const { fate, ranges, similarity } = judgements.get(entry) ?? unjudged(index);
  if (fate === 'lost' || gone.has(entry)) return [];
  const found = findDrift(index, entry, ranges);
  const known = new Set(found.map(({ value }) => termOfValue(value)));
  const reworded = findRewordedDrift(index, entry).filter(({ value }) => !known.has(termOfValue(value)));
  return [...found, ...reworded].map(({ item, value, sentence, other }) => ({
    ...aboutOf(entry),
    line: item.line,
    column: 1,
    best: {
      section: index.parts[other.part]?.section?.title ?? '',
      line: other.line,
      column: 1,
      similarity: Math.round(similarity * 100) / 100,
    },
    before: value.text.trim(),
    after: other.value.text.trim(),
    text: shorten(sentence),
    changedText: shorten(other.sentence),
  }));
}

/** Of a heading without a text of its own the values may be anywhere. */
function unjudged({ parts }: AdrIndex): Pick<Judgement, 'fate' | 'ranges' | 'similarity'> {
  return { fate: 'kept', ranges: [{ from: 0, to: parts.length }], similarity: 0 };
}

/** By the names of the sections; a waiver needs both section and reason. */
function usableWaivers(adr: Adr): ReadonlyMap<string, Waiver> {
  const waivers = readWaivers(adr).filter(({ name, reason }) => name !== '' && reason !== '');
  return new Map(waivers.map((waiver) => [waiver.name, waiver]));
}

/** A waiver of the title is one of the text right under it. */
function isWaived(section: Section, title: Section | undefined, waivers: ReadonlyMap<string, Waiver>): boolean {
  for (const each of sectionsAround(section, title)) if (waivers.has(each.name)) return true;
  return false;
}

function waivedSections({ adr, all }: PreparedConcept, waivers: ReadonlyMap<string, Waiver>): WaivedSection[] {
  const names = new Set(adr.sections.map(({ name }) => name));
  const nameless = all.map(({ section }) => section).find(({ name }) => !names.has(name));
  const sections = nameless === undefined ? adr.sections : [nameless, ...adr.sections];
  return sections.flatMap(({ title, name, line, column }) => {
    const waiver = waivers.get(name);
    return waiver === undefined ? [] : [{ title, line, column, reason: waiver.reason }];
  });
}
