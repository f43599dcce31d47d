import type { Section } from '../document/adr.ts';
import { kindsOf, type SectionKind, sectionName } from '../document/section-names.ts';
import type { CasedText } from './adr-text.ts';
import { countMatches, type Pattern } from './pattern.ts';
import { deniedAfter } from './words/denied-after.ts';
import { isNegated } from './words/negation.ts';
import type { Match } from './words/phrase.ts';

const PLANS: readonly SectionKind[] = ['migration', 'rollback'];

/** True for the name of a section that has to say what will be done. */
export function isPlan(wanted: string): boolean {
  return kindsOf(sectionName(wanted)).some((kind) => PLANS.includes(kind));
}

const PLAN =
  '(?:migr(?:at|ier|er)|upgrad|roll(?:ing)?[ -]?(?:out|back)|cut-?[ ]?over|go[ -]live|umst(?:ell|ieg)|einführung|überführung|ablös|transition|deployment|déploiement|adoption|revert|backout|fallback|rückfall|rückbau|rückabwicklung|zurückroll|retour arrière)';
const PLAN_WORD = new RegExp(`${PLAN}[a-zà-öø-ÿœ]*`, 'g');

/** "Out of scope: migration", "Verworfene Migration". */
const EXCLUDED = new RegExp(
  `^(?:non-?goals?|nicht-?ziele|out of scope|außerhalb des (?:scopes?|umfangs|rahmens|projekts)|verworfen[a-z]*|rejected|abgelehnt[a-z]*)(?:\\s*[:–—-]|\\s+${PLAN}|$)`,
);

const BESIDE =
  '(?:risks?|concerns?|threats?|hazards?|pitfalls|challenges|problems|issues|questions?|alternatives?|costs?|risik(?:o|en)|gefahren|bedenken|probleme|herausforderungen|fragen|alternativen?|kosten|risques?|problèmes|coûts?)';
/** "Migration risks", "Migrationsrisiken", "Rollout: open questions". */
const BESIDE_BEHIND = new RegExp(
  `${PLAN}[a-zà-öø-ÿœ]*?[ :–—-]*(?:(?:open|known|possible|main|offene|bekannte|mögliche) )?${BESIDE}(?: ?-?(?:assessment|analysis|analyse|bewertung))?$`,
);
/** "Risks of the migration", "Alternatives to migrating". */
const BESIDE_BEFORE = new RegExp(
  `^(?:[a-zà-öø-ÿœ]+ )?${BESIDE} (?:of|for|in|with|during|about|on|to|der|des|bei|beim|zu|zum|zur|für|de|du|à)(?![a-zà-öø-ÿœ])`,
);
const BESIDE_ALONE = new RegExp(
  `^(?:(?:open|known|possible|main|offene|bekannte|mögliche) )?(?:${BESIDE}|mitigations?|(?:gegen)?maßnahmen)$`,
);
const JOINT = /(?:\s(?:and|und|et|sowie)\s|[&,/+])/;

/** True for a heading that denies the plan it names, leaves it out or stands over something beside it: "No migration", "Migration risks". */
export function isNoPlan({ title, name }: Pick<Section, 'title' | 'name'>): boolean {
  if (EXCLUDED.test(name)) return true;
  const text = title.slice(0, LONGEST_HEADING).normalize('NFC').toLowerCase();
  const mentions = mentionsIn(text);
  if (mentions.length === 0) return false;
  // "No rollback: phased migration" has one of two plans.
  if (mentions.every((mention) => isNegated(text, mention))) return true;
  const parts = name
    .slice(0, LONGEST_HEADING)
    .split(JOINT)
    .map((part) => part.trim());
  // "Migration: risks and steps" has steps.
  return parts.every((part) => BESIDE_BEHIND.test(part) || BESIDE_BEFORE.test(part) || BESIDE_ALONE.test(part));
}

const LONGEST_HEADING = 200;

function mentionsIn(text: string): Match[] {
  return Array.from(text.matchAll(PLAN_WORD), ({ 0: found, index: start }) => ({ start, end: start + found.length }));
}

/** True for a section that begins by saying that there is no such thing: "Eine Migration ist nicht vorgesehen. …". */
export function opensWithDenial({ title }: Pick<Section, 'title'>, { lower }: CasedText): boolean {
  const [opening = ''] = lower
    .slice(0, 2000)
    .trimStart()
    .slice(0, 300)
    .split(/(?<=[.!?;])\s|\n\s*\n/, 1);
  const [mention] = mentionsIn(opening);
  if (mention !== undefined && isNegated(opening, mention)) return true;
  const heading = title.toLowerCase();
  return deniedAfter(`${heading}\ue000\n${opening}`, heading.length);
}

/** True where the text has a numbered step, or several: one word like "first" makes no plan of a denial. */
export function hasSteps(text: CasedText, step: Pattern): boolean {
  let numbered = false;
  const counts = (match: Match): boolean => {
    const counted = !isNegated(text.lower, match);
    numbered ||= counted && isNumbered(text.raw, match);
    return counted;
  };
  return countMatches(text, step, { enough: 2, counts }) > 1 || numbered;
}

function isNumbered(text: string, { start, end }: Match): boolean {
  return /\d\.?\s?$/.test(text.slice(Math.max(0, start - 4), start)) || /\d/.test(text.slice(start, end + 2));
}
