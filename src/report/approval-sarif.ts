import type { ApprovalFinding, ApprovalResult } from '../domain/approval.ts';
import { placeOf } from './approval-place.ts';
import { renderJson } from './json.ts';
import { LEVELS, uriOf } from './sarif.ts';

/** What SARIF tells beside the result. */
export type ApprovalSarifFacts = {
  readonly version: string;
  /** What a check asks for, in Markdown. */
  readonly describe: (check: string) => string | undefined;
};

/** An approval as SARIF 2.1.0, which code scanning services read. */
export function renderApprovalSarif(result: ApprovalResult, { version, describe }: ApprovalSarifFacts): string {
  const { findings, approval_id, approval_type, confidence, cached, stage, agent_context } = result;
  const asked = result.checks.map(({ id }) => id);
  const checks = [...new Set([...asked, ...findings.map(({ check }) => check)])].sort();
  const driver = {
    name: `helix approve ${approval_type}`,
    semanticVersion: version,
    rules: checks.map((check) => reportingDescriptor(check, describe(check))),
  };
  const { simulated } = agent_context;
  const properties = { approval_id, result: result.result, confidence, cached, stage, simulated };
  return renderJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, checks)),
        properties,
      },
    ],
  });
}

function resultOf(finding: ApprovalFinding, checks: readonly string[]) {
  const { check, severity, message, hint, evidence, fingerprint } = finding;
  return {
    ruleId: check,
    ruleIndex: checks.indexOf(check),
    level: LEVELS[severity],
    message: { text: `${message}${hint === undefined ? '' : `\n${hint}`}`.toWellFormed() },
    locations: locationsOf(finding, evidence),
    partialFingerprints: { 'helixApproval/v1': fingerprint },
  };
}

function locationsOf(finding: ApprovalFinding, evidence: string | undefined) {
  const { file, line, column } = placeOf(finding) ?? {};
  if (file === undefined) return [];
  const region = {
    startLine: line,
    ...(column !== undefined && { startColumn: column }),
    ...(evidence !== undefined && { snippet: { text: evidence.toWellFormed() } }),
  };
  return [
    {
      physicalLocation: {
        artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' },
        ...(line !== undefined && { region }),
      },
    },
  ];
}

function reportingDescriptor(check: string, text: string | undefined) {
  if (text === undefined) return { id: check };
  const [heading = check] = text.split('\n').filter((line) => line.trim() !== '');
  const words = text.trim().toWellFormed();
  return {
    id: check,
    shortDescription: { text: heading.replace(/^#+\s*/, '').toWellFormed() },
    help: { text: words, markdown: words },
  };
}
