import type { AdrCheckDocument, AdrFindingEntry, CheckDescription } from '../../domain/documents/adr-documents.ts';
import { renderJson } from '../words/json.ts';

/** What SARIF calls the severities. */
export const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** What SARIF tells beside the findings. */
export type SarifFacts = {
  readonly version: string;
  readonly describe: (check: string) => CheckDescription | undefined;
  /** The same for a finding whose line moved. */
  readonly fingerprint: (finding: AdrFindingEntry) => string;
};

/** A check of ADRs as SARIF 2.1.0, which code scanning services read. */
export function renderSarif({ files }: AdrCheckDocument, facts: SarifFacts): string {
  const checks = [...new Set(files.flatMap(({ findings }) => findings.map(({ check }) => check)))].sort();
  const driver = {
    name: 'helix adr',
    semanticVersion: facts.version,
    rules: checks.map((check) => reportingDescriptor(check, facts.describe(check))),
  };
  const results = files.flatMap(({ path, findings }) => {
    const seen = new Map<string, number>();
    return findings.map((finding) => {
      const fingerprint = facts.fingerprint(finding);
      const before = seen.get(fingerprint) ?? 0;
      seen.set(fingerprint, before + 1);
      return resultOf(finding, {
        path,
        ruleIndex: checks.indexOf(finding.check),
        print: `${fingerprint}:${before + 1}`,
      });
    });
  });
  return renderJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  });
}

function resultOf(finding: AdrFindingEntry, about: { path: string; ruleIndex: number; print: string }) {
  const { check, severity, message, hint, layer, location } = finding;
  return {
    ruleId: check,
    ruleIndex: about.ruleIndex,
    level: LEVELS[severity],
    message: { text: `${message}${hint === '' ? '' : `\n${hint}`}`.toWellFormed() },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(about.path), uriBaseId: '%SRCROOT%' },
          region: { startLine: location.line, startColumn: location.column },
        },
      },
    ],
    partialFingerprints: { 'helixAdr/v1': about.print },
    properties: { layer },
  };
}

function reportingDescriptor(check: string, known: CheckDescription | undefined) {
  if (known === undefined) return { id: check };
  const help = `${known.why}\n\n${known.mend}`;
  return {
    id: check,
    shortDescription: { text: known.summary },
    fullDescription: { text: known.why },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: LEVELS[known.severity] },
    properties: { layer: known.layer },
  };
}

/** A relative reference: what has a meaning in URIs, and all that is not ASCII, is percent-encoded. */
export function uriOf(path: string): string {
  return path
    .toWellFormed()
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
}
