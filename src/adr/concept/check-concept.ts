import type { Adr, AdrFinding, Place } from '../document/adr.ts';
import { sectionName } from '../document/section-names.ts';
import type { BestPlace, ConceptDiff, Evidence } from './index/concept-diff.ts';
import { readWaivers, type Waiver } from './waivers.ts';

/** What a concept diff means for the ADR: errors for what must be delivered and for too little of it, warnings about the rest. */
export function checkConcept(diff: ConceptDiff, adr: Adr, minCoverage = 0): AdrFinding[] {
  return [
    ...nothingToCompare(diff, adr),
    ...tooLittle(diff, adr, minCoverage),
    ...diff.missing.map((lost) =>
      finding(adr, {
        check: 'concept-lost',
        severity: severityOf(lost),
        message: `${named(diff, lost)} is not in this ADR${withBelow(lost.below)}${nearest(lost.best)}${evidence(lost.evidence)}`,
        hint: hintFor(lost.title),
        place: lost.best,
      }),
    ),
    ...diff.thinned.map((thinned) =>
      finding(adr, {
        check: 'concept-thinned',
        severity: severityOf(thinned),
        message: `${thinned.lostItems} of ${thinned.items} points of ${named(diff, thinned)} ${thinned.lostItems === 1 ? 'is' : 'are'} not in this ADR${nearest(thinned.best)}${evidence(thinned.evidence)}`,
        hint: hintFor(thinned.title),
        place: thinned.best,
      }),
    ),
    ...diff.changed.map((changed) =>
      finding(adr, {
        check: 'concept-value-drift',
        severity: severityOf(changed),
        message: `${named(diff, changed)} says "${changed.before}" ("${changed.text}"), this ADR says "${changed.after}"`,
        hint: `write "${changed.before}" again, or correct the concept; ${waiverHint(changed.title)}`,
        place: changed.best,
      }),
    ),
    ...waiverFindings(diff, adr),
  ];
}

/** Comparing with nothing finds nothing lost, which looks like a pass. */
function nothingToCompare({ concept, coveragePercent, missing }: ConceptDiff, adr: Adr): AdrFinding[] {
  if (coveragePercent > 0 || missing.length > 0) return [];
  const message = `the concept ${concept} has no text that could be compared`;
  const hint = 'name the concept this ADR was written from, or write down what it says';
  return [finding(adr, { check: 'concept-missing', severity: 'error', message, hint, place: null })];
}

/** Many small losses are a great one. */
function tooLittle({ concept, coveragePercent, missing }: ConceptDiff, adr: Adr, minCoverage: number): AdrFinding[] {
  if (coveragePercent >= minCoverage || missing.length === 0) return [];
  const message = `this ADR carries on ${coveragePercent} % of the concept ${concept}; at least ${minCoverage} % is asked for`;
  const hint = `carry over or waive what is lost; the limit is min_coverage of base_rules in the rules`;
  return [finding(adr, { check: 'concept-lost', severity: 'error', message, hint, place: null })];
}

function severityOf({ obligation }: { obligation: string | null }): 'error' | 'warning' {
  return obligation === null ? 'warning' : 'error';
}

function finding(
  adr: Adr,
  { place, ...rest }: Pick<AdrFinding, 'check' | 'severity' | 'message'> & { hint: string; place: Place | null },
): AdrFinding {
  return { ...rest, layer: 3, location: { file: adr.path, line: place?.line ?? 1, column: place?.column ?? 1 } };
}

function named({ concept }: ConceptDiff, { title, line }: { title: string; line: number }): string {
  return `"${title}" of the concept (${concept}:${line})`;
}

function withBelow(below: readonly string[]): string {
  return below.length === 0
    ? ''
    : `, with all below it (${below.slice(0, 3).join(', ')}${below.length > 3 ? ', …' : ''})`;
}

function nearest(best: BestPlace | null): string {
  return best === null ? '' : `; nearest is "${best.section}" (similarity ${best.similarity})`;
}

const POINTS_TOLD = 3;

function evidence({ terms, values, items }: Evidence): string {
  if (items.length > 0) {
    const told = items.slice(0, POINTS_TOLD);
    const untold = values.filter((value) => !told.some((item) => item.includes(value)));
    const more = items.length > POINTS_TOLD ? ` · and ${items.length - POINTS_TOLD} more` : '';
    return `; lost: ${[...told, ...untold].slice(0, POINTS_TOLD).join(' · ')}${more}`;
  }
  const words = [...values, ...terms].slice(0, 8);
  return words.length === 0 ? '' : `; lost: ${words.join(', ')}`;
}

function hintFor(title: string): string {
  return `carry it over into the ADR; ${waiverHint(title)}`;
}

function waiverHint(title: string): string {
  return `if it is left out on purpose, say so in the front matter: concept_waivers: [{section: ${JSON.stringify(title)}, reason: "…"}]`;
}

/** A waiver that waives nothing looks as if it did. */
function waiverFindings(diff: ConceptDiff, adr: Adr): AdrFinding[] {
  const known = new Set(diff.waived.map(({ title }) => sectionName(title)));
  return readWaivers(adr).flatMap((waiver) => {
    const message = problemOf(waiver, known.has(waiver.name));
    if (message === undefined) return [];
    const hint = 'write {section: "the heading in the concept", reason: "why it is left out"}';
    return [finding(adr, { check: 'concept-lost', severity: 'warning', message, hint, place: waiver })];
  });
}

function problemOf({ section, reason }: Waiver, known: boolean): string | undefined {
  if (section === '') return 'this concept waiver names no section';
  if (reason === '') return `the concept waiver for "${section}" gives no reason, so it waives nothing`;
  return known ? undefined : `the concept has no section "${section}" that could be waived`;
}
