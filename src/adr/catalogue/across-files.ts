import type { CheckDescription } from '../../domain/documents/adr-documents.ts';

/** Across files: do the ADRs of a folder fit together? */
export const CHECKS_ACROSS_FILES: Readonly<Record<string, Omit<CheckDescription, 'check' | 'layer'>>> = {
  'duplicate-id': {
    severity: 'error',
    summary: 'Two ADRs of one folder have the same id.',
    why: 'A reference to that id means two things; it happens when two branches take the next number. Each folder numbers its own ADRs, also when files of several are given by name.',
    mend: 'Give the newer one the next free number.',
    bad: '0007-orders.md, 0007-queue.md',
    good: '0007-orders.md, 0008-queue.md',
  },
  'dangling-reference': {
    severity: 'error',
    summary: 'An ADR refers to one that does not exist.',
    why: 'The reason a reader looks for is not there.',
    mend: 'Correct the id or the link, or remove the reference.',
    bad: 'depends_on: ["099"]',
    good: 'depends_on: ["009"]',
  },
  'self-reference': {
    severity: 'error',
    summary: 'An ADR refers to itself.',
    why: 'It was copied from another one, and the reference that was meant is missing.',
    mend: 'Name the ADR that was meant.',
    bad: 'adr_id: "007"\nsupersedes: "007"',
    good: 'adr_id: "007"\nsupersedes: "003"',
  },
  cycle: {
    severity: 'error',
    summary: 'ADRs depend on each other, or supersede each other, in a circle.',
    why: 'None of them can come first, and none is the one that holds.',
    mend: 'Remove the reference that points backwards.',
    bad: '007 depends on 008, 008 depends on 007',
    good: '008 depends on 007',
  },
  'superseded-without-successor': {
    severity: 'warning',
    summary: 'An ADR is superseded and does not say by which.',
    why: 'Whoever finds it needs the one that holds now.',
    mend: 'Name the successor: `superseded_by`, or a link beside the status.',
    bad: 'status: Superseded',
    good: 'status: Superseded\nsuperseded_by: "012"',
  },
  'supersession-not-reciprocal': {
    severity: 'warning',
    summary: 'One ADR says that it supersedes another, and the other does not say so.',
    why: 'Whoever reads the old one follows what no longer holds.',
    mend: 'Let helix write both: helix adr supersede <old> <new>',
    bad: '012: supersedes 007; 007: status: Accepted',
    good: '012: supersedes 007; 007: status: Superseded, superseded_by: 012',
  },
  'depends-on-superseded': {
    severity: 'warning',
    summary: 'An ADR depends on one that is superseded.',
    why: 'Its ground is gone; perhaps it no longer holds either.',
    mend: 'Check whether it still holds, and depend on the successor.',
    bad: 'depends_on: ["007"], which 012 supersedes',
    good: 'depends_on: ["012"]',
  },
};
