import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';

/** The tests that fail after the work: those that failed before it, too, and those that did not as far as anybody counted. */
export function failingTests({ before, after }: EvidenceDocument['tests'][number]): {
  readonly still: readonly string[];
  readonly anew: readonly string[];
} {
  const old = new Set(before?.failed);
  return {
    still: after.failed.filter((name) => old.has(name)),
    anew: after.failed.filter((name) => !old.has(name)),
  };
}
