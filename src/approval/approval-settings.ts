import type { Finding } from '../domain/finding.ts';
import { type ApprovalSettings, ApprovalsFile } from '../domain/judge/approval.ts';
import { APPROVAL_TYPE } from '../domain/judge/approval-type.ts';
import { present } from '../domain/present.ts';
import { isRecord } from '../text/is-record.ts';
import { oneLine } from '../text/sanitise.ts';
import { FileFindings } from '../text/yaml/file-findings.ts';
import { type Reading, readYaml } from '../text/yaml/read-yaml.ts';
import { readMap } from '../text/yaml/schema-findings.ts';

/** Where a project says how its approvals are asked for. */
export const APPROVALS_PATH = 'config/approvals.yaml';

const READING: Reading = {
  names: new Set(['approvals']),
  free: new Set(),
  text: new Set(['model', 'fallback_model', 'agent', 'checks']),
};

/** Reads config/approvals.yaml as far as it can be read; what is wrong with it is among the findings, with its place. */
export function parseApprovals(text: string, path: string): { file: ApprovalsFile; findings: readonly Finding[] } {
  const { yaml } = readYaml(path, text, READING);
  const findings = new FileFindings(yaml);
  const value = withoutWrongTypes(yaml.complete ? (yaml.value ?? {}) : {}, findings);
  const file = readMap(ApprovalsFile, { value, path: [], findings });
  return { file, findings: findings.sorted };
}

/** A name that is no approval type is told in words of its own, and left out of what is read on. */
function withoutWrongTypes(value: unknown, findings: FileFindings): unknown {
  if (!isRecord(value) || !isRecord(value.approvals)) return value;
  const entries = Object.entries(value.approvals).filter(([type]) => {
    if (APPROVAL_TYPE.test(type)) return true;
    const message = `"${oneLine(type, 60)}" cannot be an approval type`;
    const hint = 'use lower-case letters, digits, - and _, at most 64, the first one a letter or digit';
    findings.errorAtKey(['approvals', type], { check: 'approval-type', message, hint });
    return false;
  });
  return { ...value, approvals: Object.fromEntries(entries) };
}

/** What a gate or a command line says over the file. */
export type SettingsOver = {
  readonly checks?: readonly string[];
  readonly model?: string;
  readonly timeoutSeconds?: number;
  readonly requiredConfidence?: number;
};

const TIMEOUT = 300;
const TIMEOUTS: ReadonlyMap<string, number> = new Map([
  ['code', 600],
  ['verification', 120],
]);
/** Verification follows every attempt, so it must be quick. */
const MODELS: ReadonlyMap<string, string> = new Map([['verification', 'haiku']]);

/** How approvals of a type are asked for: what the asker says, then the type's entry, then `defaults`, then what HELIX has. */
export function approvalSettings(file: ApprovalsFile, type: string, over: SettingsOver): ApprovalSettings {
  const { enabled = true, ...entry } = file.approvals?.[type] ?? {};
  const said = { ...present(file.defaults ?? {}), ...present(entry) };
  const checks = over.checks ?? said.checks;
  const model = over.model ?? said.model ?? MODELS.get(type);
  return {
    enabled,
    timeoutSeconds: over.timeoutSeconds ?? said.timeout ?? TIMEOUTS.get(type) ?? TIMEOUT,
    retryOnFailure: said.retry_on_failure ?? true,
    requiredConfidence: over.requiredConfidence ?? said.required_confidence ?? 0.8,
    onLowConfidence: said.on_low_confidence ?? 'human',
    ...present({ model, fallbackModel: said.fallback_model, checks, agent: said.agent, budgetUsd: said.budget }),
  };
}
