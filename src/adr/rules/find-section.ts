import type { Adr, Section } from '../document/adr.ts';
import { kindsOf, type SectionKind, sectionName, unhyphened } from '../document/section-names.ts';
import { isNoPlan, isPlan } from './denied-plan.ts';

/** The parts of an ADR in which a section may stand deeper; in all others a heading of its name is something else. */
const HOMES: readonly SectionKind[] = ['implementation', 'decision', 'approach', 'what'];
/** A checklist called "Migration" among the acceptance criteria is no migration plan. */
const FOREIGN: readonly SectionKind[] = [
  'acceptance',
  'references',
  'consequences',
  'documentation',
  'summary',
  'options',
  'meta',
  'questions',
  'status',
];

/** The sections that a name means, whatever they are called, the best one first; with `negation`, no plan that its heading denies. */
export function findSections(adr: Adr, wanted: string, negation: boolean): Section[] {
  const name = sectionName(wanted);
  const kinds = kindsOf(name);
  const title = titleOf(adr);
  const planned = negation && isPlan(wanted);
  return adr.sections
    .map((section) => ({ section, rank: rankOf(section, name, kinds) }))
    .filter(
      ({ section, rank }) =>
        rank < NO_RANK && section !== title && isAtHome(section, title) && !(planned && isNoPlan(section)),
    )
    .toSorted(
      (a, b) => a.rank - b.rank || depthOf(a.section) - depthOf(b.section) || lengthOf(b.section) - lengthOf(a.section),
    )
    .map(({ section }) => section);
}

const NO_RANK = 3;

/** The same name, then a name of the same meaning, then one that contains the name as a word. */
function rankOf({ name, kinds: own }: Section, wanted: string, kinds: readonly SectionKind[]): number {
  if (name === wanted || unhyphened(name) === unhyphened(wanted)) return 0;
  if (own.some((kind) => kinds.includes(kind))) return 1;
  if (wanted.length < 6 || !name.includes(wanted)) return NO_RANK;
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted) || word.endsWith(wanted)) ? 2 : NO_RANK;
}

/** The heading around all others; a document may lack it. */
function titleOf({ sections }: Adr): Section | undefined {
  const [first] = sections;
  if (first === undefined || sections.some((section) => section !== first && section.parent === undefined))
    return undefined;
  return first.level === 1 || first.kinds.length === 0 ? first : undefined;
}

function isAtHome({ parent }: Section, title: Section | undefined): boolean {
  if (parent === undefined || parent === title) return true;
  let home = parent.level === 1 && parent.parent === undefined;
  for (let around: Section | undefined = parent; around !== undefined && around !== title; around = around.parent) {
    const kinds = around.kinds;
    if (kinds.some((kind) => FOREIGN.includes(kind)) && !kinds.some((kind) => HOMES.includes(kind))) return false;
    if (kinds.some((kind) => HOMES.includes(kind))) home = true;
  }
  return home;
}

function depthOf({ parent }: Section): number {
  return parent === undefined ? 0 : 1 + depthOf(parent);
}

function lengthOf({ first, last }: Section): number {
  return last - first;
}
