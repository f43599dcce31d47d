import type { CheckDescription } from '../domain/documents/adr-documents.ts';
import { CHECKS_ACROSS_FILES } from './catalogue/across-files.ts';
import { CONCEPT_CHECKS } from './catalogue/concept.ts';
import { RULE_CHECKS } from './catalogue/rules.ts';
import { STRUCTURE_CHECKS } from './catalogue/structure.ts';

/** Every check HELIX brings along, layer by layer. */
export const CHECKS: readonly CheckDescription[] = [
  ...named(STRUCTURE_CHECKS, 1),
  ...named(RULE_CHECKS, 2),
  ...named(CONCEPT_CHECKS, 3),
  ...named(CHECKS_ACROSS_FILES, 'corpus'),
];

/** What is known about a check; undefined for a rule of the project's own. */
export function describeCheck(check: string): CheckDescription | undefined {
  return CHECKS.find((each) => each.check === check);
}

type Told = Omit<CheckDescription, 'check' | 'layer'>;

function named(told: Readonly<Record<string, Told>>, layer: CheckDescription['layer']): CheckDescription[] {
  return Object.entries(told).map(([check, about]) => ({ check, layer, ...about }));
}
