import type { Section } from '../../document/adr.ts';
import { obligationOf, ownObligation, sectionsAround } from './headings.ts';
import type { Part } from './parts.ts';

/** Whole names, or their ends; "goals and non-goals" are goals, too. */
function endingIn(names: string): RegExp {
  return new RegExp(`(?<!\\p{L}|(?:and|or|und|oder|&|/)\\s*)(?:${names})$`, 'iu');
}

const BESIDE = endingIn(
  [
    ...['out[ -]of[ -]scope', 'not in scope', 'non[ -]?goals?', '(?:additional|further) context', 'related work'],
    ...['future work', '(?:future|possible) improvements', 'nicht[ -]?ziele?', 'nicht im umfang', 'abgrenzung(?:en)?'],
    ...['außerhalb des umfangs', '(?:zusätzlicher|weiterer|ergänzender) kontext', 'verwandte arbeiten'],
    ...['ausblick', '(?:zu)?künftige arbeiten', 'mögliche verbesserungen'],
  ].join('|'),
);
const PROCESS = endingIn(
  [
    ...['test(?:ing)?[ -](?:approach|strategy|plan)', 'definition of done', 'done when'],
    ...['test[ -]?(?:strategie|vorgehen|ansatz|plan|konzept)', 'fertig,? wenn'],
  ].join('|'),
);

/** As requirements are written that mean it, in capitals or with emphasis: "MUST", "**darf nicht**". */
const CAPITALS = /(?<!\p{L})(?:MUST|SHALL|REQUIRED|MUSS|MÜSSEN|DARF (?:NICHT|KEIN)|DÜRFEN (?:NICHT|KEIN))/u;
const EMPHASIS = /(?:\*\*|__)(?:must|shall|required|muss|müssen|darf (?:nicht|kein)|dürfen (?:nicht|kein))/iu;

/** Finds out which sections of a concept nobody asks an ADR for: what is out of scope, lies around it, or is about how one works. */
export function asideIn(parts: readonly Part[], title: Section | undefined): (part: Part) => boolean {
  const hasCriteria = parts.some(
    ({ section, terms }) =>
      section !== undefined &&
      terms.size >= 2 &&
      obligationOf(section, title) === 'acceptance' &&
      !isBelow(section, title, PROCESS),
  );
  return ({ section, items }) => {
    if (section === undefined || items.some(({ text }) => CAPITALS.test(text) || EMPHASIS.test(text))) return false;
    const obligation = obligationOf(section, title);
    if (obligation !== undefined && obligation !== 'acceptance') return false;
    if (isBelow(section, title, BESIDE)) return true;
    return isBelow(section, title, PROCESS) && (obligation === undefined || hasCriteria);
  };
}

/** True for a section of such a name and for what stands under it, up to what must be delivered. */
function isBelow(section: Section, title: Section | undefined, names: RegExp): boolean {
  for (const each of sectionsAround(section, title)) {
    if (names.test(each.name)) return true;
    if (ownObligation(each) !== undefined) return false;
  }
  return false;
}
