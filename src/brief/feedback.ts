import type { Finding } from '../domain/finding.ts';
import type { Verdict } from '../domain/verdict.ts';
import { oneLine } from '../text/sanitise.ts';
import { quote } from './quote.ts';

const MAX_FINDINGS = 50;
const MAX_MESSAGE = 500;
const RANK: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** What the gates said about the last attempt, quoted as data; null when there is nothing to say. */
export function quoteFindings(verdicts: readonly Verdict[]): string | null {
  const silent = verdicts.filter((verdict) => verdict.outcome !== 'pass' && verdict.findings.length === 0);
  const findings = verdicts
    .flatMap((verdict) => verdict.findings)
    .toSorted((one, other) => RANK[one.severity] - RANK[other.severity]);
  const left = findings.length - MAX_FINDINGS;
  const lines = [
    ...silent.map((verdict) => `- ${verdict.outcome} by ${oneLine(verdict.gate, 80)}, without a finding`),
    ...findings.slice(0, MAX_FINDINGS).flatMap(findingLines),
    ...(left > 0 ? [`- and ${left} more`] : []),
  ];
  return lines.length === 0 ? null : quote(lines.join('\n'));
}

/** On one line each, so that no message can pose as a further finding. */
function findingLines({ severity, check, message, hint, location }: Finding): string[] {
  const { file, line, column } = location ?? {};
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return [
    `- ${severity} (${oneLine(check, 80)})${place === '' ? '' : ` at ${oneLine(place, 300)}`}: ${oneLine(message, MAX_MESSAGE)}`,
    ...(hint === undefined ? [] : [`  hint: ${oneLine(hint, MAX_MESSAGE)}`]),
  ];
}
