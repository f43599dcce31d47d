import type { AdrFinding, Place } from '../document/adr.ts';

/** Takes what a check of the structure noticed; without a place it stands at the top. */
export type Report = (
  severity: AdrFinding['severity'],
  note: { check: string; message: string; hint?: string },
  place?: Place,
) => void;
