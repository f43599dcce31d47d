import type { Finding } from '../../domain/finding.ts';

/** The finding to show where there is room for one: the first error, or the first of any kind. */
export function firstOf(findings: readonly Finding[]): Finding | undefined {
  return findings.find(({ severity }) => severity === 'error') ?? findings[0];
}

/** What a gate that passed the work wants a human to know all the same. */
export function warningsOf(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'warning');
}
