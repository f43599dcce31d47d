import type { ConceptCheck } from './check-adr.ts';
import { checkConcept } from './concept/check-concept.ts';
import { diffConcept, prepareConcept } from './concept/diff-concept.ts';
import { parseAdr } from './document/parse-adr.ts';

/** Layer 3 for one concept, which is read once however many ADRs are compared with it. */
export function checkAgainstConcept(text: string, path: string): ConceptCheck {
  const concept = prepareConcept(parseAdr(text, path));
  return (adr, minCoverage) => checkConcept(diffConcept(concept, adr), adr, minCoverage);
}
