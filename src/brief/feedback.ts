import type { Finding } from '../domain/finding.ts';
import { objections, type Progress, survived } from '../domain/ladder/convergence.ts';
import type { Verdict } from '../domain/verdict.ts';
import { lastLines, OUTPUT_ROOM } from '../text/last-lines.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, phrase, type Say } from '../text/say.ts';
import { quote } from './quote.ts';

const MAX_FINDINGS = 50;
const MAX_MESSAGE = 500;
const MAX_ALL = 32 * 1024;
const SEVERITY: Readonly<Record<Finding['severity'], string>> = {
  error: phrase('error'),
  warning: phrase('warning'),
  info: phrase('info'),
};
const RANK: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** What the gates said about the last attempt, quoted as data: what is open, new and mended; null when there is nothing to say. */
export function quoteFindings(verdicts: readonly Verdict[], progress?: Progress, say: Say = inEnglish): string | null {
  const lines = findingLines(verdicts, progress, say);
  return lines.length === 0 ? null : quote(lines.join('\n'));
}

/** What gates said, a line or two for each finding. */
export function findingLines(
  verdicts: readonly Verdict[],
  progress: Progress = { seen: {}, mended: [], unasked: [] },
  say: Say = inEnglish,
): string[] {
  const silent = verdicts.filter((verdict) => verdict.outcome !== 'pass' && verdict.findings.length === 0);
  const found = verdicts.flatMap((verdict) => verdict.findings);
  const known = new Set(found.flatMap(({ fingerprint }) => fingerprint ?? []));
  const left = objections(progress.unasked).filter(({ fingerprint = '' }) => !known.has(fingerprint));
  const findings = [
    ...found.map((finding) => ({ finding, age: ageOf(finding, progress, say) })),
    ...left.map((finding) => ({ finding, age: `${say('not looked at again:')} ` })),
  ].toSorted((one, other) => RANK[one.finding.severity] - RANK[other.finding.severity]);
  const shown = within(findings.slice(0, MAX_FINDINGS).map(({ finding, age }) => linesOf(finding, age, say)));
  const more = findings.length - shown.length;
  return [
    ...silent.map(
      ({ outcome, gate }) => `- ${say('{outcome} by {gate}, without a finding', { outcome, gate: oneLine(gate, 80) })}`,
    ),
    ...shown.flat(),
    ...(more > 0 ? [`- ${say('and {count} more', { count: more })}`] : []),
    ...progress.mended
      .slice(0, MAX_FINDINGS)
      .map(({ message }) => `- ${say('mended: {message}', { message: oneLine(message, MAX_MESSAGE) })}`),
  ];
}

/** As many findings as there is room for, worst first; one always is. */
function within(findings: readonly string[][]): readonly string[][] {
  let room = MAX_ALL;
  const last = findings.findIndex((lines) => {
    room -= lines.join('\n').length;
    return room < 0;
  });
  return last === -1 ? findings : findings.slice(0, Math.max(1, last));
}

/** Empty for the first judgement and for hints: then nothing is to be compared. */
function ageOf(finding: Finding, progress: Progress, say: Say): string {
  const compared = progress.mended.length > 0 || Object.values(progress.seen).some((times) => times > 1);
  if (!compared || finding.severity === 'info' || finding.fingerprint === undefined) return '';
  const outlived = survived(progress, finding);
  if (outlived === 0) return `${say('new:')} `;
  if (outlived < 2) return `${say('still open:')} `;
  return `${say('stuck, it has outlived {count} attempts to mend it:', { count: outlived })} `;
}

/** What follows the first line is set in, so that no message can pose as a further finding. */
function linesOf(finding: Finding, age: string, say: Say): string[] {
  const { severity, check, message, hint, location, output, evidence } = finding;
  const { file, line, column } = location ?? {};
  const [first = '', ...rest] = message.split('\n');
  const said = output ?? rest.join('\n');
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  const where = place === '' || first.includes(place) ? '' : ` ${say('at {place}', { place: oneLine(place, 300) })}`;
  return [
    `- ${age}${say(SEVERITY[severity])} (${oneLine(check, 80)})${where}: ${oneLine(first, MAX_MESSAGE)}`,
    ...(said.trim() === ''
      ? []
      : lastLines(said, OUTPUT_ROOM)
          .split('\n')
          .map((each) => `    ${each}`.trimEnd())),
    ...(evidence === undefined
      ? []
      : [`  ${say('what stands there: {evidence}', { evidence: oneLine(evidence, MAX_MESSAGE) })}`]),
    ...(hint === undefined ? [] : [`  ${say('hint: {hint}', { hint: oneLine(hint, MAX_MESSAGE) })}`]),
  ];
}
