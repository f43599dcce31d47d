import type { Adr, AdrFinding, Place } from '../document/adr.ts';

/** A finding of the comparison of several files, at a place in one of them. */
export function corpusFinding(
  adr: Adr,
  place: Place,
  finding: Pick<AdrFinding, 'severity' | 'check' | 'message' | 'hint'>,
): AdrFinding {
  return { ...finding, layer: 'corpus', location: { file: adr.path, line: place.line, column: place.column } };
}
