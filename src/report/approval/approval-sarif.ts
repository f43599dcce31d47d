import type { ApprovalFinding, ApprovalResult } from '../../domain/judge/approval.ts';
import { present } from '../../domain/present.ts';
import { LEVELS, uriOf } from '../adr/sarif.ts';
import { renderJson } from '../words/json.ts';
import { placeInText, placeOf } from './approval-place.ts';

/** What SARIF tells beside the result. */
export type ApprovalSarifFacts = {
  readonly version: string;
  /** What a check asks for, in Markdown. */
  readonly describe: (check: string) => string | undefined;
  /** The judged files. */
  readonly texts: ReadonlyMap<string, string>;
};

/** An approval as SARIF 2.1.0, which code scanning services read. */
export function renderApprovalSarif(result: ApprovalResult, { version, describe, texts }: ApprovalSarifFacts): string {
  const { findings, approval_id, approval_type, confidence, cached, stage, agent_context } = result;
  const checks = [...new Set(findings.map(({ check }) => check))].sort();
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
        results: findings.map((finding) => resultOf(finding, { checks, texts })),
        properties,
      },
    ],
  });
}

type About = { readonly checks: readonly string[]; readonly texts: ReadonlyMap<string, string> };

function resultOf(finding: ApprovalFinding, { checks, texts }: About) {
  const { check, severity, message, hint, fingerprint } = finding;
  return {
    ruleId: check,
    ruleIndex: checks.indexOf(check),
    level: LEVELS[severity],
    message: { text: `${message}${hint === undefined ? '' : `\n${hint}`}`.toWellFormed() },
    locations: locationsOf(finding, texts),
    partialFingerprints: { 'helixApproval/v1': fingerprint },
  };
}

function locationsOf(finding: ApprovalFinding, texts: About['texts']) {
  const { file, line, column } = placeInText(finding, texts.get(placeOf(finding)?.file ?? '')) ?? {};
  const { evidence } = finding;
  if (file === undefined) return [];
  const region = {
    startLine: line,
    ...present({ startColumn: column }),
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
  const [first = check] = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const words = text.trim().toWellFormed();
  return {
    id: check,
    shortDescription: { text: first.toWellFormed() },
    help: { text: words, markdown: words },
  };
}
