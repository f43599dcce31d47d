import type { CheckDescription } from '../../domain/documents/adr-documents.ts';

/** Layer 3: is what the concept promised still in the ADR? */
export const CONCEPT_CHECKS: Readonly<Record<string, Omit<CheckDescription, 'check' | 'layer'>>> = {
  'concept-missing': {
    severity: 'error',
    summary: 'The concept the ADR should be compared with cannot be read, or says nothing.',
    why: 'Comparing with nothing finds nothing lost, which looks like a pass.',
    mend: 'Name the concept as seen from where helix is called, and one that has text.',
    bad: 'helix adr check 0007.md --concept docs/concpt.md',
    good: 'helix adr check 0007.md --concept docs/concept.md',
  },
  'concept-lost': {
    severity: 'error',
    summary: 'What a section of the concept says is nowhere in the ADR.',
    why: 'People agreed on the concept and carry out the ADR. An error for what must be delivered (migration, rollback, risks, acceptance, security, breaking changes), else a note.',
    mend: 'Carry it over, or waive it in the front matter with the reason. Name the section by its whole heading in the concept; its number and capitals do not matter.',
    bad: 'Concept: "## Migration: a plan of 14 days"; ADR: nothing about it',
    good: 'concept_waivers:\n  - section: "Migration: a plan of 14 days"\n    reason: there is no data yet',
  },
  'concept-thinned': {
    severity: 'error',
    summary: 'The ADR has a section of the concept, but without much of what it said.',
    why: 'A heading that survives hides that its content did not. An error for what must be delivered, else a note.',
    mend: 'Carry over the points that are named, or waive the section with the reason.',
    bad: 'Concept: six steps of the migration; ADR: "We migrate."',
    good: 'The ADR names the six steps, in its own words.',
  },
  'concept-value-drift': {
    severity: 'error',
    summary: 'An amount or a date is another one in the ADR than in the concept.',
    why: 'Five days became fifty, and nobody decided it. An error for what must be delivered, else a note.',
    mend: 'Write the value of the concept again, or correct the concept.',
    bad: 'Concept: "rolled back within 5 days"; ADR: "rolled back within 50 days"',
    good: 'Both say 5 days.',
  },
};
