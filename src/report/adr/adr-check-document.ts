import type { AdrCheckDocument, AdrFileEntry, AdrFindingEntry } from '../../domain/documents/adr-documents.ts';
import type { Finding } from '../../domain/finding.ts';

/** What one ADR was found to be like. */
export type CheckedAdr = {
  readonly path: string;
  readonly profile: string;
  readonly verdict: 'pass' | 'reject';
  readonly findings: readonly (Finding & Pick<AdrFindingEntry, 'layer'>)[];
  readonly rules: AdrCheckDocument['summary']['rules'];
};

/** The document all formats of `helix adr check` are made from. */
export function adrCheckDocument(checks: readonly CheckedAdr[]): AdrCheckDocument {
  const count = (severity: Finding['severity']): number =>
    checks.reduce((sum, { findings }) => sum + findings.filter((finding) => finding.severity === severity).length, 0);
  const rules = { checked: 0, triggered: 0, passed: 0 };
  for (const checked of checks) {
    rules.checked += checked.rules.checked;
    rules.triggered += checked.rules.triggered;
    rules.passed += checked.rules.passed;
  }
  const failed = checks.filter(({ verdict }) => verdict === 'reject').length;
  return {
    schema: 'helix.adr-check/1',
    summary: {
      files: checks.length,
      passed: checks.length - failed,
      failed,
      errors: count('error'),
      warnings: count('warning'),
      infos: count('info'),
      rules,
    },
    files: checks.map(fileEntry),
  };
}

function fileEntry({ path, profile, verdict, findings }: CheckedAdr): AdrFileEntry {
  return {
    path,
    profile,
    verdict,
    findings: findings.map(({ severity, check, message, hint = '', layer, location }) => ({
      severity,
      check,
      message,
      hint,
      layer,
      location: { line: location?.line ?? 1, column: location?.column ?? 1 },
    })),
  };
}
