import { resolve } from 'node:path';
import { type AdrCheck, type ConceptCheck, judged } from '../../adr/check-adr.ts';
import { checkAgainstConcept } from '../../adr/check-against-concept.ts';
import { readNamedFile } from './read-named-file.ts';

/** A concept that was read, or what its absence means for each ADR. */
export type Concept = { readonly check?: ConceptCheck; readonly finding?: (check: AdrCheck) => AdrCheck };

/** Reads a concept; one that is not there is an error of every ADR that should have been compared with it. */
export function readConcept(path: string, cwd: string): Concept {
  const { text, findings } = readNamedFile(resolve(cwd, path), path);
  if (text !== undefined && findings.length === 0) {
    return { check: checkAgainstConcept(text, path) };
  }
  return {
    finding: (check) => ({
      ...check,
      ...judged([
        ...check.findings,
        {
          severity: 'error',
          check: 'concept-missing',
          message: `the concept ${path} cannot be compared: ${findings[0]?.message}`,
          hint: 'name the concept this ADR was written from, as seen from where helix is called',
          layer: 3,
          location: { file: check.path, line: 1, column: 1 },
        },
      ]),
    }),
  };
}
